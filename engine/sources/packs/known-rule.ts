import { EngineError } from '../../base/errors.ts'
import { findNearest } from '../../base/text/nearest.ts'
import { loadConfig } from '../config/load.ts'
import { loadPacks } from './load.ts'

/** RULE_NOT_FOUND, with the one that was probably meant, where no pack has a rule and no scanner that is configured can have it. */
export async function requireRule(root: string, rule: string): Promise<void> {
  const at = rule.indexOf(':')
  // Which rules another scanner has, only that scanner knows.
  if (at > 0 && Object.hasOwn((await loadConfig(root)).external_scanners, rule.slice(0, at))) return
  const ids = (await loadPacks(root)).flatMap(({ rules }) => rules.map(({ id }) => id))
  if (!ids.includes(rule)) throw refuseUnknownRule(rule, ids)
}

/** The error for a rule that is none of these. */
export function refuseUnknownRule(rule: string, ids: readonly string[]): EngineError {
  const meant = findNearest(rule, ids)
  return new EngineError('RULE_NOT_FOUND', `There is no rule ${rule}${meant ? `; did you mean ${meant}?` : '.'}`)
}
