import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import vulns from '../../../engine/ops/supply/vulns.ts'
import { context, view } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { osvRecord } from '../../supply/osv-server.ts'

const LOCK = JSON.stringify({
  lockfileVersion: 3,
  packages: { '': { name: 'app', dependencies: { a: '1' } }, 'node_modules/a': { version: '1.0.0' } },
})
const defaults = { repo_path: '.', fix: false, fix_preview: false, create_pr: false, refresh: false, update_db: false }

/** The exit code and text of `svc vulns` for an npm project that has a@1.0.0. */
async function judge(database: string) {
  const root = project({ 'package-lock.json': LOCK })
  const where = context(root, { env: { XDG_CACHE_HOME: folder({}), HOME: root } })
  const output = await vulns.run({ ...defaults, database } as never, where as never)
  return { exit: vulns.exit!(output as never), text: vulns.text(output as never, view), output }
}

const OTHER = osvRecord('GHSA-other', 'npm', 'other', '1.2.0')

it('says nothing of an ecosystem that an advisory of another one only mentions', async () => {
  const python = osvRecord('PYSEC-1', 'PyPI', 'django', '2.0')
  const both = { ...python, affected: [...python.affected, ...OTHER.affected] }
  const { exit, text } = await judge(folder({ 'advisory.json': JSON.stringify(both) }))
  expect(exit).toBe(69)
  expect(text).not.toContain('No known vulnerabilities in')
})

it('is not clean where a part of the database cannot be read', async () => {
  const { exit, text } = await judge(folder({ 'npm.jsonl': `${JSON.stringify(OTHER)}\n{"id": "GHSA-cut"` }))
  expect(exit).toBe(69)
  expect(text).toContain('a part of the advisory data cannot be read')
})

it('takes the newest of two records of one advisory, in whatever order their files come', async () => {
  const affected = { ...osvRecord('GHSA-a', 'npm', 'a', '1.2.0'), modified: '2025-01-01T00:00:00Z' }
  const fixedBefore = { ...osvRecord('GHSA-a', 'npm', 'a', '0.5.0'), modified: '2020-01-01T00:00:00Z' }
  const files = { 'a.json': JSON.stringify(affected), 'b.json': JSON.stringify(fixedBefore) }
  expect((await judge(folder(files))).exit).toBe(1)
  const turned = folder({ 'a.json': files['b.json'] })
  writeFileSync(join(turned, 'b.json'), files['a.json'])
  expect((await judge(turned)).exit).toBe(1)
})
