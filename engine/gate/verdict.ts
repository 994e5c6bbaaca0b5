import { REASONS } from '../assure/model.ts'
import type { Finding, Severity } from '../base/records/finding.ts'
import { rankSeverity } from '../base/records/finding.ts'
import type { Rule } from '../base/records/rule.ts'
import { resolveRuleId } from '../base/records/rule-ids.ts'
import { isBrokenOff, makeGapKey, type NotEvaluated, type Run } from '../base/records/run.ts'
import type { View } from '../base/text/view.ts'
import { escapeInvisibleLine } from '../base/text/visible.ts'
import { formatCount } from '../base/text/words.ts'
import type { Baseline } from '../findings/baseline.ts'
import type { Config } from '../sources/config/load.ts'
import { decide, type GateDecision, type GateFailure } from './decide.ts'
import type { UnreadFile } from './unread.ts'

/** Files that are named; the rest is counted. */
const NAMED = 5

/** What the gate needs to know of a scan that was just done. */
export interface JudgedScan {
  run: Run
  findings: readonly Finding[]
  /** Every rule that was active, evaluated or not. */
  rules: readonly Pick<Rule, 'id' | 'severity'>[]
  config: Config
  /** A change was judged, not a repository. */
  change: boolean
  /** The baseline that findings were held by. */
  baseline?: Baseline
  /** Gaps that are in the baseline or were there before the change, by `makeGapKey`. */
  known_gaps: ReadonlySet<string>
  /** Source files of the change that could not be searched, unless `gate.unread` ignores them. */
  unread: readonly UnreadFile[]
}

/** The gate's decision on a scan that was just done. */
export function decideOn(performed: JudgedScan): GateDecision {
  const { run, findings, config, change, baseline } = performed
  const failOn = (file: string) => config.for(file).gate.fail_on
  return decide(findings, {
    // A change to files that no rule applies to is not unknown.
    ...(!change && { evaluated: run.counts.rules }),
    failOn,
    root: config.gate.fail_on,
    isComparing: change || baseline !== undefined,
    isChange: change,
    rating: run.rating,
    unknown: [
      ...contributorFailures(performed),
      ...missingGrammarFailures(performed),
      ...notEvaluatedFailures(performed, failOn),
      ...notScannedFailures(performed),
      ...unreadFailures(performed),
    ],
  })
}

/** Source files of the change that could not be searched, where gate.unread says that they fail it. */
function unreadFailures({ unread, config }: JudgedScan): GateFailure[] {
  if (config.gate.unread === 'warn') return []
  return named(
    unread.filter(({ isBuilt }) => !isBuilt),
    ({ path, reason, detail }): GateFailure => ({
      kind: 'not_scanned',
      message: `${escapeInvisibleLine(path)} not searched as source code (${detail === undefined ? REASONS[reason] : `${REASONS[reason]}: ${escapeInvisibleLine(detail)}`})`,
      file: path,
      resolve:
        'Exclude it with `svc exclude <file>` where it is not source code, or set `gate.unread: warn` in .svc/config.yaml',
    }),
  )
}

/** The contributors, such as external scanners, that gave no result or not all of it, each with the first cause. */
function contributorFailures({ run, config }: JudgedScan): GateFailure[] {
  const causes = new Map<string, string | undefined>()
  for (const { rule_id, reason, detail } of run.not_evaluated) {
    const name = rule_id.slice(0, rule_id.lastIndexOf(':'))
    if ((reason === 'scanner_failed' || reason === 'scanner_not_run') && !causes.has(name)) causes.set(name, detail)
  }
  return [...causes].map(([name, cause]) => {
    const isScanner = Object.hasOwn(config.external_scanners, name)
    return {
      kind: 'scanner_failed',
      message: `${isScanner ? 'the scanner ' : ''}${JSON.stringify(name)} gave no complete result${cause ? ` (${cause})` : ''}`,
      resolve: isScanner
        ? `Make the scanner run here, or set \`external_scanners.${name}.enabled: false\` in .svc/config.yaml`
        : 'Resolve the cause, then scan again',
    }
  })
}

/**
 * A failure for each language whose grammar comes with svc and cannot be loaded, where rules of a severity that fails anywhere need it. That is a
 * fault of the installation, which no baseline can accept.
 */
function missingGrammarFailures({ run, rules, config }: JudgedScan): GateFailure[] {
  const missing = run.not_evaluated.filter(({ reason, file }) => reason === 'no_grammar' && file === undefined)
  if (missing.length === 0) return []
  const failing = new Set([config, ...config.folders.values()].flatMap(({ gate }) => gate.fail_on))
  const severities = findWorstSeverities(rules)
  const byLanguage = new Map<string, Set<string>>()
  for (const { rule_id, detail = '' } of missing) {
    const severity = severities.get(rule_id)
    if (severity === undefined || !failing.has(severity)) continue
    for (const language of detail.split(', '))
      byLanguage.set(language, (byLanguage.get(language) ?? new Set()).add(rule_id))
  }
  return [...byLanguage].map(([language, ids]) => ({
    kind: 'not_evaluated',
    message: `the grammar of ${language} cannot be loaded, so ${formatCount(ids.size, 'rule')} of a severity that fails ${ids.size === 1 ? 'was' : 'were'} not evaluated`,
    rule: [...ids][0]!,
    resolve: `Run \`svc install-check\`, and install svc again with the parser of ${language} for this platform`,
  }))
}

/** The severity of each rule; of the forms of one rule the worst. */
function findWorstSeverities(rules: JudgedScan['rules']): Map<string, Severity> {
  const worst = [...rules].sort((a, b) => rankSeverity(b.severity) - rankSeverity(a.severity))
  return new Map(worst.map(({ id, severity }) => [resolveRuleId(id), severity]))
}

