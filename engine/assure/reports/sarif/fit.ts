import { countBySeverity, type Finding, SEVERITIES, type SeverityCounts } from '../../../base/records/finding.ts'
import { groupDigits } from '../../../base/text/words.ts'
import { compareWorst, type Piece, type ReportModel } from '../../model.ts'
import { Gauge, type Limits } from './limits.ts'

/** Kept findings are a multiple of this, so that compressors which differ a little still cut at the same place. */
const STEP = 1000

/** What a file that would be refused leaves out. */
export interface LeftOut {
  /** One sentence or more for a person: how much is left out, why, and where all of it is. */
  text: string
  findings: number
  /** Findings left out, of every status. */
  by_severity: SeverityCounts
}

/**
 * Pieces of a text that keeps the limit on the packed size; undefined where the text does not keep it. A small text is
 * kept while it is judged and made once; a large one is made again for the answer.
 */
export function fitPieces(make: () => Iterable<Piece>, limits: Limits): Iterable<Piece> | undefined {
  const held: Piece[] = []
  let bytes = 0
  let gauge: Gauge | undefined
  for (const piece of make()) {
    if (gauge) gauge.add(piece)
    else {
      held.push(piece)
      bytes += Buffer.byteLength(piece)
      // What fits as it is fits packed, too.
      if (bytes > limits.packed_bytes) {
        gauge = new Gauge()
        for (const early of held.splice(0)) gauge.add(early)
      }
    }
    if (gauge && gauge.bytes > limits.packed_bytes) return undefined
  }
  if (!gauge) return held
  return gauge.finish() > limits.packed_bytes ? undefined : make()
}

/**
 * How many results, in the order given, fit beside the runs' heads. `head` gives a run's text without its results, by the
 * run's number from 0.
 */
export function countFittingResults(
  results: Iterable<string>,
  head: (part: number) => Iterable<Piece>,
  limits: Limits,
): number {
  const gauge = new Gauge()
  let heads = 0
  let count = 0
  let fitting = 0
  for (const result of results) {
    if (count % limits.results === 0) {
      const part = count / limits.results
      if (part === limits.runs) break
      const own = new Gauge()
      for (const piece of head(part)) own.add(piece)
      heads += own.finish()
      if (heads + gauge.finish() > limits.packed_bytes) return rounded(fitting)
      fitting = count
    }
    count++
    if (!gauge.add(result)) continue
    if (heads + gauge.bytes > limits.packed_bytes) return rounded(fitting)
    fitting = count
  }
  return heads + gauge.finish() > limits.packed_bytes ? rounded(fitting) : count
}

function rounded(count: number): number {
  return count < STEP ? count : count - (count % STEP)
}

/** The model with its findings worst first and no rule that nothing names: what a file that must leave out something begins with. */
export function sortWorstFirst(model: ReportModel, limits: Limits): ReportModel {
  const named = new Set([...model.findings, ...model.run.not_evaluated].map(({ rule_id }) => rule_id))
  const rules = [...model.rules].filter(([id]) => named.has(id)).slice(0, limits.rules)
  const kept = new Map(rules)
  const findings = [...model.findings].sort(compareWorst).filter(({ rule_id }) => kept.has(rule_id))
  return { ...model, findings, rules: kept, texts: undefined }
}

/** What is not among the `kept` findings, in words. */
export function findLeftOut({ run, findings }: ReportModel, kept: readonly Finding[], limits: Limits): LeftOut {
  const all = countBySeverity(findings)
  const present = countBySeverity(kept)
  const by_severity = Object.fromEntries(SEVERITIES.map(s => [s, all[s] - present[s]])) as SeverityCounts
  const counts = SEVERITIES.filter(severity => by_severity[severity] > 0)
    .map(severity => `${groupDigits(by_severity[severity])} ${severity}`)
    .join(', ')
  const takes = `GitHub code scanning accepts ${limits.runs} runs of ${groupDigits(limits.results)} results, 10 MB compressed, so this SARIF file`
  const has =
    counts === ''
      ? 'has every finding, but lists no more than a part of the skipped files and unused rules'
      : `has the ${groupDigits(kept.length)} most severe of ${groupDigits(findings.length)} findings and omits ${groupDigits(findings.length - kept.length)} (${counts})`
  const text = `${takes} ${has}. All of it: \`svc report --format json --run-id ${run.id}\`.`
  return { text, findings: findings.length - kept.length, by_severity }
}
