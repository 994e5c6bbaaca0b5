import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import type { ManifestRow, Operation } from '../../engine/door/operation.ts'
import { OPERATIONS } from '../../engine/door/operations.gen.ts'
import { writeRun } from '../../engine/sources/store/write.ts'
import { call, type Place, place, refused } from '../governance/governed.ts'
import { run } from '../sources/store/make.ts'

/** Each operation that may wait for a reviewer, with an input that cannot succeed and, where one can be made here, one that can. */
const TABLE: Record<string, { wrong: object; code: string; right?: object }> = {
  'account.login': { wrong: {}, code: 'FORBIDDEN' },
  'account.logout': { wrong: {}, code: 'FORBIDDEN' },
  'architecture.check': { wrong: { init: true }, code: 'CONFLICT' },
  'assistants.audit': {
    wrong: { connect: true, tools: 'none.json' },
    code: 'NOT_FOUND',
    right: { connect: true, update_lock: true },
  },
  'assistants.init': { wrong: { path: 'none' }, code: 'REPO_NOT_FOUND', right: { for: ['cursor'] } },
  'assure.attest-key-create': { wrong: {}, code: 'FORBIDDEN' },
  'assure.attest-key-rotate': { wrong: {}, code: 'FORBIDDEN' },
  'audit.prune': {
    wrong: { keep_days: 30, output: 'src/a.js' },
    code: 'CONFLICT',
    right: { keep_days: 30, output: 'out/old.jsonl' },
  },
  'config.exclude': { wrong: { paths: ['doc'], remove: true }, code: 'NOT_FOUND', right: { paths: ['doc'] } },
  'config.init': { wrong: {}, code: 'CONFLICT', right: { force: true } },
  'config.migrate': { wrong: {}, code: 'NOT_FOUND' },
  'config.update': {
    wrong: { set: { gate: { fail_on: 'sometimes' } } },
    code: 'CONFIG_INVALID',
    right: { set: { gate: { fail_on: ['high'] } } },
  },
  'delivery.generate-reqs': { wrong: { output: '../r.yaml' }, code: 'PATH_ESCAPES', right: {} },
  'delivery.oauth-connect': { wrong: { provider: 'none' }, code: 'NOT_FOUND', right: { provider: 'devops_a' } },
  'delivery.oauth-disconnect': { wrong: { provider: 'none' }, code: 'NOT_FOUND', right: { provider: 'devops_a' } },
  'delivery.pull-reqs': { wrong: { output: 'r.txt' }, code: 'INPUT_INVALID' },
  'delivery.verify-reqs': { wrong: { confirm: true }, code: 'FORBIDDEN' },
  'evidence.add': {
    wrong: { control: 'none:1', title: 'T', owner: 'Kim', file: 'src/a.js' },
    code: 'NOT_FOUND',
    right: { control: 'soc2-tsc-2017:CC7.5', title: 'T', owner: 'Kim', file: 'src/a.js' },
  },
  'external.trust': { wrong: { name: 'none', digest: 'a'.repeat(64) }, code: 'NOT_FOUND' },
  'findings.suppress': {
    wrong: { rule: 'no-such-rule', reason: 'x' },
    code: 'RULE_NOT_FOUND',
    right: { rule: 'js-eval-dynamic', reason: 'x' },
  },
  'findings.suppress-many': {
    wrong: { places: [{ rule: 'js-eval-dynamic', file: 'src/a.js' }] },
    code: 'INPUT_INVALID',
    right: { places: [{ rule: 'js-eval-dynamic', file: 'src/a.js' }], reason: 'x' },
  },
  'fleet.drain': { wrong: {}, code: 'USAGE', right: { force: true } },
  'fleet.submit': { wrong: { target: '.', org: 'github/acme' }, code: 'USAGE', right: { target: '.' } },
  'fleet.worker': { wrong: {}, code: 'CONFIG_INVALID' },
  'governance.update-settings': {
    wrong: { set: { task_binding: { enforcement: 'never' } } },
    code: 'CONFIG_INVALID',
    right: { set: { task_binding: { enforcement: 'block' } } },
  },
  'hook.install': { wrong: { agent: 'claude-code' }, code: 'CONFLICT', right: {} },
  'hook.uninstall': { wrong: { agent: 'claude-code' }, code: 'CONFLICT', right: {} },
  'packs.add': { wrong: { id: 'none' }, code: 'NOT_FOUND', right: { id: 'nis2' } },
  'packs.create': {
    wrong: { id: 'Not an id', name: 'N', description: 'D' },
    code: 'PACK_INVALID',
    right: { id: 'own', name: 'N', description: 'D' },
  },
  'packs.delete': { wrong: { id: 'none' }, code: 'NOT_FOUND' },
  'packs.import': { wrong: { file: 'none.yaml' }, code: 'NOT_FOUND' },
  'packs.manage': {
    wrong: { action: 'disable', pack_id: 'none' },
    code: 'NOT_FOUND',
    right: { action: 'enable', pack_id: 'nis2' },
  },
  'packs.override': {
    wrong: { id: 'javascript-typescript', overrides: { 'no-such-rule': { enabled: false } } },
    code: 'RULE_NOT_FOUND',
    right: { id: 'javascript-typescript', overrides: { 'js-eval-dynamic': { enabled: false } } },
  },
  'packs.remove': { wrong: { id: 'none' }, code: 'NOT_FOUND', right: { id: 'nis2' } },
  'policies.check': { wrong: { init: true }, code: 'CONFLICT' },
  'review.ai-key': { wrong: { provider: 'anthropic', key: 'k'.repeat(20) }, code: 'FORBIDDEN' },
  'scan.merge': { wrong: { folders: ['none'], update_baseline: true }, code: 'NOT_FOUND' },
  'scan.run': {
    wrong: { update_baseline: true, staged: true },
    code: 'INPUT_INVALID',
    right: { update_baseline: true },
  },
  'scan.stream': { wrong: { update_baseline: true, staged: true }, code: 'INPUT_INVALID' },
  'scan.watch': { wrong: { fix: true }, code: 'USAGE', right: { fix: true, vulns: true } },
  'serve.notary': { wrong: { host: '0.0.0.0' }, code: 'USAGE' },
  'specs.import': { wrong: { file: 'none.yaml', overwrite: true }, code: 'NOT_FOUND' },
  'store.prune': { wrong: { keep: 1 }, code: 'USAGE', right: { keep: 1, force: true } },
  'supply.vuln-fix': {
    wrong: { package: 'none', ecosystem: 'npm', manifest: 'package.json', version: '2.0.0' },
    code: 'NOT_FOUND',
    right: { package: 'left-pad', ecosystem: 'npm', manifest: 'package.json', version: '2.0.0' },
  },
  'supply.vulns': { wrong: { fix: true, fix_preview: true }, code: 'USAGE', right: { fix: true } },
}

