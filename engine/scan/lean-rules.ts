import type { CompiledRule } from '../detect/rules/active-rules.ts'

/** What a rule says to people, and what was made to compare it with: nothing of it is asked where files are searched. */
const TEXTS: ReadonlySet<string> = new Set(['message', 'remediation', 'corrected_code', 'references', 'digests'])

/**
 * Rules as a thread or process that searches files needs them. Of those that come with svc texts are read when somebody asks, so that they are
 * passed over without a look; their literals are in the automaton that every thread reads.
 */
export function makeLeanRules(rules: readonly CompiledRule[]): CompiledRule[] {
  return rules.map(rule => {
    const isBuiltin = rule.number !== undefined
    const lean: Record<string, unknown> = {}
    for (const key of Object.keys(rule)) {
      if (TEXTS.has(key)) continue
      lean[key] = isBuiltin && key === 'requirement' ? [] : rule[key as keyof CompiledRule]
    }
    return lean as unknown as CompiledRule
  })
}
