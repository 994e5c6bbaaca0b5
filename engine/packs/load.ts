import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DIST } from '../assets.ts'
import type { CompiledRule } from '../rules/rule-set.ts'
import type { Pack } from './pack.ts'

let builtin: Pack[] | undefined

/**
 * The packs that come with svc, sorted by id; their examples were checked when svc was built. What a pack consists of is
 * parsed when it is first asked for: a commit in one language needs a tenth of all packs.
 */
export function loadBuiltinPacks(): readonly Pack[] {
  if (builtin) return builtin
  const lines = readFileSync(new URL('packs.json', DIST), 'utf8').split('\n')
  builtin = []
  for (let at = 0; at + 1 < lines.length; at += 2) builtin.push(lazyPack(lines[at]!, lines[at + 1]!))
  return builtin
}

/** Fields of a pack that are large; the others tell whether they are needed. */
const LARGE = ['rules', 'controls', 'obligations', 'deadlines', 'lint_exceptions'] as const
type Large = (typeof LARGE)[number]

/** A pack as it stands in packs.json: a line of what is small, a line of what is large. */
export function packLines(pack: Pack): string {
  const small = Object.fromEntries(Object.entries(pack).filter(([key]) => !LARGE.includes(key as Large)))
  const large = Object.fromEntries(LARGE.map(key => [key, pack[key]]))
  return `${JSON.stringify(small)}\n${JSON.stringify(large)}`
}

function lazyPack(small: string, large: string): Pack {
  const pack = JSON.parse(small) as Pack
  let parsed: Pick<Pack, Large> | undefined
  for (const key of LARGE) {
    const get = () => {
      parsed ??= JSON.parse(large) as Pick<Pack, Large>
      return parsed[key]
    }
    Object.defineProperty(pack, key, { enumerable: true, get })
  }
  return pack
}

/** Examples of rules, by rule id. */
export type Examples = Record<string, Pick<CompiledRule, 'match' | 'clean'>>

let examples: Examples | undefined

/** A rule's examples: those of a rule that comes with svc are kept apart, so that scans need not load them. */
export function examplesOf(rule: CompiledRule): Pick<CompiledRule, 'match' | 'clean'> {
  if (rule.match.length > 0) return rule
  examples ??= JSON.parse(readFileSync(new URL('examples.json', DIST), 'utf8')) as Examples
  return examples[rule.id] ?? rule
}

/** Every rule that comes with svc, sorted by pack and id. */
export function loadBuiltinRules(): readonly CompiledRule[] {
  return loadBuiltinPacks().flatMap(pack => pack.rules)
}

/**
 * The built-in packs and the repository's own: `.svc/packs/<pack>/` and, as pack `local`, the rules in `.svc/rules/`.
 * The repository's own are checked each time, examples included; PACK_INVALID says what is wrong with them.
 */
export async function loadPacks(root: string): Promise<readonly Pack[]> {
  const packs = [...loadBuiltinPacks()]
  const own = join(root, '.svc/packs')
  const rules = join(root, '.svc/rules')
  if (!existsSync(own) && !existsSync(rules)) return packs
  const { readPacks, readRules } = await import('./folder.ts')
  if (existsSync(own)) packs.push(...(await readPacks(own, root)))
  if (existsSync(rules)) packs.push(localPack(await readRules(rules, 'local', root)))
  return packs
}

function localPack(rules: CompiledRule[]): Pack {
  return {
    id: 'local',
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
