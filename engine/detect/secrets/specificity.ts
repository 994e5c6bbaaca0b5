import type { CompiledRule } from '../rules/active-rules.ts'
import type { RawMatch } from '../rules/match.ts'

/** What detectors call the provider of a credential that many programs give out, so that its form names none. */
const UNNAMED_PROVIDERS: ReadonlySet<string> = new Set(['HTTP', 'JWT', 'Model providers'])

/**
 * How much a match says about whose credential it is, so that the most specific detector names a finding: a format with a prefix of its
 * own, a format that needs the provider's name beside it, a form that many providers use, a rule of another type, a value that the model judged, decoded or as it is written.
 */
export function rankSpecificity(rule: CompiledRule, { hidden }: Pick<RawMatch, 'hidden'>): number {
  if (rule.type !== 'secret') return 2
  const { format, generic, near, provider } = rule.detector
  if (format === undefined) return (hidden ? 1 : 0) + (generic === 'password_hash' || generic === 'example' ? 0.5 : 0)
  if (UNNAMED_PROVIDERS.has(provider)) return 3
  return near || format.includes('(?&') ? 4 : 5
}
