import { describe, expect, test } from 'vitest'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { readRule } from '../../../engine/sources/packs/parse.ts'

const LIMITS = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 20 }

function lines(row: object, text: string, path: string): number[] {
  const own = { id: 'own-rule', type: 'resource', title: 'A rule', message: 'Something is found.', severity: 'high' }
  const more = { languages: ['yaml', 'json', 'bicep', 'hcl'], remediation: 'None.', match: ['a'], clean: ['b'] }
  const rule = readRule({ ...own, ...more, resources: [row] }, 'rule', 'own', () => ({ file: 'rule' }))
  const bytes = new TextEncoder().encode(text)
  const language = { json: 'json', bicep: 'bicep', tf: 'hcl' }[path.split('.').at(-1)!] ?? 'yaml'
  const { matches, failures } = scanFile(new RuleSet([rule]), { path, language, in_test: false, bytes }, LIMITS)
  expect(failures).toEqual([])
  return matches.map(({ line }) => line)
}

const PRIVILEGED = { types: ['Kubernetes::Container'], property: 'securityContext.privileged', is: [true] }
const ROOT = {
  types: ['Kubernetes::Container'],
  property: 'securityContext.runAsNonRoot',
  absent: true,
  and: [{ property: 'pod.securityContext.runAsNonRoot', absent: true }],
}
const pod = (container: string, above = '') =>
  `apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n${above}      containers:\n        - name: web\n${container}`

describe('Kubernetes', () => {
  test('a container is asked wherever its pod is described, with what the pod says', () => {
    expect(lines(PRIVILEGED, pod('          securityContext: { privileged: true }\n'), 'a.yaml')).toEqual([8])
    expect(lines(ROOT, pod('          image: a\n'), 'a.yaml')).toEqual([7])
    expect(
      lines(ROOT, pod('          image: a\n', '      securityContext: { runAsNonRoot: true }\n'), 'a.yaml'),
    ).toEqual([])
  })

  test('what a chart fills in is unknown: neither unsafe nor missing', () => {
    const filled = '          securityContext:\n            {{- toYaml .Values.securityContext | nindent 12 }}\n'
    expect(lines(ROOT, pod(filled), 'templates/a.yaml')).toEqual([])
    expect(lines(ROOT, pod('          {{- include "a.rest" . | nindent 10 }}\n'), 'templates/a.yaml')).toEqual([])
    expect(lines(PRIVILEGED, pod('          securityContext: { privileged: {{ .Values.p }} }\n'), 'a.yaml')).toEqual([])
    const steered =
      '          {{- if .Values.p }}\n          securityContext: { privileged: true }\n          {{- end }}\n'
    expect(lines(PRIVILEGED, pod(steered), 'a.yaml')).toEqual([9])
  })

  test('a definition of other resources describes none', () => {
    const text = pod('          securityContext: { privileged: true }\n').replace(
      'Deployment',
      'CustomResourceDefinition',
    )
    expect(lines(PRIVILEGED, text, 'a.yaml')).toEqual([])
  })

  test('a manifest that Terraform applies is asked, as a map or as text made of one', () => {
    const container = (rights: string) =>
      `{\n  apiVersion = "v1"\n  kind = "Pod"\n  spec = { containers = [\n    { name = "web", securityContext = { privileged = ${rights} } }\n  ] }\n}`
    const manifest = (rights: string) => `resource "kubernetes_manifest" "a" {\n  manifest = ${container(rights)}\n}\n`
    expect(lines(PRIVILEGED, manifest('true'), 'a.tf')).toEqual([6])
    expect(lines(PRIVILEGED, manifest('false'), 'a.tf')).toEqual([])
    expect(lines(PRIVILEGED, manifest('var.rights'), 'a.tf')).toEqual([])
    const text = `resource "kubectl_manifest" "a" {\n  yaml_body = yamlencode(${container('true')})\n}\n`
    expect(lines(PRIVILEGED, text, 'a.tf')).toEqual([6])
  })

  test('a pod with many containers is read once', () => {
    const many = '        - name: a\n'.repeat(5000)
    const started = performance.now()
    expect(lines(PRIVILEGED, pod(many), 'a.yaml')).toEqual([])
    expect(performance.now() - started).toBeLessThan(15_000)
  })
})

describe('Ansible', () => {
  const UNCHECKED = { types: ['Ansible::get_url'], property: 'validate_certs', is: [false, 'no'] }

  test.each([
    ['with a map', '- get_url:\n    url: https://a/b\n    validate_certs: no\n  name: a\n', [3]],
    ['by its full name', '- name: a\n  ansible.builtin.get_url: { url: b, validate_certs: false }\n', [2]],
    ['in the short form', '- name: a\n  get_url: url=b validate_certs=no\n', [2]],
    [
      'in a play and a block',
      '- hosts: all\n  tasks:\n    - block:\n        - name: a\n          get_url:\n            validate_certs: no\n',
      [6],
    ],
    ['of another module', '- name: a\n  uri: { url: b, validate_certs: no }\n', []],
    ['with a variable', '- name: a\n  get_url: { url: b, validate_certs: "{{ checked }}" }\n', []],
  ])('a task %s', (_, text, found) => {
    expect(lines(UNCHECKED, text, 'tasks/main.yml')).toEqual(found)
  })
})

const HTTPS = {
  types: ['Microsoft.Storage/storageAccounts'],
  property: 'properties.supportsHttpsTrafficOnly',
  is: [false],
}
const TLS = { types: ['Microsoft.Storage/storageAccounts'], property: 'properties.minimumTlsVersion', absent: true }
const bicep = (properties: string, before = '') =>
  `${before}resource a 'Microsoft.Storage/storageAccounts@2023-01-01' = {\n  name: 'a'\n  properties: {\n${properties}  }\n}\n`
