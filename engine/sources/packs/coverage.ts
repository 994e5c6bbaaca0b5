import type { Finding } from '../../base/records/finding.ts'
import type {
  ControlResult,
  ControlState,
  FrameworkResult,
  ObligationResult,
  StateCounts,
} from '../../base/records/framework.ts'
import type { NotEvaluated } from '../../base/records/run.ts'
import { type FactInput, type FileFacts, gatherFileFacts, makeEvidenceKey } from './file-facts.ts'
import { type Control, type Framework, mapControlsByRule, type Pack, RuleIndex } from './pack.ts'

/** What a run knows that bears on controls. */
export interface CoverageInput extends FactInput {
  findings: readonly Pick<Finding, 'rule_id' | 'status' | 'controls'>[]
  notEvaluated: readonly Pick<NotEvaluated, 'rule_id' | 'file'>[]
}

/**
 * The state of every control of the frameworks. Violated goes before all else; a control is met only where each rule that
 * bears on it and has files was evaluated on all of them, at least one was, nothing was found, and every obligation has a
 * file as evidence; what nothing looked at is not applicable, and what a person must settle is manual.
 */
export function computeCoverage(packs: readonly Pack[], input: CoverageInput): FrameworkResult[] {
  const bearing = mapControlsByRule(packs, input.rules)
  const rules = input.rules.filter(({ id }) => bearing.has(id))
  return coverFrameworks(packs, input, gatherFileFacts(packs, { ...input, rules }))
}

/** The same, where it is known already what the files have to do with it. */
export function coverFrameworks(
  packs: readonly Pack[],
  input: Pick<CoverageInput, 'rules' | 'findings' | 'notEvaluated'>,
  known: FileFacts,
): FrameworkResult[] {
  const index = new RuleIndex(input.rules)
  const facts = factsOf(input, new Set(Object.keys(known.with_files)))
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

/** met / (met + violated) in percent, rounded down to one decimal so that 100 means all; undefined where there is neither. */
export function computeCoveragePercent({ met, violated }: Pick<StateCounts, 'met' | 'violated'>): number | undefined {
  return met + violated === 0 ? undefined : Math.floor((met / (met + violated)) * 1000) / 10
}

/** How many of the controls are in each state. */
export function countStates(controls: readonly { state: ControlState }[]): StateCounts {
  const counts: StateCounts = { violated: 0, met: 0, manual: 0, 'not-applicable': 0 }
  for (const { state } of controls) counts[state]++
  return counts
}

interface Facts {
  hasFiles: ReadonlySet<string>
  held: ReadonlySet<string>
  /** Findings by rule, and by `framework control` where a finding names it itself. */
  violating: ReadonlyMap<string, readonly Pick<Finding, 'status'>[]>
  byControl: ReadonlyMap<string, readonly (Pick<Finding, 'status'> & { rule_id: string })[]>
}

function factsOf(
  { findings, notEvaluated }: Pick<CoverageInput, 'findings' | 'notEvaluated'>,
  hasFiles: ReadonlySet<string>,
): Facts {
  const violating = new Map<string, Pick<Finding, 'status'>[]>()
  const byControl = new Map<string, (Pick<Finding, 'status'> & { rule_id: string })[]>()
  for (const finding of findings) {
    const same = violating.get(finding.rule_id)
    if (same) same.push(finding)
    else violating.set(finding.rule_id, [finding])
    for (const { framework, control } of finding.controls) {
      const key = `${framework} ${control}`
      const others = byControl.get(key)
      if (others) others.push(finding)
      else byControl.set(key, [finding])
    }
  }
  return { hasFiles, held: new Set(notEvaluated.map(({ rule_id }) => rule_id)), violating, byControl }
}

function resultOf(
  control: Control,
  framework: Framework,
  bearing: ReadonlySet<string>,
  obligations: ObligationResult[],
  facts: Facts,
): ControlResult {
  const own = (facts.byControl.get(`${framework.id} ${control.id}`) ?? []).filter(
    ({ rule_id }) => !bearing.has(rule_id),
  )
  const found = [...[...bearing].flatMap(rule => facts.violating.get(rule) ?? []), ...own]
  const findings = found.filter(({ status }) => status !== 'suppressed').length
  const held = [...bearing].filter(rule => facts.held.has(rule)).sort()
  const checked = [...bearing].filter(rule => facts.hasFiles.has(rule) && !facts.held.has(rule)).length
  const facing = {
    findings,
    accepted: found.length - findings,
    checked,
    not_evaluated: held,
    without_files: bearing.size - checked - held.length,
    obligations,
  }
  return { id: control.id, title: control.title, ...judge(control, facing), ...facing }
}

/** State and reason, from what the control faces. */
function judge(
  { kind }: Pick<Control, 'kind'>,
  {
    findings,
    checked,
    not_evaluated,
    without_files,
    obligations,
  }: Omit<ControlResult, 'id' | 'title' | 'state' | 'because'>,
): Pick<ControlResult, 'state' | 'because'> {
  if (findings > 0) return { state: 'violated', because: `${count(findings, 'finding')} against it.` }
  const owed = obligations.filter(({ files }) => files.length === 0)
  if (owed.length > 0)
    return { state: 'manual', because: `A person must show: ${owed.map(({ title }) => title).join('; ')}.` }
  if (not_evaluated.length > 0) {
    return {
      state: 'manual',
      because: `Unknown: ${count(not_evaluated.length, 'rule')} could not be evaluated on some file, so a person must look.`,
    }
  }
  const shown =
    obligations.length > 0 ? `the files for ${obligations.map(({ title }) => title).join('; ')} are there` : ''
  if (kind === 'organizational' && obligations.length === 0)
    return { state: 'manual', because: 'A person must show what is done; no scan can.' }
  if (checked > 0) {
    const clean = `${count(checked, 'rule')} looked and found nothing`
    return { state: 'met', because: `${shown ? `${clean}, and ${shown}` : clean}.` }
  }
  if (shown) return { state: 'met', because: `${shown[0]!.toUpperCase()}${shown.slice(1)}.` }
  return {
    state: 'not-applicable',
    because:
      without_files > 0
        ? `No file in a language of its ${count(without_files, 'rule')}.`
        : 'No active rule bears on it, so nothing was looked at.',
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
