import type { Context } from '../base/context.ts'
import { EngineError } from '../base/errors.ts'
import { countBySeverity, type Finding } from '../base/records/finding.ts'
import { resolveRuleId } from '../base/records/rule-ids.ts'
import { findNearest } from '../base/text/nearest.ts'
import { computeRating } from '../findings/rating.ts'
import { computeComplianceScore } from '../findings/score.ts'
import { loadBuiltinPacks, loadPacks } from '../sources/packs/load.ts'
import { mapControlsByRule, type Pack } from '../sources/packs/pack.ts'
import { openStore, type Store } from '../sources/store/open.ts'
import { hadFiles, parseSourceDate, type ReportModel, toReportRules } from './model.ts'

const PAGE = 20_000

export interface StoredOptions {
  /** Keeps what bears on this framework's controls, by its id. */
  framework?: string
  env: Context['env']
  notice: Context['notice']
}

/**
 * The model of a stored run (an id, the beginning of one, or `latest`) of the repository at `root`, whose runs are in
 * `out`. Rules and frameworks are those of today's packs; a rule that has gone since is told from its findings.
 * RUN_NOT_FOUND and STORE_UNREADABLE as the store has them; NOT_FOUND where the run has nothing of the framework.
 */
export async function loadStoredModel(
  root: string,
  out: string,
  ref: string,
  options: StoredOptions,
): Promise<ReportModel> {
  const store = await openStore(out)
  try {
    const run = await store.run(ref)
    const findings = await readFindings(store, run.id)
    const packs = await packsOf(root, options.notice)
    const ids = new Set(run.packs.map(pack => pack.id))
    const named = new Set([...findings, ...run.not_evaluated].map(({ rule_id }) => rule_id))
    const used = packs.filter(pack => ids.has(pack.id))
    const rules = packs.flatMap(pack =>
      pack.rules.filter(rule => ids.has(pack.id) || named.has(rule.id) || named.has(resolveRuleId(rule.id))),
    )
    const controls = mapControlsByRule(used, rules)
    const model: ReportModel = {
      run,
      findings,
      rules: toReportRules(rules, controls),
      frameworks: frameworksOf(used),
      source_date: parseSourceDate(options.env.SOURCE_DATE_EPOCH),
      notice: options.notice,
    }
    return options.framework === undefined ? model : narrowed(model, options.framework)
  } finally {
    store.close()
  }
}

/** Frameworks by id, as reports name them. */
function frameworksOf(packs: readonly Pack[]): ReportModel['frameworks'] {
  return new Map(
    packs.flatMap(({ framework, version }) =>
      framework ? [[framework.id, { name: `${framework.name} ${framework.edition}`, version }] as const] : [],
    ),
  )
}

/** Every finding of a run, in its order. */
export async function readFindings(store: Store, id: string): Promise<Finding[]> {
  const findings: Finding[] = []
  let cursor: string | undefined
  do {
    const page = await store.findings(id, { limit: PAGE, cursor })
    for (const finding of page.findings) findings.push(finding)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return findings
}

/** A fault in the repository's own packs of today is no reason to refuse a report of the past. */
async function packsOf(root: string, notice: Context['notice']): Promise<readonly Pack[]> {
  try {
    return await loadPacks(root)
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'PACK_INVALID') throw error
    notice(`The repository's own packs are not in the report: ${error.message}`)
    return loadBuiltinPacks()
  }
}

/** Rules and findings that bear on one framework, with the counts and the score that they alone give. */
function narrowed(model: ReportModel, framework: string): ReportModel {
  const bears = (item: { controls: readonly { framework: string }[] }) =>
    item.controls.some(ref => ref.framework === framework)
  const rules = new Map([...model.rules].filter(([, rule]) => bears(rule)))
  const findings = model.findings.filter(finding => bears(finding) || rules.has(resolveRuleId(finding.rule_id)))
  if (rules.size === 0 && findings.length === 0) throw noFramework(model, framework)
  const { run } = model
  const not_evaluated = run.not_evaluated.filter(entry => rules.has(resolveRuleId(entry.rule_id)))
  const never = new Set(
    not_evaluated.filter(entry => entry.file === undefined).map(entry => resolveRuleId(entry.rule_id)),
  )
  const evaluated = [...rules.values()].filter(rule => !never.has(rule.id) && hadFiles(rule, run))
  const open = findings.filter(finding => finding.status === 'open')
  const baseline = findings.filter(finding => finding.status === 'baseline')
  const { baseline_by_severity: _b, ...all } = run.counts
  const counts = {
    ...all,
    rules: evaluated.length,
    findings: findings.length,
    open: open.length,
    suppressed: findings.filter(finding => finding.status === 'suppressed').length,
    baseline: baseline.length,
    by_severity: countBySeverity(open),
    ...(baseline.length > 0 && { baseline_by_severity: countBySeverity(baseline) }),
  }
  const { score: _, gate: __, frameworks, ...facts } = run
  const only = frameworks?.filter(({ id }) => id === framework) ?? []
  const score = computeComplianceScore(evaluated, findings, new Set(run.not_evaluated.map(({ rule_id }) => rule_id)))
  const name = model.frameworks.get(framework)?.name ?? framework
  const part = { ...facts, counts, not_evaluated }
  return {
    ...model,
    framework,
    run: {
      ...part,
      scope: `${run.scope}, ${name} only`,
      rating: computeRating(findings, part),
      ...(run.silent_in_tests && { silent_in_tests: run.silent_in_tests.filter(({ rule_id }) => rules.has(rule_id)) }),
      ...(run.dropped_across_files && {
        dropped_across_files: run.dropped_across_files.filter(({ rule_id }) => rules.has(rule_id)),
      }),
      ...(run.to_review && { to_review: run.to_review.filter(({ rule_id }) => rules.has(rule_id)) }),
      ...(score === undefined ? {} : { score }),
      ...(only.length > 0 ? { frameworks: only } : {}),
    },
    findings,
    rules,
  }
}

function noFramework({ frameworks, findings }: ReportModel, asked: string): EngineError {
  const known = [
    ...new Set([...frameworks.keys(), ...findings.flatMap(({ controls }) => controls.map(ref => ref.framework))]),
  ].sort()
  const meant = findNearest(asked, known)
  return new EngineError(
    'NOT_FOUND',
    `The run has no rule or finding mapped to a framework ${JSON.stringify(asked)}${meant ? `; did you mean ${meant}?` : '.'}`,
    {
      hint:
        known.length > 0
          ? `Frameworks of this run: ${known.join(', ')}.`
          : 'No framework pack was active in this run: `svc list-packs` lists them, `svc add-pack <pack>` activates one.',
    },
  )
}
