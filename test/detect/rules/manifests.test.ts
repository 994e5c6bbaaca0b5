import { describe, expect, it } from 'vitest'
import { lineOf, scan } from './every-rule.ts'

describe('a manifest in JSON', () => {
  const POD = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: {
      containers: [
        {
          name: 'a',
          image: 'nginx:latest',
          resources: { limits: { cpu: '1', memory: '1Gi' } },
          securityContext: {
            privileged: true,
            runAsUser: 0,
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
          },
        },
      ],
    },
  }
  const EXPECTED = ['k8s-image-latest', 'k8s-privileged', 'k8s-run-as-root']

  it.each([
    ['on lines of its own', JSON.stringify(POD, null, 2)],
    ['on one line', JSON.stringify(POD)],
    ['with tabs', JSON.stringify(POD, null, '\t')],
    ['in a list', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [POD] }, null, 2)],
  ])('of Kubernetes has the rules of YAML: %s', (_, text) => {
    const { found, ids } = scan('k8s/pod.json', text)
    expect(ids.toSorted()).toEqual(EXPECTED)
    for (const { id, line, snippet } of found) {
      expect(line).toBe(
        lineOf(text, { 'k8s-privileged': '"privileged"', 'k8s-run-as-root': '"runAsUser"' }[id] ?? '"image"'),
      )
      expect(text.split('\n')[line - 1]).toContain(snippet.slice(0, 100).trim())
    }
  })

  it('of Kubernetes is known by its content where its name says nothing', () => {
    expect(scan('a/b.json', JSON.stringify(POD)).ids.toSorted()).toEqual(EXPECTED)
  })

  it('finds the same as in YAML where a role may do everything', () => {
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'r' },
      rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
    }
    expect(scan('rbac/role.json', JSON.stringify(role, null, 2)).ids).toEqual(['k8s-role-everything'])
  })

  it('of CloudFormation has its rules', () => {
    const properties = { PubliclyAccessible: true, StorageEncrypted: false }
    const text = JSON.stringify(
      { Resources: { Db: { Type: 'AWS::RDS::DBInstance', Properties: properties } } },
      null,
      2,
    )
    expect(scan('stack.json', text).ids.toSorted()).toEqual(['cfn-database-public', 'cfn-storage-unencrypted'])
  })

  it.each([
    ['package.json', { name: 'a', privileged: true, image: 'nginx:latest' }],
    ['k8s/settings.json', { securityContext: { privileged: true } }],
    ['a.json', { kind: 'Pod', privileged: true }],
  ])('is none: %s', (path, data) => {
    expect(scan(path, JSON.stringify(data, null, 2))).toMatchObject({ ids: [], failures: [] })
  })
})

describe('Terraform in JSON', () => {
  const rule = (port: number) => ({ from_port: port, to_port: port, protocol: 'tcp', cidr_blocks: ['0.0.0.0/0'] })
  const CONFIGURATION = {
    '//': 'made by a program',
    resource: {
      aws_security_group: { web: { name: 'web', ingress: [rule(22), rule(443)] } },
      aws_db_instance: [{ db: { publicly_accessible: true } }, { two: [{ storage_encrypted: false }] }],
    },
    module: { vpc: { source: 'git::https://github.com/a/b.git?ref=main' } },
  }

  it.each([2, 0])('has the rules of the native syntax, with an indent of %s', indent => {
    const text = JSON.stringify(CONFIGURATION, null, indent)
    const { found, failures } = scan('infra/main.tf.json', text)
    expect(failures).toEqual([])
    const lines = Object.fromEntries(found.map(({ id, line }) => [id, line]))
    expect(lines).toEqual({
      'tf-aws-admin-port-open': lineOf(text, '"ingress"'),
      'tf-aws-database-public': lineOf(text, '"publicly_accessible"'),
      'tf-aws-database-unencrypted': lineOf(text, '"storage_encrypted"'),
      'tf-module-unpinned': lineOf(text, '"source"'),
    })
  })

  it('that is no JSON is listed as not evaluated', () => {
    expect(scan('main.tf.json', '{"resource": ').failures).toMatchObject([{ reason: 'not_understood' }])
  })

  it('with nothing wrong is clean', () => {
    const text = JSON.stringify({ resource: { aws_db_instance: { db: { publicly_accessible: false } } } })
    expect(scan('main.tf.json', text)).toMatchObject({ ids: [], failures: [] })
  })
})

describe('a manifest whose other form would be far longer', () => {
  const many = Array.from({ length: 3000 }, () => 1)
  const deep = Array.from({ length: 90 }).reduce<unknown>(inner => ({ a: inner }), many)
  const label = 'long'.repeat(100)

  it.each<[string, string, unknown]>([
    ['indented deeply', 'k8s/pod.json', { apiVersion: 'v1', kind: 'Pod', spec: deep }],
    [
      'with a long label over many blocks',
      'main.tf.json',
      { resource: { aws_instance: { [label]: many.map(() => ({})) } } },
    ],
  ])('has none, and every rule of the form is not evaluated: %s', (_, path, content) => {
    const { failures } = scan(path, JSON.stringify(content))
    const reasons = failures.filter(({ detail }) => detail?.includes('16 times as long')).map(({ reason }) => reason)
    expect(new Set(reasons)).toEqual(new Set(['too_costly']))
    expect(reasons.length).toBeGreaterThan(20)
  })

  it('has one where it is small, however deep', () => {
    const small = Array.from({ length: 180 }).reduce<unknown>(inner => ({ a: inner }), 1)
    expect(scan('k8s/pod.json', JSON.stringify({ apiVersion: 'v1', kind: 'Pod', spec: small })).failures).toEqual([])
  })
})

describe('JSON that is nested too deeply to be read', () => {
  const deep = `${'['.repeat(300)}${']'.repeat(300)}`

  it.each([
    ['k8s/pod.json', `{"apiVersion":"v1","kind":"Pod","x":${deep}}`],
    ['main.tf.json', `{"resource":{},"locals":${deep}}`],
    ['a.ipynb', `{"cells":[],"metadata":${deep},"nbformat":4}`],
  ])('is not evaluated by any rule of its form: %s', (path, text) => {
    const reasons = scan(path, text).failures.map(({ reason }) => reason)
    expect(reasons.filter(reason => reason === 'too_deep').length).toBeGreaterThan(20)
  })
})
