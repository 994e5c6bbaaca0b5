import { readLatestEntries } from '../../audit/log.ts'
import type { Context } from '../../base/context.ts'
import { SEVERITIES } from '../../base/records/finding.ts'
import { redactCredentials } from '../../base/text/credentials.ts'
import type { AuditorToken } from '../../sources/state/records.ts'
import type { State } from '../../sources/state/state.ts'
import { openStore } from '../../sources/store/open.ts'
import { resolveOutputDirectory } from '../../sources/store/output-directory.ts'
import type { TrendPoint } from '../../sources/store/trend.ts'
import type { Assessment } from '../controls/assessment.ts'
import { loadAssessment } from '../controls/load.ts'
import { lastPart, makePathHider, mapTexts, type PathHider } from './paths.ts'

/** Entries of the audit log, rules and runs that the page shows; the counts are of all. */
const MOST_ENTRIES = 500
const MOST_RULES = 1000
const MOST_RUNS = 60

/** What an auditor is shown; a section is there where the token has its scope. */
export interface PortalData {
  auditor_name: string
  auditor_email: string
  expires_at: string
  access_scope: string[]
  project: string
  run: { id: string; finished_at: string; git_sha: string | null; scope: string; tool_version: string }
  metrics?: object
  findings_by_rule?: object[]
  frameworks?: object[]
  evidence?: object[]
  audit_log?: { total: number; entries: object[] }
  trends?: object[]
}

/** Gathers what a token may see. Never code, directories, settings or credentials: texts go through `hide`, fields are chosen one by one. */
export async function makePortalData(
  token: AuditorToken,
  state: State,
  root: string,
  context: Context,
): Promise<PortalData> {
  const may = new Set(token.scopes)
  const out = await resolveOutputDirectory({ cwd: root, env: context.env })
  const store = await openStore(out, context.notice)
  try {
    const run = await store.runWithGate('latest')
    const needsAssessment = may.has('compliance') || may.has('evidence')
    const assessment = needsAssessment ? await loadAssessment({ ...context, cwd: root }) : undefined
    const hide = await makeHider(root, [
      ...(await store.files(run.id)).map(({ path }) => path),
      ...run.skipped.map(({ path }) => path),
      ...(assessment?.evidence ?? []).flatMap(({ file }) => file ?? []),
    ])
    const rules = may.has('findings') ? await store.ruleCounts(run.id, MOST_RULES) : undefined
    const data: PortalData = {
      ...{ auditor_name: token.name, auditor_email: token.email, expires_at: token.expires_at },
      access_scope: [...token.scopes],
      project: run.root_name,
      run: {
        ...{ id: run.id, finished_at: run.finished_at, git_sha: run.git_sha ?? null, scope: run.scope },
        tool_version: run.tool_version,
      },
      ...(rules && {
        metrics: {
          ...{ files: run.counts.files, rules: run.counts.rules, open: run.counts.open, rating: run.rating ?? null },
          ...{ baseline: run.counts.baseline, suppressed: run.counts.suppressed, by_severity: run.counts.by_severity },
          skipped: Object.values(run.counts.skipped).reduce((sum, count) => sum + count, 0),
          not_evaluated: new Set(run.not_evaluated.map(({ rule_id }) => rule_id)).size,
          gate: run.gate ? (run.gate.passed ? 'passed' : 'failed') : 'not_run',
          ...(run.gate?.run_id !== undefined && { gate_run_id: run.gate.run_id }),
        },
        findings_by_rule: rules,
      }),
      ...(may.has('compliance') && { frameworks: assessment!.frameworks.map(toFramework) }),
      ...(may.has('evidence') && { evidence: assessment!.evidence.map(toEvidence) }),
      ...(may.has('audit_log') && { audit_log: readLog(state) }),
      ...(may.has('trends') && { trends: (await store.trend(MOST_RUNS)).points.map(toPoint) }),
    }
    return mapTexts(data, text => hide(text))
  } finally {
    store.close()
  }
}

/** Hides directories and credentials of a repository whose files these are. */
export async function makeHider(root: string, paths: readonly string[]): Promise<PathHider> {
  const hide = makePathHider(root, paths)
  return text => hide(redactCredentials(text))
}

/** The assessment as a document for auditors may show it: files by their names alone. */
export function hideInAssessment(assessment: Assessment, hide: PathHider): Assessment {
  return mapTexts(assessment, hide)
}

function toFramework({
  id,
  name,
  counts,
  coverage,
  complete,
  caveats,
  controls,
}: Assessment['frameworks'][number]): object {
  return {
    ...{ id, name, counts, complete, caveats, coverage: coverage ?? null },
    controls: controls.map(control => ({
      ...{ id: control.id, title: control.title, state: control.state, reason: control.reason },
      rules: control.rules.length,
      not_evaluated: control.not_evaluated.length,
      findings: control.findings.filter(({ status }) => status !== 'suppressed').length,
      evidence: control.evidence.length,
    })),
  }
}

function toEvidence({
  control,
  title,
  file,
  sha256,
  owner,
  observed_at,
  expires,
  state,
  reason,
}: Assessment['evidence'][number]): object {
  return {
    ...{ control, title, owner, observed_at, state, reason },
    ...{ expires: expires ?? null, sha256: sha256 ?? null, file: file === undefined ? null : lastPart(file) },
  }
}

/** Entries without their details, which may name anything. */
function readLog(state: State): { total: number; entries: object[] } {
  const entries = readLatestEntries(state, MOST_ENTRIES).map(
    ({ seq, at, action, actor, decision, target, tampered }) => ({
      ...{ seq, at, action, agent: actor.agent, decision, target: lastPart(target) },
      ...(tampered && { tampered }),
    }),
  )
  return { total: state.head().seq, entries }
}

function toPoint(point: TrendPoint): object {
  const { started_at, scope, rating = null, score = null, open, introduced = null, resolved = null } = point
  const counts = Object.fromEntries(SEVERITIES.map(severity => [severity, point[severity]]))
  return { started_at, scope, rating, score, open, introduced, resolved, ...counts }
}
