import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { makeChangelog } from '../../../engine/sources/packs/changelog.ts'
import { loadBuiltinPacks } from '../../../engine/sources/packs/load.ts'
import { formatPack } from '../../../engine/sources/packs/pack-file.ts'

test('a changelog names the rule that findings have, and which form of it has changed', () => {
  const trace = { title: 'A rule', severity: 'high', detection: 'a', wording: 'a' } as const
  const snapshot = (
    rules: Record<string, typeof trace | (Omit<typeof trace, 'detection'> & { detection: string })>,
  ) => ({
    ...{ run_id: '', taken_at: '', schema: 1 as const },
    packs: { java: { version: '1.0.0', rules } },
  })
  const before = snapshot({ 'java-sql-injection': trace, 'java-other-rule': trace })
  const after = snapshot({ 'java-sql-injection': { ...trace, detection: 'b' } })
  expect(makeChangelog(before, after).rules).toMatchObject([
    { rule_id: 'java-other-rule', change: 'removed' },
    { rule_id: 'sql-injection', key: 'java-sql-injection', change: 'changed', detection: true },
  ])
})

test('an exported pack says which id the findings of a form have, and reads as the same pack', async () => {
  const pack = loadBuiltinPacks().find(({ id }) => id === 'java')!
  const few = { ...pack, rules: pack.rules.filter(({ id }) => /^java-(?:sql|xss)/.test(id)) }
  const text = await formatPack(few)
  expect(text).toMatch(/# Findings have the id sql-injection\.\n\s*- id: java-sql-injection\n/)
  expect((parse(text) as { rules: { id: string }[] }).rules.map(({ id }) => id)).toEqual(few.rules.map(({ id }) => id))
})
