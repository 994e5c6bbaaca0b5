import { expect, it } from 'vitest'
import { auditServers } from '../../engine/assistants/audit/audit.ts'
import { context } from '../made/call.ts'
import { folder } from '../made/folder.ts'
import { type AuditCase, BAD, GOOD } from './audit-cases.ts'

async function audit({ files, tools }: AuditCase) {
  const root = folder(files)
  const { findings, not_evaluated } = await auditServers({ root, ...(tools && { saved: tools }) }, context(root))
  expect(not_evaluated).toEqual([])
  return [...new Set(findings.map(({ rule_id }) => rule_id))]
}

it('finds at least 95 % of what 60 labelled configurations hold, and at least 95 % of what it reports is there', async () => {
  let [hits, misses, wrong] = [0, 0, 0]
  const notes: string[] = []
  for (const one of [...BAD, ...GOOD]) {
    const found = await audit(one)
    const missed = one.expect.filter(id => !found.includes(id))
    const extra = found.filter(id => !one.expect.includes(id))
    hits += one.expect.length - missed.length
    misses += missed.length
    wrong += extra.length
    if (missed.length + extra.length > 0) notes.push(`${one.name}: missed ${missed.join()}, wrong ${extra.join()}`)
  }
  expect([BAD.length, GOOD.length]).toEqual([30, 30])
  expect(hits / (hits + misses), notes.join('\n')).toBeGreaterThanOrEqual(0.95)
  expect(hits / (hits + wrong), notes.join('\n')).toBeGreaterThanOrEqual(0.95)
  if (process.env.SVC_FIGURES) console.log({ hits, misses, wrong, notes })
})
