import type { Finding } from '../../base/records/finding.ts'
import type {
  ControlResult,
  ControlState,
  FrameworkResult,
  ObligationResult,
  StateCounts,
} from '../../base/records/framework.ts'
import { findKey, listKeys, listRuleIds } from '../../base/records/rule-ids.ts'
import type { NotEvaluated } from '../../base/records/run.ts'
import { ADVISORY_CWES, VULNERABILITIES_RULE } from '../../base/records/vulnerable-components.ts'
import { computePercent } from '../../base/text/percent.ts'
import { formatCount } from '../../base/text/words.ts'
import { type FactInput, type FileFacts, gatherFileFacts, makeEvidenceKey } from './file-facts.ts'
import { type Control, type Framework, mapControlsByRule, type Pack, RuleIndex } from './pack.ts'

/** What a run knows that bears on controls. */
export interface CoverageInput extends JudgedInput<CoverageFinding>, FactInput {}

/** The rules that ran, and what came of them. */
export interface JudgedInput<F> {
  rules: FactInput['rules']
  findings: readonly F[]
  notEvaluated: readonly Pick<NotEvaluated, 'rule_id' | 'file'>[]
}

/**
 * The state of every control of the frameworks. Violated goes before all else: an open finding of a rule mapped to the control, or of
 * any other source with one of its CWE numbers. A control is met only where each rule mapped to it that has files was evaluated on all
 * of them, at least one was, nothing was found, and it has no obligation: a file of the repository can be evidence of one, but only a
 * reviewer vouches for it. One whose rules have no file is not applicable, one that nothing checked is not evaluated, and one that needs
 * a reviewer is manual. Where vulnerabilities of dependencies are not known, a control on vulnerable components is not evaluated.
 */
export function computeCoverage(packs: readonly Pack[], input: CoverageInput): FrameworkResult[] {
  const bearing = mapControlsByRule(packs, input.rules)
  const rules = input.rules.filter(({ id }) => bearing.has(id))
  return coverFrameworks(packs, input, gatherFileFacts(packs, { ...input, rules }))
}

/** What a finding says that bears on controls. */
export type CoverageFinding = Pick<Finding, 'rule_id' | 'also' | 'status' | 'controls' | 'cwe'>

/** Called for each control with the rules that bear on it, those of them that had files, and the findings of its weaknesses, accepted ones included. */
export type Trace<F> = (
  at: { framework: string; control: string },
  facts: { rules: ReadonlySet<string>; withFiles: ReadonlySet<string>; findings: readonly F[] },
) => void

/** The same, where the facts about the files are known already. */
export function coverFrameworks<F extends CoverageFinding>(
  packs: readonly Pack[],
  input: JudgedInput<F>,
  known: FileFacts,
  trace?: Trace<F>,
): FrameworkResult[] {
  const index = new RuleIndex(input.rules)
  const facts = gatherFacts(input, new Set(Object.keys(known.with_files)))
  const results: FrameworkResult[] = []
  for (const pack of packs) {
    const { framework } = pack
    if (!framework) continue
    const obligations = pack.obligations.map((each): ObligationResult & { control: string } => ({
      ...{ id: each.id, title: each.title, evidence: each.evidence },
      files: known.evidence[makeEvidenceKey(pack, each)]!,
      control: each.control,
    }))
    const controls = pack.controls.map(control =>
      resultOf(
        control,
        framework,
        index.bearingOn(control),
        obligations.filter(each => each.control === control.id).map(({ control: _, ...rest }) => rest),
        facts,
        trace,
      ),
    )
    const counts = countStates(controls)
    const coverage = computeCoveragePercent(counts)
    results.push({
      id: framework.id,
      name: `${framework.name} ${framework.edition}`,
      pack_id: pack.id,
      pack_version: pack.version,
      ...(framework.controls_total === undefined ? {} : { controls_total: framework.controls_total }),
      counts,
      ...(coverage === undefined ? {} : { coverage }),
      controls,
    })
  }
  return results
}

/** met / (met + violated) in percent; undefined where there is neither. */
export function computeCoveragePercent({ met, violated }: Pick<StateCounts, 'met' | 'violated'>): number | undefined {
  return computePercent(met, met + violated)
}

/** How many of the controls are in each state. */
export function countStates(controls: readonly { state: ControlState }[]): StateCounts {
  const counts: StateCounts = { violated: 0, met: 0, manual: 0, not_applicable: 0, not_evaluated: 0 }
  for (const { state } of controls) counts[state]++
  return counts
}

interface Facts<F> {
  hasFiles: ReadonlySet<string>
  held: ReadonlySet<string>
  /** Findings by rule. */
  violating: ReadonlyMap<string, readonly F[]>
  /** Findings by `framework control`, where a finding names the control itself. */
  byControl: ReadonlyMap<string, readonly F[]>
  /** Findings of rules that no pack has, such as those of other scanners, by CWE number. */
  foreign: ReadonlyMap<string, readonly F[]>
}