/**
 * Rules of a severity that fails which were aborted in a file: they may have been about to find something. What is in the baseline, or was so
 * before the change, is known. A failure a file, since one command resolves what is in it.
 */
function notEvaluatedFailures(
  { run, rules, change, known_gaps }: JudgedScan,
  failOn: (file: string) => readonly string[],
): GateFailure[] {
  const aborted = run.not_evaluated.filter(({ reason }) => isBrokenOff(reason))
  if (aborted.length === 0) return []
  const severities = findWorstSeverities(rules)
  const byFile = new Map<string, NotEvaluated[]>()
  for (const each of aborted) {
    const { rule_id, file = '' } = each
    const severity = severities.get(rule_id)
    if (severity === undefined || !failOn(file).includes(severity)) continue
    if (known_gaps.has(makeGapKey(each))) continue
    const gaps = byFile.get(file)
    if (gaps) gaps.push(each)
    else byFile.set(file, [each])
  }
  const resolve = change
    ? 'Split the file, or have it reviewed and record the gap: `svc scan --update-baseline`, then commit .svc/baseline.json'
    : 'Review the file and record the gap as known: `svc scan --update-baseline`, then commit .svc/baseline.json'
  return named([...byFile], ([file, gaps]): GateFailure => {
    const [{ rule_id, reason }] = gaps as [NotEvaluated, ...NotEvaluated[]]
    const others = gaps.length > 1 ? ` and ${formatCount(gaps.length - 1, 'more rule')}` : ''
    const place = file === '' ? 'in all files' : `in ${escapeInvisibleLine(file)}`
    return {
      kind: 'not_evaluated',
      message: `${rule_id}${others} not evaluated ${place} (${words(reason)})`,
      ...(file !== '' && { file }),
      rule: rule_id,
      resolve,
    }
  })
}

/** Why a file could not be judged, though it is there. */
const UNSEEN = new Set(['unreadable'])
/** The same for a file of a change, which git was asked for: one that has vanished from disk is not part of a whole repository. */
const UNSEEN_IN_CHANGE = new Set([...UNSEEN, 'vanished'])

/** Files that could not be scanned, or not to their end. */
function notScannedFailures({ run: { skipped, partly = [] }, change, known_gaps }: JudgedScan): GateFailure[] {
  const unseen = change ? UNSEEN_IN_CHANGE : UNSEEN
  const files = [...skipped, ...partly].filter(
    ({ reason, path }) =>
      unseen.has(reason) || (isBrokenOff(reason) && !known_gaps.has(makeGapKey({ file: path, rule_id: '*' }))),
  )
  return named(
    files,
    ({ path, reason, detail }): GateFailure => ({
      kind: 'not_scanned',
      message:
        reason === 'crashed'
          ? `svc failed on ${escapeInvisibleLine(path)}${detail === undefined ? '' : `: ${escapeInvisibleLine(detail)}`}`
          : `${escapeInvisibleLine(path)} not scanned (${words(reason)})`,
      file: path,
      resolve: adviseUnscanned(reason),
    }),
  )
}

/** What helps where a file could not be scanned to its end; a smaller file is of no use where svc itself fails on it. */
function adviseUnscanned(reason: string): string {
  if (reason === 'crashed')
    return 'Report it as a defect of svc; until it is fixed, have the file reviewed and record the gap: `svc scan --update-baseline`, then commit .svc/baseline.json'
  return isBrokenOff(reason)
    ? 'Split the file, or exclude it with `svc exclude <file>`, which a reviewer must approve'
    : 'Make the file readable for this process and run the gate again'
}

/** A failure for each of the first, and one that counts the rest. */
function named<T>(items: readonly T[], failure: (item: T) => GateFailure): GateFailure[] {
  const failures = items.slice(0, NAMED).map(failure)
  const more = items.length - NAMED
  const [first] = failures
  if (!first || more <= 0) return failures
  const what = first.kind === 'not_evaluated' ? 'with rules not evaluated' : 'not scanned'
  return [
    ...failures,
    { kind: first.kind, message: `${formatCount(more, 'more file')} ${what}`, resolve: first.resolve },
  ]
}

function words(reason: string): string {
  return reason.replaceAll('_', ' ')
}

/** The decision in one sentence and, where the gate fails, how to resolve each reason, and in which `tree` if in another one. */
export function formatVerdict(
  { passed, reasons, failures, fail_on }: Pick<GateDecision, 'passed' | 'reasons' | 'failures' | 'fail_on'>,
  { paint }: View,
  tree?: string,
): string {
  if (passed) return `${paint('green', 'Gate passed')} (fails on ${fail_on.join(', ') || 'no severity'}).`
  const elsewhere = tree === undefined ? [] : [`  Run these commands in ${escapeInvisibleLine(tree)}.`]
  return [`${paint('red', 'Gate failed')}: ${reasons.join('; ')}.`, ...listResolutions(failures), ...elsewhere].join(
    '\n',
  )
}

/** How to resolve each failure, a line each; equal ones once. That of weakened settings is the same for every file. */
export function listResolutions(failures: readonly GateFailure[]): string[] {
  // A command for a file whose name has line feeds is shown, never printed as it is: it would forge lines of its own.
  const lines = new Set(
    failures.map(({ kind, file, resolve }) => {
      const place = file && kind !== 'weakened' ? `${escapeInvisibleLine(file)}: ` : ''
      return `  ${place}${escapeInvisibleLine(resolve)}.`
    }),
  )
  return [...lines]
}
