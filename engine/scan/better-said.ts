import type { Severity } from '../base/records/finding.ts'
import { rankSeverity, SEVERITIES } from '../base/records/finding.ts'
import type { TaintRule } from '../base/records/rule.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import type { Match } from '../detect/rules/match.ts'
import { findTraits } from '../detect/rules/traits.ts'
import { findRun } from '../detect/taint/runs.ts'

type Place = Pick<Match, 'rule' | 'line' | 'column' | 'end_line' | 'end_column'>

/** Stretches of a file, by where they begin, each with the furthest end of those up to it. */
interface Stretches {
  begins: number[][]
  furthest: number[][]
}

/**
 * Tells which matches of a file say nothing that another does not say better: those of a rule that looks at the syntax alone, where a rule that
 * follows values found the same weakness (CWE) in the same code and takes it for at least as severe. A milder rule takes nothing away,
 * whoever wrote it. Takes time linear to the matches, but for sorting.
 */
export function makeBetterSaid(rules: readonly CompiledRule[], matches: readonly Place[]): (match: Place) => boolean {
  const evidence = ({ rule }: Place) => {
    const { type } = rules[rule]!
    // A value of unknown origin shows no weakness that input shows.
    return type === 'taint' && findRun(rules[rule] as TaintRule) === 'unknown'
      ? 'pattern'
      : findTraits(rules[rule]!)?.evidence
  }
  const traced = matches.filter(match => evidence(match) === 'flow')
  if (traced.length === 0) return () => false
  const kinds = new Map<string, Place[]>()
  for (const match of traced) {
    const { cwe, severity } = rules[match.rule]!
    for (const name of cwe) {
      const key = keyOf(name, severity)
      const own = kinds.get(key)
      if (own) own.push(match)
      else kinds.set(key, [match])
    }
  }
  const stretches = new Map([...kinds].map(([key, places]) => [key, stretchesOf(places)]))
  return match => {
    const { cwe, severity } = rules[match.rule]!
    if (evidence(match) !== 'pattern') return false
    const severities = SEVERITIES.slice(0, rankSeverity(severity) + 1)
    return cwe.some(name => severities.some(each => overlaps(stretches.get(keyOf(name, each)), match)))
  }
}

function keyOf(cwe: string, severity: Severity): string {
  return `${cwe} ${severity}`
}

function stretchesOf(places: readonly Place[]): Stretches {
  const sorted = places.toSorted((a, b) => a.line - b.line || a.column - b.column)
  const furthest: number[][] = []
  for (const { end_line, end_column } of sorted) {
    const last = furthest.at(-1)
    const end = [end_line, end_column]
    furthest.push(last && !isBefore(last, end) ? last : end)
  }
  return { begins: sorted.map(({ line, column }) => [line, column]), furthest }
}

/** Whether one of the stretches shares a character with the match: of those that begin before its end, one ends behind its beginning. */
function overlaps(stretches: Stretches | undefined, { line, column, end_line, end_column }: Place): boolean {
  if (!stretches) return false
  const end = [end_line, end_column]
  let [low, high] = [0, stretches.begins.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(stretches.begins[middle]!, end)) low = middle + 1
    else high = middle
  }
  return low > 0 && isBefore([line, column], stretches.furthest[low - 1]!)
}

function isBefore([line, column]: number[], [otherLine, otherColumn]: number[]): boolean {
  return line! < otherLine! || (line === otherLine && column! < otherColumn!)
}
