import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, type Place, place, refused, type Who } from './governed.ts'

const AGENT: Who = { marker: 'CLAUDECODE' }
const governed = (trust: string, more = '') =>
  place(`agent_defaults: { default_trust_level: '${trust}', queue_action: block }\n${more}`, {
    'LICENSE.txt': 'MIT\n',
  })
const exportTo = (output: string): [string, object] => ['audit.export', { output }]
const codeOf = async (where: Place, [id, input]: [string, object], who: Who = AGENT) =>
  (await refused(where, who, id, input)).code

describe('an agent of trust read', () => {
  it('keeps its hands off git hooks, settings and sources, whichever command would write there', async () => {
    const where = governed('read')
    const hook = join(where.root, '.git/hooks/pre-commit')
    mkdirSync(join(where.root, '.git/hooks'), { recursive: true })
    writeFileSync(hook, '#!/bin/sh\n')
    chmodSync(hook, 0o755)
    for (const output of ['.git/hooks/pre-commit', '.svc/suppressions.yaml', 'src/a.js', 'docs/new.md'])
      for (const id of ['audit.export', 'assure.report', 'assure.export-audit', 'assure.attest-key-public'])
        expect(await codeOf(where, [id, { output }]), `${id} ${output}`).toBe('FORBIDDEN')
    expect([readFileSync(hook, 'utf8'), lstatSync(hook).mode & 0o777]).toEqual(['#!/bin/sh\n', 0o755])
    expect(readFileSync(join(where.root, 'src/a.js'), 'utf8')).toBe('let a = 1\n')
    expect(existsSync(join(where.root, '.svc/suppressions.yaml'))).toBe(false)
  })

  it('writes into the output directory and to standard output, but not through a link there', async () => {
    const where = governed('read')
    mkdirSync(join(where.root, 'out'))
    await call(where, AGENT, ...exportTo('out/audit.jsonl'))
    expect(existsSync(join(where.root, 'out/audit.jsonl'))).toBe(true)
    await call(where, AGENT, 'packs.export', { id: 'secrets', output: '-' })
    symlinkSync('../src/a.js', join(where.root, 'out/link'))
    symlinkSync('../src', join(where.root, 'out/folder'))
    expect(await codeOf(where, exportTo('out/link'))).toBe('FORBIDDEN')
    expect(await codeOf(where, exportTo('out/folder/a.js'))).toBe('FORBIDDEN')
  })

  it('gains nothing by naming a directory of the project as output directory', async () => {
    const where = governed('read')
    for (const folder of ['src', 'new']) {
      const other = { ...where, env: { ...where.env, SVC_OUTPUT_DIR: folder } }
      expect(await codeOf(other, exportTo(`${folder}/a.js`)), folder).toBe('FORBIDDEN')
    }
  })

  it.each([
    ['supply.vulns', 'vex_output', { vex_author: 'Kim' }],
    ['supply.licenses', 'notices', {}],
    ['assure.trust-center', 'badges', {}],
    ['governance.harness-report', 'attest', {}],
    ['review.threats', 'record', {}],
  ])('is judged by every input that names a file: %s %s', async (id, field, more) => {
    const where = governed('scan')
    const { code, message } = await refused(where, AGENT, id, { [field]: '.git/hooks/pre-push', ...more })
    expect([code, message]).toEqual([
      'FORBIDDEN',
      expect.stringContaining('auto_fix_high needs the trust level fix:any'),
    ])
  })
})

describe('an agent that may write', () => {
  it('writes a file of the project, which is recorded, but no protected one, none in a zone and none outside', async () => {
    const where = governed('fix:any', 'blast_radius: { enabled: true }\n')
    await call(where, AGENT, ...exportTo('doc/audit.jsonl'))
    const log = JSON.stringify((await call(where, 'person', 'audit.list', {})).output)
    expect(log).toContain('doc/audit.jsonl')
    for (const output of ['.svc/suppressions.yaml', '.github/workflows/ci.yml', 'config/vault/x.pem'])
      expect(await codeOf(where, exportTo(output)), output).toBe('FORBIDDEN')
    const error = await refused(where, AGENT, ...exportTo(join(where.root, '../elsewhere.jsonl')))
    expect([error.code, error.hint]).toEqual([
      'FORBIDDEN',
      'Name a file in the output directory (out/) or elsewhere in the repository, or have a user do it.',
    ])
  })

  it('stays within its task', async () => {
    const where = governed('fix:any', 'task_binding: { enabled: true, enforcement: block }\n')
    await call(where, AGENT, 'governance.task-bind', { intent: 'docs', path: ['doc/**'] })
    await call(where, AGENT, ...exportTo('doc/audit.jsonl'))
    expect(await codeOf(where, exportTo('src/audit.jsonl'))).toBe('FORBIDDEN')
  })

  it('replaces no file that has other names', async () => {
    const where = governed('fix:any')
    linkSync(join(where.root, 'doc/b.md'), join(where.root, 'doc/c.md'))
    expect(await codeOf(where, exportTo('doc/c.md'))).toBe('FORBIDDEN')
  })
})

it('a person at a terminal writes where they like', async () => {
  const where = governed('read', 'blast_radius: { enabled: true }\n')
  for (const output of ['src/a.jsonl', '.svc/log.jsonl', '../elsewhere.jsonl'])
    await call(where, 'person', ...exportTo(output))
  expect(existsSync(join(where.root, '../elsewhere.jsonl'))).toBe(true)
})

it('a script that is no agent writes its results where it likes, but for what is protected and for zones', async () => {
  const where = governed('read', 'blast_radius: { enabled: true }\n')
  for (const output of ['results.jsonl', '../elsewhere.jsonl']) await call(where, 'nobody', ...exportTo(output))
  for (const output of ['.git/hooks/pre-commit', 'config/vault/x.pem'])
    expect(await codeOf(where, exportTo(output), 'nobody'), output).toBe('FORBIDDEN')
})

it('where nothing is governed, an agent writes reports anywhere but over what is protected', async () => {
  const where = place()
  const pack = (output: string): [string, object] => ['packs.export', { id: 'secrets', output }]
  expect(await codeOf(where, pack('.git/hooks/pre-commit'))).toBe('FORBIDDEN')
  expect(await codeOf(where, pack('.svc/suppressions.yaml'))).toBe('FORBIDDEN')
  await call(where, AGENT, ...pack('doc/pack.yaml'))
  await call(where, 'person', ...pack('.svc/pack.yaml'))
  expect(existsSync(join(where.root, 'doc/pack.yaml'))).toBe(true)
})
