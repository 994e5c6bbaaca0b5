import {
  countBySeverity,
  type Finding,
  SEVERITIES,
  type Severity,
  type SeverityCounts,
} from '../base/records/finding.ts'
import type { Rating } from '../base/records/rating.ts'
import { escapeInvisibleLine } from '../base/text/visible.ts'
import { cut, formatCount, quoteShellWord } from '../base/text/words.ts'
import { isOrganizationFinding } from '../findings/organization-findings.ts'
import { isPolicyFinding } from './change/policy-rules.ts'

/** What a gate can fail on. */
export type GateFailureKind =
  | 'findings'
  | 'weakened'
  | 'not_evaluated'
  | 'not_scanned'
  | 'scanner_failed'
  | 'no_rules'
  | 'governance'
  | 'design_review'

/** One reason for which the gate fails, as data: what, where, and the way out. */
export interface GateFailure {
  kind: GateFailureKind
  /** A sentence without its period, for `reasons`. */
  message: string
  /** The first file that it is about. */
  file?: string
  /** The first rule that it is about. */
  rule?: string
  /** The one command or setting that resolves it, as a sentence without its period. */
  resolve: string
}

/** The gate's answer on a run (decisions "Gate"). */
export interface GateDecision extends SeverityCounts {
  passed: boolean
  /** Open findings; the severities above count the same ones. */
  total_findings: number
  /** Open findings that are not in the baseline. */
  new_findings: number
  baseline_findings: number
  /** Findings that fail the gate. */
  blocking: number
  fail_on: Severity[]
  /** Of all findings that are not suppressed, those in the baseline included; absent where the run has none. */
  rating?: Rating
  /** Why it fails, a sentence each; empty where it passes. */
  reasons: string[]
  /** The same as data. */
  failures: GateFailure[]
}

/** What the gate judges beside the findings. */
export interface GateView {
  /** Rules that were evaluated; left out for a change, to whose files perhaps no rule applies. */
  evaluated?: number
  /** The severities that fail for a file, since folders may be stricter. */
  failOn: (file: string) => readonly Severity[]
  /** The repository's own. */
  root: readonly Severity[]
  /** Known findings were set aside (by a baseline, or because a change is judged), so that the open ones are new. */
  isComparing?: boolean
  /** A change is judged: what it suppresses itself does not count until a reviewer approves it. */
  isChange?: boolean
  /** The run's. */
  rating?: Rating
  /** What could not be judged and might have failed. */
  unknown?: readonly GateFailure[]
}

/** Whether findings may pass: none is open and new with a severity that fails, nothing is unknown, and some rule was evaluated. */
export function decide(
  findings: readonly Finding[],
  { evaluated, failOn, root, isComparing = false, isChange = false, rating, unknown = [] }: GateView,
): GateDecision {
  const open = findings.filter(({ status }) => status === 'open')
  const blocking = open.filter(finding => blocks(finding, failOn))
  const [policy, others] = [blocking.filter(isPolicyFinding), blocking.filter(finding => !isPolicyFinding(finding))]
  const failures = [
    ...findingFailures(others, isComparing, isChange),
    ...weakenedFailures(policy, isChange),
    ...unknown,
  ]
  if (evaluated === 0) {
    failures.push({
      kind: 'no_rules',
      message: 'no rule was evaluated',
      resolve: 'Enable a pack with `svc add-pack <pack>`; `svc list-packs` shows them',
    })
  }
  return {
    passed: failures.length === 0,
    total_findings: open.length,
    ...countBySeverity(open),
    new_findings: open.length,
    baseline_findings: findings.filter(({ status }) => status === 'baseline').length,
    blocking: blocking.length,
    fail_on: [...root],
    ...(rating !== undefined && { rating }),
    reasons: failures.map(({ message }) => message),
    failures,
  }
}

/**
 * Whether a finding alone fails the gate. What a change does to its own judgement does, where anything does; settings weaker than the organization's always do, for
 * one of them can be what the gate fails on.
 */
