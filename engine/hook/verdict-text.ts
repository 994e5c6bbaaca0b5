import { countBySeverity, type Finding, SEVERITIES } from '../base/records/finding.ts'
import type { View } from '../base/text/view.ts'
import { escapeInvisibleLine } from '../base/text/visible.ts'
import { cut, formatCount } from '../base/text/words.ts'
import { formatFindingLine, formatSeverities } from '../findings/line.ts'
import { listReasons } from '../findings/reasons.ts'
import type { GateFailure } from '../gate/decide.ts'
import { listResolutions } from '../gate/verdict.ts'
import { listRecoveryHints } from './recovery-hints.ts'

/** Sentences about what could not be judged that are shown; the rest is counted. */
const SHOWN_UNKNOWN = 5

/** What a pre-commit scan came to, as far as its text reports it. */
export interface Verdict {
  passed: boolean
  files: number
  fail_on: string[]
  blocking: Finding[]
  /** What else blocks the commit. */
  failures: GateFailure[]
  /** What the commit does to its own judgement, without blocking it. */
  weakened?: Finding[]
  others: Finding[]
  /** Sentences about staged source files that could not be searched. */
  unread: string[]
  ledger: { partly: Record<string, number | undefined>; skipped: Record<string, number | undefined> }
  /** Sentences about changes outside the paths of a task. */
  outside?: string[]
  unknown: string[]
  /** The file that holds all findings. */
  record: string
  /** A sentence about settings that are not staged as they stand on disk. */
  unstaged?: string
}

/** The verdict for the developer who commits: empty where there is nothing to report, else what blocks the commit and how to resolve it. */
export function formatHookVerdict(verdict: Verdict, view: View): string {
  const { passed, files, blocking, failures, outside = [] } = verdict
  const { paint } = view
  const rest = [
    ...weakenedLines(verdict),
    ...otherFindings(verdict, view),
    ...unread(verdict),
    ...unjudged(verdict),
    ...states(verdict, view),
  ]
  if (passed && rest.length === 0)
    return view.verbose ? `${formatCount(files, 'staged file')} scanned, no findings.` : ''
  if (passed) return rest.join('\n')
  const counts = countBySeverity(blocking)
  const reasons = [
    ...SEVERITIES.filter(severity => counts[severity] > 0).map(severity =>
      formatCount(counts[severity], `new ${severity} finding`),
    ),
    ...failures.map(({ message }) => message),
    ...outside,
  ]
  const fix = blocking.some(({ fix }) => fix) ? `run ${paint('cyan', 'svc fix-hook')}, fix what is left` : 'fix it'
  return [
    `${paint('red', 'Commit blocked')}: ${reasons.join('; ')}.`,
    ...listResolutions(failures),
    ...listRecoveryHints(blocking, verdict.record, view),
    ...(rest.length > 0 ? ['', ...rest] : []),
    ...(verdict.unstaged === undefined ? [] : ['', verdict.unstaged]),
    ...(blocking.length > 0 ? ['', `Next: ${fix}, stage it with ${paint('cyan', 'git add')}, and commit again.`] : []),
  ].join('\n')
}

/** Settings and comments of the commit that weaken its own judgement: a reviewer is asked in the pipeline. */
function weakenedLines({ weakened = [] }: Verdict): string[] {
  if (weakened.length === 0) return []
  const shown = weakened
    .slice(0, SHOWN_UNKNOWN)
    .map(
      ({ file, line, snippet }) => `  ${escapeInvisibleLine(file)}:${line}  ${cut(escapeInvisibleLine(snippet), 120)}`,
    )
  const more = weakened.length - shown.length
  return [
    'This commit weakens the gate. `svc gate --git-range` fails on it until a reviewer approves it (see `svc explain gate-suppression-added`):',
    ...shown,
    ...(more > 0 ? [`  ... and ${more} more`] : []),
  ]
}

/** The findings that do not block the commit. */
function otherFindings({ passed, others }: Verdict, view: View): string[] {
  if (others.length === 0) return []
  const fixable = others.filter(({ fix }) => fix).length
  const fix = fixable > 0 ? `; \`svc fix-hook\` fixes ${fixable === others.length ? 'them' : fixable}` : ''
  const more = view.verbose ? '' : '; `svc pre-commit-scan -v` lists them'
  const counts = formatSeverities(countBySeverity(others), view)
  return [
    `${passed ? 'Findings that do not block the commit' : 'Further findings that do not block the commit'}: ${counts}${fix}${more}.`,
    ...(view.verbose ? others.map(finding => `  ${formatFindingLine(finding, view)}`) : []),
  ]
}

/** Source files that could not be searched, where that only warns. */
function unread({ unread, failures }: Verdict): string[] {
  return failures.some(({ kind }) => kind === 'not_scanned') ? [] : unread.map(sentence => `${sentence}.`)
}

/** Binary and excluded files are what they are; of any other that was not searched by everything the commit says how many there are. */
function states({ ledger }: Verdict, { verbose }: View): string[] {
  const partly = listReasons(ledger.partly)
  const skipped = listReasons(ledger.skipped)
  const isUsual =
    partly === '' && Object.keys(ledger.skipped).every(reason => reason === 'binary' || reason === 'excluded')
  if ((isUsual && !verbose) || (partly === '' && skipped === '')) return []
  const parts = [partly && `partly scanned: ${partly}`, skipped && `not scanned: ${skipped}`].filter(Boolean).join('; ')
  return [`Staged files ${parts}.`]
}

/** Unknown is not clean: what was not scanned is reported even where the commit passes. */
function unjudged({ unknown }: Verdict): string[] {
  const more = unknown.length - SHOWN_UNKNOWN
  return [...unknown.slice(0, SHOWN_UNKNOWN), ...(more > 0 ? [`... and ${more} more.`] : [])]
}
