import { readSource } from '../base/disk/read.ts'
import type { Finding } from '../base/records/finding.ts'
import { lookedAt } from '../base/records/looked.ts'
import type { FileRecord, NotEvaluated, Notice } from '../base/records/run.ts'
import type { Listing, PartlyScanned, Skip, SourceFile } from '../base/records/source-file.ts'
import { decode } from '../base/text/decode.ts'
import { BASELINE_PATH, SUPPRESSIONS_PATH } from '../sources/config/paths.ts'
import { BlobReader } from '../sources/repository/blobs.ts'
import {
  applyBaseline,
  type Baseline,
  type BaselineView,
  type Former,
  mayBeRenamed,
  type Updated,
  updateBaseline,
} from './baseline.ts'
import { escalate } from './escalate.ts'
import { listExternalIdentities } from './external-identity.ts'
import { isOrganizationFinding, isOrganizationRule } from './organization-findings.ts'
import { findCommitBefore, findFormerFingerprints, findRenamesSince } from './renames.ts'
import { rescore } from './rescore.ts'
import { applySuppressions, type FileIgnores } from './suppression.ts'
import type { SuppressionEntry } from './suppression-file.ts'

/** What findings are judged by, and what the scan knows of how they came about. */
export interface Judging {
  listing: Listing
  /** Contents that stood in for files, by path. */
  contents?: Record<string, string>
  /** What a reviewer decides on: suppressions are asked, and nothing else. */
  toReview?: readonly Finding[]
  ignores: ReadonlyMap<string, FileIgnores>
  suppressions: readonly SuppressionEntry[]
  baseline?: Baseline
  /** Make the baseline anew: all that is open is held from now on. */
  update_baseline?: boolean
  /** Whether severities are weighed anew in a file. */
  rescores: (file: string) => boolean
  /** The zone that a file lies in, where zones are watched. */
  zone?: (file: string) => string | undefined
  /** ISO 8601 date. */
  today: string
  /** Every file of the repository was to be scanned. */
  whole: boolean
  files: { get(path: string): FileRecord | undefined }
  skipped: readonly Skip[]
  partly?: readonly PartlyScanned[]
  notEvaluated: readonly NotEvaluated[]
  /** Whether any pack has the rule, active or not. */
  isRule: (rule_id: string) => boolean
  /** Every rule of every pack, for what a mistyped one may have been meant for. */
  rule_ids: () => readonly string[]
  /** Files larger than this are not read again for their renames' sake. */
  maxBytes: number
  signal: AbortSignal
}

export interface Judged {
  findings: Finding[]
  /** Those that no suppression covers. */
  toReview: Finding[]
  notices: Notice[]
  /** Only where the baseline was to be made anew. */
  renewed?: Updated
}

/**
 * What becomes of the findings, in this order: suppressions mark theirs, severities are weighed anew where that is on,
 * findings in a zone go up by one, and the baseline holds what it knows among the rest. Nothing is dropped, and the order is kept.
 * Findings about the organization's policy stay as they are: its owners relax it, and no repository.
 */
export async function judge(findings: readonly Finding[], judging: Judging): Promise<Judged> {
  const own = findings.filter(finding => !isOrganizationFinding(finding))
  const { suppressions, baseline } = judging
  const isOwn = ({ rule }: SuppressionEntry) => !isOrganizationRule(rule)
  const judged = await judgeOwn(own, {
    ...judging,
    suppressions: suppressions.filter(isOwn),
    ...(baseline && {
      baseline: { ...baseline, entries: baseline.entries.filter(({ rule_id }) => !isOrganizationRule(rule_id)) },
    }),
  })
  let next = 0
  return {
    ...judged,
    findings: findings.map(finding => (isOrganizationFinding(finding) ? finding : judged.findings[next++]!)),
    notices: [
      ...suppressions.filter(one => !isOwn(one)).map(({ line }) => refuse(SUPPRESSIONS_PATH, line)),
      ...(baseline?.entries.some(({ rule_id }) => isOrganizationRule(rule_id)) ? [refuse(BASELINE_PATH)] : []),
      ...judged.notices,
    ],
  }
}

