import type { TaintRule } from '../base/records/rule.ts'
import { REVIEW_SUFFIX, resolveRuleId } from '../base/records/rule-ids.ts'
import type { TaintModel } from '../base/records/taint-model.ts'
import { deriveRequirement } from '../detect/file/requirement.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import { followsInput } from '../detect/taint/runs.ts'
import type { AnalysisSource } from '../sources/config/scan-schema.ts'
import { compileLibrary } from '../sources/packs/libraries/compile.ts'

/** What a scan is asked to follow beside what the rules follow by themselves. */
export interface AskedSources {
  /** Kinds of source of which findings are made (`analysis.sources`). */
  sources: readonly AnalysisSource[]
  /** Whether places to review are looked for with the kinds that rules name for it (`review_sources`). */
  review: boolean
}

/** The kinds of source by the words of the configuration. */
const KINDS: Readonly<Record<AnalysisSource, string>> = {
  parameters: 'parameter',
  arguments: 'argument',
  environment: 'environment',
  stdin: 'stdin',
  files: 'file',
}

/**
 * The rules as a scan runs them: taint rules follow the sources that the configuration asks for, with their own ids and fingerprints; and where
 * places to review are asked for, each rule with `review_sources` has a twin that is followed apart and makes no finding.
 */
export function addAsked(rules: readonly CompiledRule[], { sources, review }: AskedSources): readonly CompiledRule[] {
  if (sources.length === 0 && !review) return rules
  const kinds = sources.map(source => KINDS[source])
  const chosen = chooseForms(rules.filter((rule): rule is CompiledTaintRule => followsInput(rule)))
  const twins = review ? [...chosen.keys()].flatMap(rule => makeTwin(rule) ?? []) : []
  const follow = (rule: CompiledRule): CompiledRule => {
    const followed = chosen.get(rule as CompiledTaintRule)
    const added = followed ? kinds.filter(kind => !followed.has(kind)) : []
    return added.length === 0 ? rule : addKinds(rule as CompiledTaintRule, added)
  }
  return [...(kinds.length === 0 ? rules : rules.map(follow)), ...twins]
}

type CompiledTaintRule = CompiledRule & TaintRule

/**
 * The rules that follow more, each with the kinds of source that forms of its weakness follow in its languages already: of forms with the same
 * sinks the one for requests, so that no place is reported twice.
 */
function chooseForms(rules: readonly CompiledTaintRule[]): Map<CompiledTaintRule, ReadonlySet<string>> {
  const byWeakness = new Map<string, CompiledTaintRule[]>()
  for (const rule of rules.filter(({ sources, own_sources }) => sources.length > 0 && own_sources.length === 0)) {
    const id = resolveRuleId(rule.id)
    const known = byWeakness.get(id)
    if (known) known.push(rule)
    else byWeakness.set(id, [rule])
  }
  const out = new Map<CompiledTaintRule, ReadonlySet<string>>()
  for (const forms of byWeakness.values())
    for (const form of forms) {
      const own = listSinkNames(form)
      const beside = forms.filter(
        other =>
          other.languages.some(name => form.languages.includes(name)) &&
          [...own].every(name => listSinkNames(other).has(name)),
      )
      const isForRequests = ({ sources }: CompiledTaintRule) => sources.includes('request')
      const first = beside.find(isForRequests) ?? beside[0]
      if (first === form) out.set(form, new Set(beside.flatMap(each => each.sources)))
    }
  return out
}

/** What the sinks of a rule are called. */
function listSinkNames({ sinks }: CompiledTaintRule): ReadonlySet<string> {
  return new Set(sinks.flatMap(({ calls = [], writes = [], returned_by = '' }) => [...calls, ...writes, returned_by]))
}

function addKinds(rule: CompiledTaintRule, added: readonly string[]): CompiledRule {
  return compile({ ...rule, sources: [...rule.sources, ...added], asked_sources: [...added] }, added)
}

function makeTwin(rule: CompiledTaintRule): CompiledRule | undefined {
  const kinds = rule.review_sources ?? []
  if (kinds.length === 0) return undefined
  const sinks = rule.sinks.map(({ from: _, ...sink }) => sink)
  const id = `${rule.id}${REVIEW_SUFFIX}`
  return compile({ ...rule, id, severity: 'low', review: true, apart: true, sources: [...kinds], sinks }, kinds)
}

/** A rule that follows other sources is found by another digest, so that no result of before is taken for one of now. */
function compile(changed: CompiledTaintRule, kinds: readonly string[]): CompiledRule {
  const { number: _, digest: __, digests: ___, ...rule } = changed
  const libraries = kinds.includes(KINDS.parameters)
    ? [...(rule.libraries ?? []), listParameters(rule.languages)]
    : undefined
  const made = { ...rule, ...(libraries && { libraries }) }
  return { ...made, requirement: deriveRequirement(made) }
}

const models = new Map<string, TaintModel>()

/** The parameters of functions that code outside of a file can call; one for the same languages, since models are told apart by identity. */
function listParameters(languages: readonly string[]): TaintModel {
  const key = languages.join(' ')
  let model = models.get(key)
  if (!model) {
    const source = { kind: KINDS.parameters, label: 'parameter', parameters: [{ callable: true as const }] }
    const compiled = compileLibrary({
      ...{ library: 'callers', languages: [...languages], handlers: [source], match: [], clean: [] },
    })
    model = { ...compiled, sources: compiled.sources.map(each => ({ ...each, adds: true as const })) }
    models.set(key, model)
  }
  return model
}
