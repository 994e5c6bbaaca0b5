import type { CompiledRule } from '../detect/rules/active-rules.ts'
import { findTraits } from '../detect/rules/traits.ts'
import { loadBuiltinPacks } from '../sources/packs/load.ts'
import { extendRule } from '../sources/packs/packed.ts'

/** Languages whose packs have taint rules for another language too. */
const SHARED: Readonly<Record<string, string>> = { kotlin: 'java' }

/**
 * The rules and, behind them, the built-in taint rules for these languages that are off (`CompiledRule.muted`), so that what a
 * rule finds does not depend on which others are on. Nothing is added where no rule depends on taint analysis.
 */
export function addMuted(rules: readonly CompiledRule[], languages: ReadonlySet<string>): readonly CompiledRule[] {
  if (!rules.some(runsMuted)) return rules
  const on = new Set(rules.map(({ id }) => id))
  const wanted = new Set([...languages].flatMap(name => [name, SHARED[name] ?? name]))
  const off = loadBuiltinPacks()
    .filter(pack => pack.languages.some(name => wanted.has(name)))
    .flatMap(pack => pack.rules)
    .filter(rule => runsMuted(rule) && !on.has(rule.id) && rule.languages.some(name => languages.has(name)))
  return off.length === 0 ? rules : [...rules, ...off.map(rule => extendRule(rule, { muted: true as const }))]
}

function runsMuted(rule: CompiledRule): boolean {
  return findTraits(rule)?.runsMuted === true
}
