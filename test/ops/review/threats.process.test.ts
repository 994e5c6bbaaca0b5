import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import threatModel from '../../../engine/ops/review/threat-model.ts'
import threats from '../../../engine/ops/review/threats.ts'
import { context, refusal, view } from '../../made/call.ts'
import { project } from '../../made/project.ts'

const FILES = {
  'package.json': '{}',
  'app.js': "const app = require('express')()\nconst { Pool } = require('pg')\napp.post('/login', save)\n",
  'openapi.yaml':
    "openapi: 3.0.3\ninfo: {title: a, version: '1'}\npaths:\n  /login:\n    post: {}\n  /logout:\n    post: {}\n",
  'test/app.js': "const app = require('express')()\napp.get('/test-only', x)\n",
}
const none = { pending: false, dry_run: false }

it('builds the model, stores the threats, and filters them', async () => {
  const root = project(FILES)
  const made = await threats.run(none, context(root))
  const process_ = made.model!.elements.find(({ kind }) => kind === 'process')!
  expect(process_.entry_points.map(({ method, path, source }) => `${method} ${path} ${source}`)).toEqual([
    'POST /login code',
    'POST /logout openapi',
  ])
  expect(made).toMatchObject({ run_id: null, llm: { state: 'not_evaluated' } })
  expect(made.threats.every(({ rules }) => rules.length > 0)).toBe(true)
  expect(JSON.parse(readFileSync(join(root, 'out/threat_model.json'), 'utf8')).threats).toEqual(made.threats)
  const tampering = await threats.run({ ...none, stride: 'tampering' }, context(root))
  expect(new Set(tampering.threats.map(({ stride }) => stride))).toEqual(new Set(['tampering']))
  expect(tampering.counts.total).toBe(made.counts.total)
  expect((await threats.run({ ...none, file: 'package.json' }, context(root))).threats).toEqual([])
  const text = threats.text(made, view)
  expect(text).toContain('Findings: not evaluated')
  expect(text).toContain('LLM part not evaluated')
})

it('refuses a file that is not there', async () => {
  const error = await refusal(() => threats.run({ ...none, file: 'nope.ts' }, context(project(FILES))))
  expect(error.code).toBe('NOT_FOUND')
})

it('shows the threats that a range of commits bears on', async () => {
  const root = project(FILES)
  writeFileSync(join(root, 'app.js'), `${FILES['app.js']}app.get('/b', c)\n`)
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qam', 'b'], { cwd: root })
  const range = await threats.run({ ...none, git_range: 'HEAD~1..HEAD' }, context(root))
  expect(range.threats.length).toBeGreaterThan(0)
  expect(range.threats.every(({ places }) => places.some(({ file }) => file === 'app.js'))).toBe(true)
})

it('keeps a mitigation, which no agent can note', async () => {
  const root = project(FILES)
  const { threats: found } = await threats.run(none, context(root))
  const { id } = found[0]!
  const agent = await refusal(() => threats.run({ ...none, mitigate: id }, context(root, { surface: 'mcp' })))
  expect(agent.code).toBe('FORBIDDEN')
  await threats.run({ ...none, mitigate: id, note: 'in the proxy' }, context(root))
  const again = await threats.run(none, context(root))
  expect(again.threats.find(threat => threat.id === id)).toMatchObject({
    status: 'mitigated',
    mitigation_note: 'in the proxy',
  })
  const pending = await threats.run({ ...none, pending: true }, context(root))
  expect(pending.threats.map(threat => threat.id)).not.toContain(id)
  expect((await refusal(() => threats.run({ ...none, mitigate: 'TM-0000000000' }, context(root)))).code).toBe(
    'NOT_FOUND',
  )
})

