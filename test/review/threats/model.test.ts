import { describe, expect, it } from 'vitest'
import { findReachedByModule, REACHED } from '../../../engine/base/technologies/technologies.ts'
import { makeCodeFile } from '../../../engine/review/code/code-file.ts'
import { buildModel } from '../../../engine/review/threats/build.ts'
import { CLOUDFORMATION_RESOURCES, TERRAFORM_RESOURCES } from '../../../engine/review/threats/cloud-resources.ts'
import { readCompose } from '../../../engine/review/threats/compose.ts'
import { deriveThreats, NO_KNOWLEDGE } from '../../../engine/review/threats/derive.ts'
import { type Deployed, findImage } from '../../../engine/review/threats/infrastructure.ts'
import { readKubernetes } from '../../../engine/review/threats/kubernetes.ts'
import { mergeThreats } from '../../../engine/review/threats/merge.ts'
import type { Threat } from '../../../engine/review/threats/model.ts'
import { STRIDE_TABLE } from '../../../engine/review/threats/stride-table.ts'
import { readTerraform } from '../../../engine/review/threats/terraform.ts'
import { addFile, makeUnit } from '../../../engine/review/threats/unit-facts.ts'
import { findUnit, isModeled, isTooling, listUnits } from '../../../engine/review/threats/units.ts'

const build = (files: Record<string, string>, deployed: Deployed[] = []) => {
  const units = new Map<string, ReturnType<typeof makeUnit>>()
  const directories = new Set(listUnits(Object.keys(files)))
  for (const [path, text] of Object.entries(files)) {
    const directory = findUnit(path, directories)
    const unit = units.get(directory) ?? makeUnit(directory)
    units.set(directory, unit)
    addFile(unit, makeCodeFile(path, text))
  }
  return buildModel({ name: 'shop', units: [...units.values()], deployed, specified: new Map() })
}

const SHOP = {
  'package.json': '{}',
  'app.js': `const app = require('express')()\nconst { Pool } = require('pg')\nconst fs = require('fs')\nimport axios from 'axios'\napp.use(rateLimit({}))\napp.post('/login', async (req, res) => {\n  await axios.post('https://api.payments.test.com/v1', req.body)\n  fs.readFile(req.query.name, done)\n})\n`,
}

describe('the model of an application', () => {
  it('has its user, process, stores, services and the flows between them', () => {
    const { elements, flows } = build(SHOP)
    expect(elements.map(({ kind, name, zone }) => `${kind} ${name} ${zone}`).sort()).toEqual([
      'actor User internet',
      'process shop application',
      'service api.payments.test.com third_party',
      'store File system host',
      'store PostgreSQL data',
    ])
    expect(flows.map(({ from, to, crosses }) => `${from} ${to} ${crosses}`).sort()).toEqual([
      'actor:user process:root true',
      'process:root service:host-api.payments.test.com true',
      'process:root store:files true',
      'process:root store:postgresql true',
    ])
    for (const { places } of flows) expect(places[0]!.file).toBe('app.js')
  })

  it('has a process for each directory with a manifest and entry points', () => {
    const app = "const app = require('express')()\napp.get('/a', b)\n"
    const { elements } = build({
      'api/package.json': '{}',
      'api/a.js': app,
      'admin/package.json': '{}',
      'admin/a.js': app,
    })
    expect(elements.filter(({ kind }) => kind === 'process').map(({ name }) => name)).toEqual(['admin', 'api'])
  })

  it('takes a browser application for what it is, with its calls to the server', () => {
    const { elements, flows } = build({
      ...{ 'web/package.json': '{}', 'web/main.jsx': "import { createRoot } from 'react-dom/client'\n" },
      ...{ 'api/package.json': '{}', 'api/a.js': "const app = require('express')()\napp.get('/a', b)\n" },
    })
    expect(elements.find(({ zone }) => zone === 'browser')).toMatchObject({ kind: 'process' })
    expect(flows.map(({ id }) => id)).toContain('process:browser-web>process:api')
  })

  it('leaves out examples, documents and benchmarks, and what tools start', () => {
    for (const path of ['examples/a.js', 'docs/conf.py', 'bench/run.js', 'a/node_modules/b/c.js'])
      expect(isModeled(path)).toBe(false)
    for (const path of ['scripts/deploy.js', 'webpack.config.js', 'setup.py']) expect(isTooling(path)).toBe(true)
    for (const path of ['src/app.js', 'app/controllers/a.rb']) expect(isModeled(path) && !isTooling(path)).toBe(true)
  })
})