function gatherFacts<F extends CoverageFinding>(
  { rules, findings, notEvaluated }: JudgedInput<F>,
  hasFiles: ReadonlySet<string>,
): Facts<F> {
  const known = new Set(rules.map(({ id }) => id))
  const violating = new Map<string, F[]>()
  const byControl = new Map<string, F[]>()
  const foreign = new Map<string, F[]>()
  const add = (groups: Map<string, F[]>, key: string, finding: F) => {
    const group = groups.get(key)
    if (group) group.push(finding)
    else groups.set(key, [finding])
  }
  for (const finding of findings) {
    const key = findKey(finding)
    add(violating, key, finding)
    for (const { framework, control } of finding.controls) add(byControl, `${framework} ${control}`, finding)
    if (!known.has(key)) for (const cwe of finding.cwe) add(foreign, cwe, finding)
  }
  return {
    hasFiles,
    held: new Set(notEvaluated.flatMap(({ rule_id }) => listKeys(rule_id))),
    violating,
    byControl,
    foreign,
  }
}

function resultOf<F extends CoverageFinding>(
  control: Control,
  framework: Framework,
  bearing: ReadonlySet<string>,
  obligations: ObligationResult[],
  facts: Facts<F>,
  trace?: Trace<F>,
): ControlResult {
  // A finding is counted once, by whichever way it is mapped to the control.
  const found = new Set([
    ...[...bearing].flatMap(rule => facts.violating.get(rule) ?? []),
    ...(facts.byControl.get(`${framework.id} ${control.id}`) ?? []),
    ...control.maps.flatMap(({ cwe }) => cwe.flatMap(number => facts.foreign.get(number) ?? [])),
  ])
  trace?.(
    { framework: framework.id, control: control.id },
    { rules: bearing, withFiles: facts.hasFiles, findings: [...found] },
  )
  const findings = [...found].filter(({ status }) => status !== 'suppressed').length
  const needsAdvisories = control.maps.some(({ cwe }) => cwe.some(number => ADVISORY_CWES.has(number)))
  const held = [...bearing, ...(needsAdvisories ? [VULNERABILITIES_RULE] : [])]
    .filter(rule => facts.held.has(rule))
    .sort()
  const ran = [...bearing].filter(rule => facts.hasFiles.has(rule) && !facts.held.has(rule))
  const idle = [...bearing].filter(rule => !facts.hasFiles.has(rule) && !facts.held.has(rule))
  const checked = listRuleIds(ran)
  const facing = {
    findings,
    accepted: found.size - findings,
    checked: checked.length,
    not_evaluated: listRuleIds(held),
    without_files: listRuleIds(idle).filter(id => !checked.includes(id)).length,
    obligations,
  }
  return { id: control.id, title: control.title, ...judgeControl(control, facing), ...facing }
}

/**
 * State and reason, from what the control faces. `vouched` is what a reviewer has shown of it: for the whole control, or for the
 * obligations with these ids. Nothing that a reviewer shows outweighs a finding, or a rule that was not evaluated.
 */
export function judgeControl(
  { kind }: Pick<Control, 'kind'>,
  {
    findings,
    checked,
    not_evaluated,
    without_files,
    obligations,
  }: Omit<ControlResult, 'id' | 'title' | 'state' | 'because'>,
  vouched: Vouched = NOTHING_VOUCHED,
): Pick<ControlResult, 'state' | 'because'> {
  if (findings > 0) return { state: 'violated', because: `${formatCount(findings, 'finding')} of its weaknesses.` }
  const isShown = ({ id }: ObligationResult) => vouched.control || vouched.obligations.has(id)
  const owed = obligations.filter(each => !isShown(each))
  if (owed.length > 0) return { state: 'manual', because: formatOwed(owed) }
  if (not_evaluated.length > 0) {
    return {
      state: 'not_evaluated',
      because: `Unknown: ${formatCount(not_evaluated.length, 'rule')} not evaluated on at least one file; a manual review is needed.`,
    }
  }
  if (kind === 'organizational' && obligations.length === 0 && !vouched.control)
    return { state: 'manual', because: 'An organizational control: evidence is needed, a scan cannot show it.' }
  const isVouched = vouched.control || obligations.some(isShown)
  const clean = checked > 0 && `${formatCount(checked, 'rule')} evaluated, no findings`
  if (clean || isVouched) {
    const reasons = [clean, isVouched && 'a reviewer vouches for it with evidence'].filter(Boolean).join(', and ')
    return { state: 'met', because: `${reasons[0]!.toUpperCase()}${reasons.slice(1)}.` }
  }
  if (without_files > 0)
    return {
      state: 'not_applicable',
      because: `No file in a language of its ${formatCount(without_files, 'rule')}.`,
    }
  return { state: 'not_evaluated', because: 'No active rule is mapped to it, so nothing was checked.' }
}

/** What a reviewer still has to show. A file that may be the evidence is named: what it says, nobody has vouched for. */
function formatOwed(owed: readonly ObligationResult[]): string {
  const missing = `Evidence missing: ${owed.map(({ title }) => title).join('; ')}.`
  const possible = [...new Set(owed.flatMap(({ files }) => files))]
  if (possible.length === 0) return missing
  return `${missing} Possible evidence: ${possible.join(', ')}; attach it with \`svc evidence add\`.`
}

/** What a reviewer vouches for with valid evidence: the whole control, or single obligations by id. */
export interface Vouched {
  control: boolean
  obligations: ReadonlySet<string>
}

const NOTHING_VOUCHED: Vouched = { control: false, obligations: new Set() }
