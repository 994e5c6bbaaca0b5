import { combineForms, groupForms } from '../../base/records/forms.ts'
import type { ControlResult, FrameworkResult } from '../../base/records/framework.ts'
import { listKeys, resolveRuleId } from '../../base/records/rule-ids.ts'
import type { Run } from '../../base/records/run.ts'
import { formatCount } from '../../base/text/words.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import { computeCoveragePercent, countStates, coverFrameworks, judgeControl } from '../../sources/packs/coverage.ts'
import { gatherFileFacts } from '../../sources/packs/file-facts.ts'
import { mapControlsByRule, type Pack } from '../../sources/packs/pack.ts'
import type { FindingFacts } from '../../sources/store/finding-facts.ts'
import type { CheckedEvidence } from '../evidence/check.ts'
import type { AssessedControl, AssessedFramework, AssessedRule } from './assessment.ts'

/** What an assessment is made of. */
export interface AssessInput {
  run: Run
  findings: readonly FindingFacts[]
  /** The files that the run scanned. */
  files: readonly { path: string; language: string }[]
  /** Framework packs to assess. */
  packs: readonly Pack[]
  /** The rules that the packs and the configuration of today select, those that the assessed frameworks bring included. */
  rules: readonly CompiledRule[]
  /** The ids of those that the configuration selects by itself. */
  configured: ReadonlySet<string>
  /** Versions of today's packs, by id. */
  versions: ReadonlyMap<string, string>
  /** Whether the run had every framework that the configuration enables: then it also had the rules that they bring. */
  hadFrameworks: boolean
  evidence: readonly CheckedEvidence[]
}

interface Traced {
  rules: ReadonlySet<string>
  withFiles: ReadonlySet<string>
  findings: readonly FindingFacts[]
}

/**
 * The state of each control, from the run and from what people vouch for. What the run recorded of a framework is the truth;
 * the rules and findings behind it come from the stored findings and the packs of today. A framework that was not on in the run is
 * computed from what is stored, and a rule of a pack that the run did not have, or had in another version, counts as not evaluated.
 */
export function assessFrameworks(input: AssessInput): AssessedFramework[] {
  const { run, findings, files, packs, rules, evidence } = input
  const paths = [...files, ...run.skipped].map(({ path }) => path)
  const bearing = mapControlsByRule(packs, rules)
  const facts = gatherFileFacts(packs, { rules: rules.filter(({ id }) => bearing.has(id)), files, paths })
  // A rule without a file in its languages has nothing that it could have missed.
  const notRun = findRulesNotRun(input)
    .filter(({ id }) => Object.hasOwn(facts.with_files, id))
    .map(({ id }) => ({ rule_id: id }))
  const traces = new Map<string, Traced>()
  const computed = coverFrameworks(
    packs,
    { rules, findings, notEvaluated: [...run.not_evaluated, ...notRun] },
    facts,
    ({ framework, control }, traced) => traces.set(`${framework} ${control}`, traced),
  )
  const held = new Set([...run.not_evaluated, ...notRun].flatMap(({ rule_id }) => listKeys(rule_id)))
  const known = new Map(rules.map(rule => [rule.id, rule]))
  return packs.map((pack, at): AssessedFramework => {
    const recorded = run.frameworks?.find(({ id }) => id === pack.framework!.id)
    const result = recorded ?? computed[at]!
    const controls = result.controls.map(control => {
      const traced = traces.get(`${result.id} ${control.id}`)
      const own = evidence.filter(each => each.framework === result.id && each.control_id === control.id)
      return assessControl(control, pack, own, describeRules(traced, held, known), traced?.findings ?? [])
    })
    return frameworkFrom(
      result,
      pack,
      controls,
      listCaveats(result, recorded !== undefined, computed[at]!, run, notRun.length),
    )
  })
}

function frameworkFrom(
  result: FrameworkResult,
  pack: Pack,
  controls: AssessedControl[],
  caveats: string[],
): AssessedFramework {
  const counts = countStates(controls)
  const coverage = computeCoveragePercent(counts)
  const { controls_total } = result
  const isWhole = controls_total === undefined || controls_total === controls.length
  return {
    id: result.id,
    name: result.name,
    edition: pack.framework!.edition,
    ...(pack.framework!.source !== undefined && { source: pack.framework!.source }),
    pack_id: result.pack_id,
    pack_version: result.pack_version,
    recorded: !caveats.includes(NOT_RECORDED),
    ...(controls_total !== undefined && { controls_total }),
    counts,
    ...(coverage !== undefined && { coverage }),
    complete:
      isWhole && controls.length > 0 && counts.met + counts.not_applicable === controls.length && counts.met > 0,
    controls,
    caveats,
  }
}

