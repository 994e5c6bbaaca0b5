import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DIST, readAsset } from '../../base/disk/assets.ts'
import { locateSettings } from '../../base/disk/settings-file.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import { keepOwnLibraries } from './libraries/known.ts'
import type { Pack } from './pack.ts'
import { unpackTexts } from './packed.ts'
import { findTakenIds, LOCAL, makeRuleAsker } from './taken-ids.ts'

let builtin: Pack[] | undefined

/** The packs that come with svc, sorted by id; their examples were checked when svc was built. */
export function loadBuiltinPacks(): readonly Pack[] {
  builtin ??= unpackTexts(readText('packs.json'), () => readText('texts.json'))
  return builtin
}

function readText(name: string): string {
  return readAsset(name).toString('latin1')
}

/** What a rule's file says that no scan needs: its examples, and its expressions where others run in their place. */
export type Aside = Pick<CompiledRule, 'match' | 'clean' | 'written'>

/** Two megabytes of text in a third of a megabyte. */
export const EXAMPLES_FILE = 'examples.json.br'

/** What is kept apart of rules, by rule id. */
export type Examples = Record<string, Aside>

let examples: Examples | undefined

/** A rule's examples and what was written: those of a rule that comes with svc are kept apart, so that scans need not load them. */
export function loadExamples(rule: CompiledRule): Aside {
  if (rule.match.length > 0) return rule
  examples ??= readExamples()
  return examples[rule.id] ?? rule
}

function readExamples(): Examples {
  // Scans load this module, and no scan needs zlib for it.
  const { brotliDecompressSync } = process.getBuiltinModule('node:zlib')
  return JSON.parse(brotliDecompressSync(readFileSync(new URL(EXAMPLES_FILE, DIST))).toString('utf8')) as Examples
}

/** Every rule that comes with svc, sorted by pack and id. */
export function loadBuiltinRules(): readonly CompiledRule[] {
  return loadBuiltinPacks().flatMap(pack => pack.rules)
}

/**
 * The built-in packs and the repository's own: `.svc/packs/<pack>/` and, as pack `local`, the rules in `.svc/rules/`.
 * Libraries of the repository's own, in `.svc/libraries/` and `.svc/packs/<pack>/libraries/`, add to what the rules of all packs know.
 * The repository's own are checked each time, examples included; PACK_INVALID says what is wrong with them.
 */
export async function loadPacks(root: string): Promise<readonly Pack[]> {
  const packs = [...loadBuiltinPacks()]
  const [own, rules, libraries] = ['.svc/packs', '.svc/rules', '.svc/libraries'].map(path =>
    locateSettings(root, path, 'PACK_INVALID'),
  )
  if (own === undefined && rules === undefined && libraries === undefined) return packs
  const { loadOwnLibraries, teachPack } = await import('./libraries/own.ts')
  const taught = await loadOwnLibraries(root, packs)
  const { readPacks, readRules } = await import('./folder.ts')
  const { ProofBudget, RULE_LIMITS } = await import('./libraries/proof-budget.ts')
  const budget = new ProofBudget(RULE_LIMITS)
  const mine: Pack[] = own === undefined ? [] : await readPacks(join(root, '.svc/packs'), root, taught, budget)
  if (rules !== undefined)
    mine.push(localPack(await readRules(join(root, '.svc/rules'), LOCAL, root, taught, [], budget)))
  await requireFreeIds(mine)
  packs.push(...mine)
  if (taught.length === 0) return packs
  const all = packs.map(pack => (loadBuiltinPacks().includes(pack) ? teachPack(pack, taught) : pack))
  keepOwnLibraries(all, taught)
  return all
}

/** PACK_INVALID where packs of the repository's own have the id of another pack or rule. */
async function requireFreeIds(own: readonly Pack[]): Promise<void> {
  const isRule = makeRuleAsker(loadBuiltinPacks(), () => readText('packs.json'))
  const faults = findTakenIds(own, { packs: new Set(loadBuiltinPacks().map(({ id }) => id)), isRule })
  if (faults.length === 0) return
  const { refusePack } = await import('./parse.ts')
  throw refusePack(faults[0]!.place!.file, faults)
}

function localPack(rules: CompiledRule[]): Pack {
  return {
    id: LOCAL,
    version: '0.0.0',
    name: "This repository's own rules",
    description: 'The rules in .svc/rules.',
    tier: 'open',
    languages: ['any'],
    rules,
    obligations: [],
    controls: [],
    deadlines: [],
    lint_exceptions: [],
  }
}