function refuse(file: string, line?: number): Notice {
  const detail = 'Findings about the organization’s policy are relaxed by its owners only: the entry has no effect.'
  return { kind: 'suppression_invalid', file, ...(line !== undefined && { line }), detail }
}

async function judgeOwn(findings: readonly Finding[], judging: Judging): Promise<Judged> {
  const { ignores, suppressions, baseline, toReview: given = [] } = judging
  const suppressed = applySuppressions([...findings, ...given], ignores, suppressions, judging)
  const toReview = suppressed.findings.slice(findings.length).filter(({ status }) => status === 'open')
  const rescored = rescore(
    suppressed.findings.slice(0, findings.length),
    judging.rescores,
    path => judging.files.get(path)?.lines,
  )
  const weighed = judging.zone ? escalate(rescored, judging.zone) : rescored
  if (!baseline && !judging.update_baseline) return { findings: weighed, toReview, notices: suppressed.notices }

  const { former, notices } = baseline ? await formerOf(weighed, baseline, judging) : NONE
  const view: BaselineView = {
    former,
    looked: lookedAt({ ...judging, isScanned: file => judging.files.get(file) !== undefined }),
    whole: judging.whole,
    isRule: judging.isRule,
  }
  if (judging.update_baseline) {
    const renewed = updateBaseline(weighed, baseline, view)
    return { findings: renewed.findings, toReview, notices: [...suppressed.notices, ...notices], renewed }
  }
  const held = applyBaseline(weighed, baseline!, view)
  return { findings: held.findings, toReview, notices: [...suppressed.notices, ...notices, ...held.notices] }
}

const NONE = { former: new Map<string, Former>(), notices: [] as Notice[] }

/** Whom findings in renamed files were when the baseline was made. git is asked only where an entry and a finding are left over. */
async function formerOf(
  findings: readonly Finding[],
  baseline: Baseline,
  { listing, contents, maxBytes, signal }: Judging,
): Promise<typeof NONE> {
  if (listing.kind !== 'git') return NONE
  const { files, from } = mayBeRenamed(findings, baseline)
  if (files.size === 0) return NONE
  const commit =
    baseline.git_sha ??
    (baseline.content && (await findCommitBefore(listing.root, BASELINE_PATH, baseline.content, signal)))
  const renames = commit === undefined ? undefined : await findRenamesSince(listing.root, commit, signal)
  if (!renames) {
    const listed = new Set(listing.files.map(({ path }) => path))
    const gone = [...from].some(path => !listed.has(path))
    const detail =
      'The history of this clone does not reach the commit that wrote the baseline: findings in files renamed since count as new. Run `git fetch --unshallow`, or renew the baseline with `svc scan --update-baseline`.'
    return { ...NONE, notices: gone ? [{ kind: 'baseline_renames', file: BASELINE_PATH, detail }] : [] }
  }
  const moved = listing.files.filter(({ path }) => files.has(path) && from.has(renames.get(path) ?? ''))
  const former = new Map<string, Former>()
  if (moved.length === 0) return { former, notices: [] }
  const byFile = new Map<string, Finding[]>(moved.map(({ path }) => [path, []]))
  for (const finding of findings) byFile.get(finding.file)?.push(finding)
  for await (const { path, text } of textsOf(listing.root, moved, contents, maxBytes)) {
    const own = findFormerFingerprints(byFile.get(path)!, text, renames.get(path)!, listExternalIdentities)
    for (const [present, then] of own) former.set(present, then)
  }
  return { former, notices: [] }
}

/** The files' texts, as they were scanned; one that cannot be read now is left out. */
async function* textsOf(
  root: string,
  files: readonly SourceFile[],
  contents: Record<string, string> | undefined,
  maxBytes: number,
): AsyncGenerator<{ path: string; text: string }> {
  const reader = new BlobReader(root)
  try {
    for (const file of files) {
      const sent = contents?.[file.path]
      if (sent !== undefined) {
        yield { path: file.path, text: sent }
        continue
      }
      const bytes =
        file.blob === undefined ? readSource(root, file, maxBytes) : (await reader.read([file.blob], maxBytes))[0]!
      const decoded = bytes instanceof Uint8Array ? decode(bytes, file.encoding) : undefined
      if (decoded && 'text' in decoded) yield { path: file.path, text: decoded.text }
    }
  } finally {
    reader.close()
  }
}