export function blocks(finding: Finding, failOn: (file: string) => readonly Severity[]): boolean {
  const { status, file, severity } = finding
  if (isOrganizationFinding(finding)) return status === 'open'
  const severities = failOn(file)
  return status === 'open' && (isPolicyFinding(finding) ? severities.length > 0 : severities.includes(severity))
}

/** A failure for each setting that the change weakens for its own judgement. */
function weakenedFailures(policy: readonly Finding[], isChange: boolean): GateFailure[] {
  const failures = sortFilesFirst(policy)
    .slice(0, MOST_POLICY)
    .map(({ file, rule_id, line, snippet }): GateFailure => {
      const [why, resolve] = explainPolicyFailure(rule_id, isChange)
      const message = `${file}:${line} ${why} (${cut(escapeInvisibleLine(snippet), 120)})`
      return { kind: 'weakened', message, file, rule: rule_id, resolve }
    })
  const more = policy.length - MOST_POLICY
  if (more <= 0) return failures
  const resolve = isChange ? WEAKENED : UNCOMMITTED
  return [...failures, { kind: 'weakened', message: `${formatCount(more, 'more setting')} weakened`, resolve }]
}

/** Why a finding about the gate's own settings fails it, and what resolves it. */
function explainPolicyFailure(rule: string, isChange: boolean): [why: string, resolve: string] {
  if (rule === 'gate-base-invalid')
    return isChange
      ? ['cannot be compared with its base, and no reviewer has approved it', CORRECTED]
      : ['cannot be compared with HEAD and is not committed', 'Commit the correction, so that it is reviewed']
  return isChange
    ? ['weakens the gate, and no reviewer has approved it', WEAKENED]
    : ['weakens the gate and is not committed', UNCOMMITTED]
}

/** The first of each file, then the others, so that a file with many hides none. */
function sortFilesFirst(policy: readonly Finding[]): Finding[] {
  const firsts = new Map<string, Finding>()
  for (const finding of policy) if (!firsts.has(finding.file)) firsts.set(finding.file, finding)
  return [...firsts.values(), ...policy.filter(finding => firsts.get(finding.file) !== finding)]
}

/** Weakened settings that are named; the rest is counted. */
const MOST_POLICY = 5
const UNCOMMITTED = 'Commit it, so that it is reviewed with its change, or restore what HEAD has: `git restore <file>`'
const APPROVALS = [
  'The pipeline passes the reviewer: `svc gate --reviewed-by <name>`, with a name from gate.trusted or CODEOWNERS of the base',
  'Or request an approval: `svc gate --require-approval`, then `svc approve <id>`',
  'Where the forge enforces reviews, set gate.protected_branch: true in the base',
]
const WEAKENED = ['Remove it from the change, or have a reviewer approve it', ...APPROVALS].join('. ')
const CORRECTED = ['Have a reviewer read the whole file and approve it', ...APPROVALS.slice(0, 2)].join('. ')

/** A failure for each severity, the most severe first, with the first finding of it. */
function findingFailures(blocking: readonly Finding[], isComparing: boolean, isChange: boolean): GateFailure[] {
  const agreed = isChange ? '; a reviewer must approve the suppression' : ''
  return SEVERITIES.flatMap((severity): GateFailure[] => {
    const [first, ...rest] = blocking.filter(finding => finding.severity === severity)
    if (!first) return []
    const { file, rule_id } = first
    return [
      {
        kind: 'findings',
        message: `${formatCount(rest.length + 1, `${isComparing ? 'new' : 'open'} ${severity} finding`)}`,
        file,
        rule: rule_id,
        resolve: isOrganizationFinding(first)
          ? first.remediation.replace(/\.$/, '')
          : `Fix it (\`svc explain ${rule_id}\`), or accept it with a reason: \`svc suppress --rule ${rule_id} --file ${quoteShellWord(file)} --reason "<reason>"\`${agreed}`,
      },
    ]
  })
}
