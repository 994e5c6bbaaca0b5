import { type Finding, rankSeverity, SEVERITIES, type Severity } from '../base/records/finding.ts'
import { rateFile, ratePattern } from './risk.ts'

/** What a finding's severity is weighed from, each from 0 to 1 and worse when greater (docs/severity.md). */
export interface Inputs {
  severity: Severity
  confidence: number
  /** Where in the code it stands: production code, a test, a comment, a string. */
  context: number
  /** How dangerous this class of weakness is. */
  pattern: number
  /** How much depends on the file. */
  file: number
  /** How crowded the file is with other findings. */
  density: number
}

/** Parts of the whole, in hundredths (decisions "Findings"). */
const WEIGHT = { severity: 30, confidence: 20, context: 15, pattern: 15, file: 10, density: 10 } as const

const SEVERITY_VALUE: Record<Severity, number> = { critical: 1, high: 0.75, medium: 0.5, low: 0.25, info: 0 }

/** Least score of each severity. */
const LEAST: readonly (readonly [Severity, number])[] = [
  ['critical', 0.85],
  ['high', 0.65],
  ['medium', 0.4],
  ['low', 0.2],
  ['info', 0],
]

/** From here on a finding is as good as certain. */
const CERTAIN = 0.9
const DANGEROUS_PATTERN = 0.5
const SENSITIVE_FILE = 0.9
const CROWDED = 0.5
/** A test, a comment or a string; a file that nothing runs in production. */
const ASIDE_CONTEXT = 0.5
const ASIDE_FILE = 0.3

/** Other findings in 100 lines at which a file counts as fully crowded. */
const FULL = 5
/** A shorter file is taken for one of this many lines: two findings in three lines are no crowd. */
const FEWEST_LINES = 100

/** The weighted sum, from 0 to 1 in steps of a millionth, so that a score on a limit is on it on every machine. */
export function computeScore(inputs: Inputs): number {
  const sum =
    WEIGHT.severity * SEVERITY_VALUE[inputs.severity] +
    WEIGHT.confidence * inputs.confidence +
    WEIGHT.context * inputs.context +
    WEIGHT.pattern * inputs.pattern +
    WEIGHT.file * inputs.file +
    WEIGHT.density * inputs.density
  return Math.round(sum * 10_000) / 1_000_000
}

/**
 * The severity that the score stands for, within two bounds: it moves by one step at most; up only where the finding is
 * certain, its class dangerous and its file sensitive or crowded, and down only where it is in doubt or stands aside from
 * production code. Worse inputs never give a milder severity.
 */
export function weighSeverity(inputs: Inputs): Severity {
  const base = rankSeverity(inputs.severity)
  const wanted = rankSeverity(LEAST.find(([, least]) => computeScore(inputs) >= least)![0])
  const mayRise =
    inputs.confidence >= CERTAIN &&
    inputs.pattern >= DANGEROUS_PATTERN &&
    (inputs.file >= SENSITIVE_FILE || inputs.density >= CROWDED)
  const mayFall = inputs.confidence < CERTAIN || inputs.context <= ASIDE_CONTEXT || inputs.file <= ASIDE_FILE
  const worst = mayRise ? base - 1 : base
  const mildest = mayFall ? base + 1 : base
  return SEVERITIES[Math.min(mildest, Math.max(worst, wanted), SEVERITIES.length - 1)]!
}

/**
 * The findings with their severities weighed anew in the files for which that is on; `base_severity` keeps what the rule
 * says. Obligations stay as they are. The order is kept, and findings that were given are not changed. `linesOf` gives the
 * number of lines of a file, undefined where it is not known.
 */
export function rescore(
  findings: readonly Finding[],
  on: (file: string) => boolean,
  linesOf: (file: string) => number | undefined,
): Finding[] {
  const open = new Map<string, number>()
  for (const { file, status, is_obligation } of findings)
    if (status !== 'suppressed' && !is_obligation) open.set(file, (open.get(file) ?? 0) + 1)
  return findings.map(finding => {
    if (finding.is_obligation || !on(finding.file)) return finding
    const own = finding.status === 'suppressed' ? 0 : 1
    const others = (open.get(finding.file) ?? own) - own
    const severity = weighSeverity(gatherInputs(finding, others, linesOf(finding.file)))
    return severity === finding.severity ? finding : { ...finding, severity }
  })
}

/** What a finding is weighed from; `others` are the findings beside it in its file that are not suppressed. */
export function gatherInputs(finding: Finding, others: number, lines: number | undefined): Inputs {
  return {
    severity: finding.base_severity,
    confidence: finding.confidence,
    context: contextOf(finding),
    pattern: ratePattern(finding),
    file: rateFile(finding),
    density: measureDensity(others, lines),
  }
}

/** Other findings in 100 lines, 1 from five on. */
export function measureDensity(others: number, lines: number | undefined): number {
  return Math.min(1, (others * 100) / Math.max(lines ?? 0, FEWEST_LINES) / FULL)
}

/** From the confidence, which says what the match stands in (spec "Finding"), and from whether the file is a test. */
function contextOf({ confidence, in_test }: Finding): number {
  const written = confidence >= 0.7 ? 1 : confidence >= 0.5 ? 0.5 : 0.25
  return in_test ? Math.min(written, 0.4) : written
}