describe('infrastructure files', () => {
  const compose = {
    services: {
      web: { build: '.', ports: ['80:80'], depends_on: ['db', 'cache'] },
      db: { image: 'postgres:16' },
      cache: { image: 'docker.io/library/redis:7@sha256:00', ports: ['6379:6379'] },
      odd: { image: 'me/redis' },
    },
  }
  it('Compose services are programs of the repository, known stores, or other programs', () => {
    const deployed = readCompose(compose, 'compose.yaml', () => 1)
    expect(deployed.map(({ name, kind, technology }) => `${name} ${kind} ${technology?.id ?? ''}`)).toEqual([
      'web build ',
      'db technology postgresql',
      'cache technology redis',
      'odd image ',
    ])
    const { elements, flows } = build(SHOP, deployed)
    expect(elements.filter(({ technology }) => technology === 'postgresql')).toHaveLength(1)
    expect(elements.find(({ kind, zone }) => kind === 'process' && zone === 'application')?.name).toBeDefined()
    expect(flows.map(({ id }) => id)).toContain('process:root>store:redis')
    expect(
      deriveThreats(build(SHOP, deployed), NO_KNOWLEDGE)
        .filter(({ rule }) => rule === 'store-published')
        .map(({ component }) => component),
    ).toEqual(['Redis'])
  })

  it('a build context outside of the repository is left out', () => {
    expect(readCompose({ services: { a: { build: '../../x' } } }, 'compose.yaml', () => 1)).toEqual([])
  })

  it('Kubernetes workloads have the technology of their images', () => {
    const documents = [
      {
        kind: 'StatefulSet',
        metadata: { name: 'db' },
        spec: { template: { spec: { containers: [{ image: 'mongo:7' }] } } },
      },
    ]
    expect(
      readKubernetes(documents.map(document => ({ document, file: 'k8s.yaml', lineOf: () => 1 }))).map(
        ({ technology }) => technology?.id,
      ),
    ).toEqual(['mongodb'])
  })

  it('Terraform resources are read by type, and every type leads to a technology', () => {
    expect(readTerraform('resource "aws_s3_bucket" "files" {\n}\n', 'main.tf')).toMatchObject([
      { name: 'files', line: 1 },
    ])
    const known = new Set(REACHED.map(({ id }) => id))
    for (const role of [...TERRAFORM_RESOURCES.values(), ...CLOUDFORMATION_RESOURCES.values()])
      expect(['process', 'proxy'].includes(role) || known.has(role)).toBe(true)
  })

  it('every image of the table is found', () => {
    for (const { id, images = [] } of REACHED)
      for (const image of images) expect(findImage(`${image}:1`).technology?.id, image).toBe(id)
  })
})

it('a module is known by its name up to a separator of its language', () => {
  expect(findReachedByModule('github.com/jackc/pgx/v5', '/')?.id).toBe('postgresql')
  expect(findReachedByModule('github.com/gin-gonic/gin', '/')).toBeUndefined()
  expect(findReachedByModule('org.springframework.jdbc.core.JdbcTemplate', '.')?.id).toBe('sql')
})