const arm = (properties: string, more = '') =>
  `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",${more}\n"resources": [{"type": "Microsoft.Storage/storageAccounts",\n"properties": {${properties}}}]}\n`

describe('Azure', () => {
  const OPEN = { types: ['Microsoft.Web/sites'], property: 'properties.httpsOnly', is: [false] }
  const nested = (held: string, more: object = {}) =>
    JSON.stringify({
      $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
      parameters: { secure: { defaultValue: false } },
      resources: [
        {
          type: 'Microsoft.Resources/deployments',
          properties: {
            ...more,
            template: { resources: [{ type: 'Microsoft.Web/sites', properties: { httpsOnly: held } }] },
          },
        },
      ],
    }).replace('"false"', 'false')

  test('resources of a template within a deployment are asked, with the names of the template around it', () => {
    expect(lines(OPEN, nested('false'), 'azuredeploy.json')).toEqual([1])
    expect(lines(OPEN, nested("[parameters('secure')]"), 'azuredeploy.json')).toEqual([1])
  })

  test('names within a deployment of inner scope are its own, and not known', () => {
    const inner = { expressionEvaluationOptions: { scope: 'inner' } }
    expect(lines(OPEN, nested('false', inner), 'azuredeploy.json')).toEqual([1])
    expect(lines(OPEN, nested("[parameters('secure')]", inner), 'azuredeploy.json')).toEqual([])
  })

  test.each([
    ['a value', bicep('    supportsHttpsTrafficOnly: false // no\n'), [4]],
    ['a safe value', bicep('    supportsHttpsTrafficOnly: true\n'), []],
    [
      'the default of a parameter',
      bicep('    supportsHttpsTrafficOnly: tls\n', "@description('a: b')\nparam tls bool = false\n"),
      [6],
    ],
    ['a parameter without one', bicep('    supportsHttpsTrafficOnly: tls\n', 'param tls bool\n'), []],
    ['a branch', bicep("    supportsHttpsTrafficOnly: env == 'prod' ? true : false\n"), [4]],
    ['the first branch', bicep('    supportsHttpsTrafficOnly: old ? false : true\n'), [4]],
    [
      'a resource in a loop',
      bicep('    supportsHttpsTrafficOnly: false\n').replace('= {', '= [for n in names: {').replace(/\}\n$/, '}]\n'),
      [4],
    ],
    ['a conditional resource', bicep('    supportsHttpsTrafficOnly: false\n').replace('= {', '= if (make) {'), [4]],
    ['one that exists', bicep('    supportsHttpsTrafficOnly: false\n').replace('= {', 'existing = {'), []],
    ['a comment', bicep("    // supportsHttpsTrafficOnly: false\n    x: '${a('}')}'\n"), []],
  ])('Bicep: %s', (_, text, found) => {
    expect(lines(HTTPS, text, 'main.bicep')).toEqual(found)
  })

  test('a missing property is reported at the resource', () => {
    expect(lines(TLS, bicep("    minimumTlsVersion: 'TLS1_2'\n"), 'main.bicep')).toEqual([])
    expect(lines(TLS, bicep("    accessTier: 'Hot'\n"), 'main.bicep')).toEqual([1])
    expect(lines(TLS, arm('"accessTier": "Hot"'), 'main.json')).toEqual([2])
  })

  test('templates in JSON: values, parameters and nothing else', () => {
    expect(lines(HTTPS, arm('"supportsHttpsTrafficOnly": false'), 'main.json')).toEqual([3])
    const given = '"parameters": {"tls": {"type": "bool", "defaultValue": false}},'
    expect(lines(HTTPS, arm('"supportsHttpsTrafficOnly": "[parameters(\'tls\')]"', given), 'main.json')).toEqual([3])
    expect(lines(HTTPS, arm('"supportsHttpsTrafficOnly": "[not(variables(\'a\'))]"'), 'main.json')).toEqual([])
    expect(
      lines(HTTPS, arm('"supportsHttpsTrafficOnly": false').replace('deploymentTemplate', 'other'), 'main.json'),
    ).toEqual([])
  })
})

test('services, jobs, steps, events and operations are asked under their names', () => {
  const has = (type: string, property: string, text: string, path: string) =>
    lines({ types: [type], property, is: ['x'] }, text, path).length
  expect(has('Compose::Service', 'pid', 'services:\n  a: { pid: x }\n', 'compose.yaml')).toBe(1)
  expect(has('Compose::Service', 'pid', 'services:\n  a: { pid: x }\n', 'other.yaml')).toBe(0)
  expect(
    has('GitHub::Step', 'uses', 'on: push\njobs:\n  a:\n    steps:\n      - uses: x\n', '.github/workflows/a.yml'),
  ).toBe(1)
  expect(has('GitLab::Job', 'image', 'a:\n  image: x\n  script: [b]\n', '.gitlab-ci.yml')).toBe(1)
  expect(has('Azure::Step', 'task', 'jobs:\n- job: a\n  steps:\n  - task: x\n', 'azure-pipelines.yml')).toBe(1)
  expect(
    has(
      'CircleCI::Job',
      'resource_class',
      'jobs:\n  a:\n    resource_class: x\n    steps: []\n',
      '.circleci/config.yml',
    ),
  ).toBe(1)
  expect(
    has(
      'Serverless::Event',
      'http.path',
      'provider: { name: aws }\nfunctions:\n  a:\n    events:\n      - http: { path: x }\n',
      'serverless.yml',
    ),
  ).toBe(1)
  expect(
    has(
      'OpenAPI::Operation',
      'operationId',
      'openapi: 3.0.0\npaths:\n  /a:\n    get: { operationId: x }\n',
      'api.yaml',
    ),
  ).toBe(1)
})