/** Operations of which every input that fits the schema can succeed. */
const ANY_INPUT = {
  'external.detect': 'it writes what it finds, and names nothing',
  'fixes.edit': 'it only asks whether an edit is permitted',
}

const FILES = {
  'package.json': '{"name":"a","version":"1.0.0","dependencies":{"left-pad":"1.0.0"}}\n',
  'architecture.yaml': 'version: 1\n',
  'policies.yaml': 'policies: []\n',
  '.claude/settings.local.json': '[]\n',
}

const GOVERNED = `
agent_defaults: { queue_action: block, default_trust_level: admin }
human_review_required: { on_config_change: true, on_dependency_add: true }
`
const agent = { marker: 'CLAUDECODE' }

/** Whether the operation can wait for a reviewer, whatever its paths: with some of its options, or without any. */
async function mayWait(row: ManifestRow): Promise<boolean> {
  if (row.effect === 'read' && row.action !== 'by-input') return false
  const { default: operation } = await row.load()
  const { action, weakens } = operation as unknown as Operation<object, unknown>
  const says = (value: (key: string) => boolean) => new Proxy({}, { get: (_, key) => value(String(key)) })
  const inputs = [says(() => false), says(() => true), says(key => key !== 'dry_run' && key !== 'create_pr')]
  const needed =
    typeof action === 'function'
      ? inputs.map(input => action(input))
      : [action === undefined ? (row.effect === 'read' ? 'read_findings' : 'edit_config') : action]
  return (
    needed.some(one => one === 'edit_config' || one === 'manage_packs' || one === 'add_dependency') ||
    (typeof weakens === 'function' ? inputs.some(input => weakens(input)) : weakens === true)
  )
}

async function prepare(): Promise<Place> {
  const where = place(GOVERNED)
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(where.root, path)), { recursive: true })
    writeFileSync(join(where.root, path), text)
  }
  for (const id of ['20260101-aa01', '20260102-bb02']) await writeRun(join(where.root, 'out'), run(id, []), [], [])
  return where
}

it('every operation that may wait for a reviewer is here, and no other', async () => {
  const waiting: string[] = []
  for (const row of OPERATIONS) if (await mayWait(row)) waiting.push(row.id)
  expect(waiting.sort()).toEqual([...Object.keys(TABLE), ...Object.keys(ANY_INPUT)].sort())
})

it('a wrong input of an agent is its error, and asks no reviewer; a right one asks', async () => {
  const where = await prepare()
  const ids = async () =>
    ((await call(where, 'person', 'governance.approvals')).output.approvals as { id: string }[]).map(({ id }) => id)
  for (const [id, { wrong, code }] of Object.entries(TABLE)) {
    const error = await refused(where, agent, id, wrong)
    expect([error.code, await ids()], `${id}: ${error.message}`).toEqual([code, []])
  }
  let asked = 0
  for (const [id, { right }] of Object.entries(TABLE)) {
    if (right === undefined) continue
    const error = await refused(where, agent, id, right)
    expect(error.code, `${id}: ${error.message}`).toBe('APPROVAL_NEEDED')
    asked++
    expect((await ids()).length, id).toBe(asked)
  }
})