describe('the tables of threats', () => {
  it('have unique ids, and a weakness for each row', () => {
    expect(new Set(STRIDE_TABLE.map(({ id }) => id)).size).toBe(STRIDE_TABLE.length)
    for (const { cwe } of STRIDE_TABLE) for (const each of cwe) expect(each).toMatch(/^CWE-\d+$/)
  })

  it('every row holds for an element with its facts, and for none that lacks one', () => {
    for (const row of STRIDE_TABLE) {
      const zone = [...row.when].find(fact => fact.startsWith('zone:'))?.slice(5) ?? 'application'
      const to = [...row.when].find(fact => fact.startsWith('to:'))?.slice(3) ?? 'data'
      const facts = row.when.filter(fact => !/^(?:zone|to):|^crosses$/.test(fact))
      const element = (id: string, kind: string, at: string, own: string[]) =>
        ({ id, kind, name: id, zone: at, places: [], entry_points: [], facts: own, source: 'rule' }) as never
      const isFlow = row.on.includes('flow')
      const model = (own: string[]) => ({
        ...{ name: 'x', zones: [] },
        elements: isFlow
          ? [element('a', 'process', zone, []), element('b', 'store', to, [])]
          : [element('a', row.on[0]!, zone, own)],
        flows: isFlow
          ? [
              {
                id: 'a>b',
                from: 'a',
                to: 'b',
                label: '',
                places: [],
                crosses: true,
                facts: own,
                source: 'rule' as const,
              },
            ]
          : [],
      })
      const rules = (own: string[]) => deriveThreats(model(own), NO_KNOWLEDGE, [row]).map(({ rule }) => rule)
      expect(rules(facts), row.id).toEqual([row.id])
      for (const fact of facts)
        expect(rules(facts.filter(each => each !== fact)), `${row.id} without ${fact}`).toEqual([])
      for (const fact of row.unless ?? []) expect(rules([...facts, fact]), `${row.id} with ${fact}`).toEqual([])
    }
  })

  it('findings make a threat likely, and a control that was seen closes nothing', () => {
    const plain = deriveThreats(build(SHOP), NO_KNOWLEDGE)
    const flooding = plain.find(({ rule }) => rule === 'http-flooding')!
    expect(flooding).toMatchObject({
      likelihood: 'low',
      controls_seen: [{ what: 'rate limiting', file: 'app.js', line: 5 }],
    })
    const knowledge = {
      rulesOf: () => ['r'],
      findingsOf: (cwe: readonly string[]) => (cwe.includes('CWE-89') ? ['f'] : []),
    }
    const injected = deriveThreats(build(SHOP), knowledge).find(({ rule }) => rule === 'store-injection')!
    expect(injected).toMatchObject({ likelihood: 'high', findings: ['f'], rules: ['r'] })
  })
})

describe('a mitigated threat', () => {
  const found = deriveThreats(build(SHOP), NO_KNOWLEDGE)
  const ids = new Set(build(SHOP).elements.map(({ id }) => id))
  const merge = (stored: Threat[], threats = found) =>
    mergeThreats(stored, threats, ids, new Set(['import', 'llm'] as const), 'now')
  const stored = merge([]).map(threat => ({ ...threat, status: 'mitigated' as const, mitigation_note: 'done' }))

  it('stays mitigated while what shows its element is the same', () => {
    const moved = { ...SHOP, 'app.js': `// moved\n\n${SHOP['app.js']}` }
    expect(merge(stored, deriveThreats(build(moved), NO_KNOWLEDGE)).every(({ status }) => status === 'mitigated')).toBe(
      true,
    )
  })

  it('is pending again when its process gets another endpoint', () => {
    const more = { ...SHOP, 'app.js': `${SHOP['app.js']}app.get('/more', x)\n` }
    const again = merge(stored, deriveThreats(build(more), NO_KNOWLEDGE))
    const own = again.filter(({ element }) => element === 'process:root')
    expect(own.length).toBeGreaterThan(3)
    for (const threat of own)
      expect(threat).toMatchObject({ status: 'pending', changed_since_mitigation: true, mitigation_note: 'done' })
    expect(again.find(({ element }) => element === 'store:postgresql')!.status).toBe('mitigated')
  })

  it('has an id of its form, one for each', () => {
    expect(new Set(stored.map(({ id }) => id)).size).toBe(found.length)
    for (const { id } of stored) expect(id).toMatch(/^TM-[0-9a-f]{10}$/)
  })
})