it('a mitigation that was written into the file is pending', async () => {
  const root = project(FILES)
  const { threats: found } = await threats.run(none, context(root))
  const file = join(root, 'out/threat_model.json')
  const document = JSON.parse(readFileSync(file, 'utf8'))
  for (const each of document.threats)
    Object.assign(each, { status: 'mitigated', mitigated_at: '2026-01-01T00:00:00Z' })
  writeFileSync(file, JSON.stringify(document))
  expect((await threats.run({ ...none, pending: true }, context(root))).threats).toHaveLength(found.length)
  expect((await threats.run(none, context(root))).counts.pending).toBe(found.length)
})

it('writes and reads the formats of other tools', async () => {
  const root = project(FILES)
  const output = join(root, 'model.json')
  const made = await threats.run({ ...none, format: 'threat-dragon', output }, context(root))
  expect(made.written).toBe('model.json')
  const model = readFileSync(output, 'utf8').replace('"status": "Open"', '"status": "Mitigated"')
  writeFileSync(output, model)
  const read = await threats.run({ ...none, import: 'model.json' }, context(root))
  expect(read.imported).toEqual({ format: 'threat-dragon', updated: 1, added: 0, skipped: 0 })
  expect((await threats.run(none, context(root))).counts.mitigated).toBe(1)
  expect((await refusal(() => threats.run({ ...none, import: 'none.json' }, context(root)))).code).toBe('NOT_FOUND')
  expect((await refusal(() => threats.run({ ...none, output }, context(root)))).code).toBe('INPUT_INVALID')
})

it('an agent reads the stored model with its age', async () => {
  const root = project(FILES)
  expect((await threatModel.run({ pending: true }, context(root))).generated_at).toBeNull()
  await threats.run(none, context(root))
  const read = await threatModel.run({ pending: true, path: 'app.js' }, context(root, { surface: 'mcp' }))
  expect(read.total).toBeGreaterThan(0)
  expect(threatModel.text(read, view)).toMatch(/built \d+ seconds? ago/)
})

it('the same files give the same model', async () => {
  const root = project(FILES)
  const env = { SOURCE_DATE_EPOCH: '1700000000' }
  const [one, two] = [await threats.run(none, context(root, { env })), await threats.run(none, context(root, { env }))]
  expect(two).toEqual(one)
})

it('reads infrastructure files of every kind into one model', async () => {
  const root = project({
    'package.json': '{}',
    'app.js': "const app = require('express')()\napp.post('/login', save)\n",
    'docker-compose.yml':
      'services:\n  web: {build: ., ports: ["80:80"], environment: {CACHE: "redis://cache:6379", PAY: "https://api.pay.io/v1"}}\n  cache: {image: redis}\n',
    'deploy/web.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: search, namespace: a}\nspec: {template: {metadata: {labels: {app: s}}, spec: {containers: [{image: elasticsearch:8}]}}}\n',
    'infra/main.tf': 'resource "aws_db_instance" "main" {\n  engine = "mysql"\n}\n',
    'functions/package.json': '{}',
    'functions/serverless.yml':
      'service: jobs\nfunctions:\n  run:\n    handler: a.b\n    events:\n      - httpApi: {path: /run, method: post}\n      - sqs: {arn: x}\n',
  })
  const { model } = await threats.run(none, context(root))
  const names = model!.elements.map(({ kind, name }) => `${kind} ${name}`)
  for (const name of [
    ...['process web', 'process functions', 'store Redis', 'store Elasticsearch', 'store MySQL', 'queue Amazon SQS'],
    'service api.pay.io',
  ])
    expect(names).toContain(name)
  expect(model!.flows.map(({ id }) => id)).toContain('process:root>service:host-api.pay.io')
  expect(model!.elements.find(({ name }) => name === 'Redis')!.places[0]).toMatchObject({
    file: 'docker-compose.yml',
    line: 3,
  })
  const functions = model!.elements.find(({ name }) => name === 'functions')!
  expect(functions.entry_points).toMatchObject([
    { method: 'POST', path: '/run', line: 3, source: 'infrastructure' },
    { method: 'MESSAGE' },
  ])
})
