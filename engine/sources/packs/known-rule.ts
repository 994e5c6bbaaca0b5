import { EngineError } from '../../base/errors.ts'
import { listNames } from '../../base/records/rule-ids.ts'
import { findNearest } from '../../base/text/nearest.ts'
import { loadConfig } from '../config/load.ts'
import { loadPacks } from './load.ts'

/** RULE_NOT_FOUND, with the one that was probably meant, where no pack has a rule and no scanner that is configured can have it. */
export async function requireRule(root: string, rule: string): Promise<void> {
  await requireRules(root, [rule])
}

/** As `requireRule`, for several. */
export async function requireRules(root: string, rules: readonly string[]): Promise<void> {
  // Which rules another scanner has, only that scanner knows.
  const scanners = rules.some(rule => rule.includes(':')) ? (await loadConfig(root)).external_scanners : {}
  const own = rules.filter(rule => rule.indexOf(':') <= 0 || !Object.hasOwn(scanners, rule.slice(0, rule.indexOf(':'))))
  if (own.length === 0) return
  const ids = (await loadPacks(root)).flatMap(pack => pack.rules.flatMap(({ id }) => listNames(id)))
  const known = new Set(ids)
  for (const rule of own) if (!known.has(rule)) throw refuseUnknownRule(rule, ids)
}

/** The error for a rule that is none of these. */
export function refuseUnknownRule(rule: string, ids: readonly string[]): EngineError {
  const meant = findNearest(rule, ids)
  return new EngineError('RULE_NOT_FOUND', `There is no rule ${rule}${meant ? `; did you mean ${meant}?` : '.'}`)
}
