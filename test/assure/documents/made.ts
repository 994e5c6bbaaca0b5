import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import scan from '../../../engine/ops/scan/run.ts'
import { context } from '../../made/call.ts'
import { project } from '../../made/project.ts'
import { OWN_RULES, wordRule } from '../../made/rules.ts'

/** A framework with a control for each state: harm is found, odd is not, the plan is for a person, no file is in Cobol, nothing checks H5. */
export const HOUSE = `id: house
version: 1.2.0
name: House
description: Rules of the house.
framework: { id: house-2026, name: House, edition: '2', date: '2026', controls_total: 9, source: 'https://example.org/house' }
controls:
  - { id: H1, title: No harm, meaning: Nobody harms., maps: [{ rules: [local-harm], why: The rule finds the word. }] }
  - { id: H2, title: No odd, meaning: Nobody is odd., maps: [{ rules: [local-odd], why: The rule finds the word. }] }
  - { id: '§3(a)', title: Plan, meaning: There is a plan., kind: organizational }
  - { id: H4, title: No Lua, meaning: Nothing in Lua., maps: [{ rules: [local-lua], why: The rule finds the word. }] }
  - { id: H5, title: Alone, meaning: Nothing checks it., maps: [{ cwe: [CWE-1004], why: No rule has it. }] }
obligations:
  - { id: house-h3, control: '§3(a)', title: The plan, evidence: The plan itself., files: [PLAN.md] }
`

/** `date -d @1772600000`: 2026-03-04. */
export const EPOCH = '1772600000'
export const ENV = { ...OWN_RULES, SOURCE_DATE_EPOCH: EPOCH }

const LUA = wordRule('lua')['.svc/rules/local-lua.yaml']!.replace('languages: [any]', 'languages: [lua]')

/** A repository of the house with these files, scanned. */
export async function scannedHouse(files: Record<string, string> = {}): Promise<string> {
  const root = project({
    ...wordRule('harm'),
    ...wordRule('odd'),
    '.svc/rules/local-lua.yaml': LUA,
    '.svc/packs/house/pack.yaml': HOUSE,
    '.svc/config.yaml': 'packs:\n  enable: [house]\n',
    'src/secret-plan.txt': 'There was harm in it.\n',
    'docs/plan.txt': 'We plan.\n',
    ...files,
  })
  await rescan(root)
  return root
}

/** Scans again. */
export async function rescan(root: string): Promise<void> {
  await scan.run({ repo_path: '.' } as never, context(root, { env: OWN_RULES }))
}

/** What the surface gives in a repository of the house. */
export function houseContext(root: string, more: Parameters<typeof context>[1] = {}) {
  return context(root, { env: ENV, ...more })
}

/** Writes the evidence file. */
export function writeEvidence(root: string, text: string): void {
  writeFileSync(join(root, '.svc/evidence.yaml'), text)
}
