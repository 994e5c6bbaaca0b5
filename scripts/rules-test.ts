// Reads a folder of packs (default packs/), or one pack of it, and says which examples do not hold.
// Usage: npm run rules:test [pack]
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EngineError } from '../engine/base/errors.ts'
import { formatRuleId } from '../engine/base/records/rule-ids.ts'
import { formatFault, readPacks } from '../engine/sources/packs/folder.ts'

const all = resolve(dirname(fileURLToPath(import.meta.url)), '../packs')
const only = process.argv[2]
const folder = only ? mkdtempSync(join(tmpdir(), 'packs-')) : all
if (only) for (const name of [only, 'libraries', 'weaknesses']) symlinkSync(join(all, name), join(folder, name))
try {
  const packs = await readPacks(folder)
  for (const { id, rules, controls } of packs)
    console.log(`${id}: ${rules.length} rules, ${controls.length} controls, every example holds`)
  for (const rule of packs.flatMap(pack => pack.rules)) {
    if (rule.type !== 'file_policy' && rule.type !== 'required_pattern' && rule.requirement.length === 0) {
      console.log(`  ${formatRuleId(rule.id)} has no required literal, so it looks into every file of its languages`)
    }
  }
} catch (error) {
  if (!(error instanceof EngineError)) throw error
  for (const fault of error.faults) console.log(formatFault(fault).replaceAll(`${folder}/`, 'packs/'))
  if (error.faults.length === 0) console.log(error.message)
  process.exitCode = 1
} finally {
  if (only) rmSync(folder, { recursive: true })
}
