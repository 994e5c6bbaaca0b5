import { SEVERITIES, type Severity } from '../../base/records/finding.ts'
import type { Advisory, Affected, SeverityVector } from './advisory.ts'

/** How severe a vulnerability is: by its worst complete CVSS vector, else by the database's own word, else not known. */
export interface Rating {
  /** `unknown` where neither a complete vector nor a word is there; never the least severity. */
  severity: Severity | 'unknown'
  /** CVSS base score, 0 to 10; absent where no vector is complete. */
  score?: number
  vector?: string
}

/** The version of CVSS by what a vector begins with; v2 vectors have no prefix. */
const CLASSES = [
  ['CVSS:4.0/', 'Cvss4P0'],
  ['CVSS:3.1/', 'Cvss3P1'],
  ['CVSS:3.0/', 'Cvss3P0'],
  ['', 'Cvss2'],
] as const

type Calculator = Awaited<ReturnType<typeof loadCalculator>>

/** Loads the calculator; 15 ms. */
export async function loadCalculator() {
  const loaded = await import('ae-cvss-calculator')
  return ('CvssCalculator' in loaded ? loaded.CvssCalculator : loaded) as typeof import('ae-cvss-calculator')
}

/** The base score of a CVSS vector of version 2.0 to 4.0; undefined where a base metric is missing or has no such value. */
export function scoreVector(vector: string, calculator: Calculator): number | undefined {
  const text = vector.trim().replace(/^\(|\)$/g, '')
  const [prefix, name] = CLASSES.find(([start]) => text.startsWith(start))!
  if (prefix === '' && text.startsWith('CVSS:')) return undefined
  if (!/^([A-Za-z]+:[A-Za-z]+)(\/[A-Za-z]+:[A-Za-z]+)*$/.test(text.slice(prefix.length))) return undefined
  try {
    const parsed = new calculator[name](text)
    if (!parsed.isBaseFullyDefined()) return undefined
    const { base } = parsed.calculateScores() as { base?: number }
    return base !== undefined && Number.isFinite(base) ? base : undefined
  } catch {
    return undefined
  }
}

/** The severity of a score by the CVSS qualitative scale: from 9.0, 7.0, 4.0 and 0.1. */
export function rateScore(score: number): Severity {
  if (score >= 9) return 'critical'
  if (score >= 7) return 'high'
  if (score >= 4) return 'medium'
  return score > 0 ? 'low' : 'info'
}

/** Rates one vulnerability by all advisories about it: the worst score, else the worst word. A malicious package is critical. */
export function rateAdvisories(
  advisories: readonly Advisory[],
  entries: readonly Affected[],
  calculator: Calculator,
): Rating {
  if (advisories.some(({ id }) => id.startsWith('MAL-'))) return { severity: 'critical' }
  const vectors: SeverityVector[] = [
    ...entries.flatMap(entry => entry.severity ?? []),
    ...advisories.flatMap(one => one.severity),
  ]
  let worst: { score: number; vector: string } | undefined
  for (const { score: vector } of vectors) {
    const score = scoreVector(vector, calculator)
    if (score !== undefined && (worst === undefined || score > worst.score)) worst = { score, vector }
  }
  if (worst) return { severity: rateScore(worst.score), ...worst }
  const words = advisories.flatMap(({ rating }) => rating ?? [])
  if (words.length > 0) return { severity: SEVERITIES.find(severity => words.includes(severity))! }
  // RustSec's notes about a crate that nobody keeps are no vulnerability; unsound code may be one.
  if (advisories.every(({ informational }) => informational !== undefined && informational !== 'unsound'))
    return { severity: 'info' }
  return { severity: 'unknown' }
}