function assessControl(
  result: ControlResult,
  pack: Pack,
  evidence: CheckedEvidence[],
  rules: AssessedRule[],
  findings: readonly FindingFacts[],
): AssessedControl {
  const { because: _b, findings: _f, state: _s, ...facts } = result
  const control = pack.controls.find(({ id }) => id === result.id)
  // A control that the pack has no more: what can show it is not known, so a scan alone never does.
  const kind = control?.kind ?? 'organizational'
  const valid = evidence.filter(({ state }) => state === 'valid')
  const vouched = {
    control: valid.some(({ obligation }) => obligation === undefined),
    obligations: new Set(valid.flatMap(({ obligation }) => obligation ?? [])),
  }
  const { state, because } = judgeControl({ kind }, result, vouched)
  const lost = evidence
    .filter(each => each.state !== 'valid')
    .map(each => `The evidence “${each.title}” of ${each.owner} does not count: ${each.reason}`)
  return {
    ...facts,
    meaning: control?.meaning ?? '',
    kind,
    state,
    reason: [because, ...lost].join(' '),
    rules,
    findings,
    evidence,
  }
}

/** The rules that bear on a control by id; a rule that found something and that no pack has any more, too. */
function describeRules(
  traced: Traced | undefined,
  held: ReadonlySet<string>,
  known: ReadonlyMap<string, CompiledRule>,
): AssessedRule[] {
  if (!traced) return []
  const rows = new Map<string, AssessedRule>()
  for (const [id, forms] of groupForms([...traced.rules].map(key => known.get(key)!))) {
    const { title, pack_id } = combineForms(forms)
    const missed = forms.some(form => held.has(form.id))
    const outcome = missed
      ? 'not_evaluated'
      : forms.some(form => traced.withFiles.has(form.id))
        ? 'evaluated'
        : 'no_files'
    rows.set(id, { id, title, pack_id, outcome, open: 0, suppressed: 0 })
  }
  for (const { rule_id, title, pack_id, status } of traced.findings) {
    const id = resolveRuleId(rule_id)
    const row = rows.get(id) ?? { id, title, pack_id, outcome: 'evaluated' as const, open: 0, suppressed: 0 }
    if (status === 'suppressed') row.suppressed++
    else row.open++
    rows.set(id, row)
  }
  return [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Rules that the run cannot be shown to have had: their pack is another now, or nothing of the configuration selects them. */
function findRulesNotRun({ run, rules, configured, versions, hadFrameworks }: AssessInput): CompiledRule[] {
  const counts = new Map<string, number>()
  for (const { id, pack_id } of rules) if (configured.has(id)) counts.set(pack_id, (counts.get(pack_id) ?? 0) + 1)
  const same = new Map(
    run.packs.map(({ id, version, rules }) => [id, version === versions.get(id) && rules === (counts.get(id) ?? 0)]),
  )
  return rules.filter(({ id, pack_id }) => !(configured.has(id) && (same.get(pack_id) ?? hadFrameworks)))
}

const NOT_RECORDED =
  'The framework was not on in this run: its states are computed from the stored findings. Add its pack and scan again.'

function listCaveats(
  result: FrameworkResult,
  isRecorded: boolean,
  computed: FrameworkResult,
  run: Run,
  notRun: number,
): string[] {
  const out: string[] = []
  if (!isRecorded) out.push(NOT_RECORDED)
  const same = result.controls.every(
    (control, at) => control.checked === computed.controls[at]?.checked && control.id === computed.controls[at]?.id,
  )
  if (isRecorded && !same)
    out.push(
      'Packs or settings changed since this run: states are those of the run, the listed rules are those of today.',
    )
  if (!isRecorded && notRun > 0)
    out.push(`${formatCount(notRun, 'rule')} did not run, or in another version, and count as not evaluated.`)
  const { controls_total, controls } = result
  if (controls_total !== undefined && controls_total > controls.length)
    out.push(
      `The pack covers ${controls.length} of the framework's ${formatCount(controls_total, 'control')}; the others are not evaluated.`,
    )
  if (run.not_evaluated.length > 0) {
    const rules = new Set(run.not_evaluated.map(({ rule_id }) => rule_id)).size
    out.push(
      `${formatCount(rules, 'rule')} of the run ${rules === 1 ? 'was' : 'were'} not evaluated on at least one file.`,
    )
  }
  if (run.skipped.length > 0) out.push(`${formatCount(run.skipped.length, 'file')} skipped by the run.`)
  return out
}
