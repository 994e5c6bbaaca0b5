import type { Finding } from './finding.ts'
import { WEAKNESS_RULES } from './weakness-rules.gen.ts'

/**
 * A rule by weakness: one id in all languages. Its forms are what runs, one or more a language; the key of a form is the id that it has
 * inside: in fingerprints, and wherever it was named before it was part of this rule.
 */
export interface WeaknessRule {
  id: string
  title: string
  message: string
  /** Sorted. */
  keys: readonly string[]
  /** Ids of rules that were merged into a form of it and run no more, sorted, each with the key of that form. */
  former?: Readonly<Record<string, string>>
}

/** Behind the id of a rule, for its twin that reports places to review (engine/scan/asked-rules.ts): both are one rule to people. */
export const REVIEW_SUFFIX = '@review'

const byId = new Map(WEAKNESS_RULES.map(rule => [rule.id, rule]))
const byKey = new Map(WEAKNESS_RULES.flatMap(rule => listOwn(rule).map(key => [key, rule.id] as const)))
const formOf = new Map(WEAKNESS_RULES.flatMap(({ former = {} }) => Object.entries(former)))
const formerOf = new Map<string, string[]>()
for (const [former, key] of formOf) formerOf.set(key, [...(formerOf.get(key) ?? []), former])

/** The id that findings of a rule have: for the key of a form that of its rule, every other id unchanged. */
export function resolveRuleId(id: string): string {
  const key = stripReview(id)
  return byKey.get(key) ?? key
}

/** The id of the rule whose twin this is; every other id unchanged. */
export function stripReview(id: string): string {
  return id.endsWith(REVIEW_SUFFIX) ? id.slice(0, -REVIEW_SUFFIX.length) : id
}

/** The rule by weakness with this id. */
export function findWeaknessRule(id: string): WeaknessRule | undefined {
  return byId.get(id)
}

/**
 * The ids that findings of a rule have inside, today or in a run of before: of a rule by weakness the keys of its forms, of one that was merged
 * into a form that of the form and its own, every other id alone.
 */
export function listKeys(id: string): readonly string[] {
  const rule = byId.get(id)
  if (rule) return listOwn(rule)
  const form = formOf.get(id)
  return form === undefined ? [id] : [form, id]
}

function listOwn({ keys, former = {} }: WeaknessRule): readonly string[] {
  return [...keys, ...Object.keys(former)]
}

/** The id that a rule runs under: of one that was merged into a form the key of that form, every other id unchanged. */
export function resolveForm(id: string): string {
  return formOf.get(id) ?? id
}

/** The ids of rules that were merged into a form, by its key. Its findings are theirs too: in suppressions, baselines and filters. */
export function listFormer(key: string): readonly string[] {
  return formerOf.get(key) ?? []
}

/** Every id that people may name a rule by that runs under this one: its own, that of its weakness, and those that were merged into it. */
export function listNames(id: string): readonly string[] {
  const rule_id = resolveRuleId(id)
  return [id, ...(rule_id === id ? [] : [rule_id]), ...listFormer(id)]
}

/** What a finding says of its rule: of a form its rule, and beside that the key. */
export function describeRuleId(id: string): Pick<Finding, 'rule_id' | 'also'> {
  const key = stripReview(id)
  const rule_id = resolveRuleId(key)
  return rule_id === key ? { rule_id } : { rule_id, also: [key] }
}

/** A rule as people read it where forms are told apart: of a form its rule, and behind that the key. */
export function formatRuleId(id: string): string {
  const rule_id = resolveRuleId(id)
  return rule_id === id ? id : `${rule_id} (${id})`
}

/** The id that went into a finding's fingerprint, and that the packs have its rule under. */
export function findKey({ rule_id, also }: Pick<Finding, 'rule_id' | 'also'>): string {
  return also?.find(key => key !== rule_id && byKey.get(key) === rule_id) ?? rule_id
}

/** Whether a finding is of the rule that is asked for, by its id or by the key of the form that made it. A finding of a run from before has the key alone. */
export function isOfRule({ rule_id, also = [] }: Pick<Finding, 'rule_id' | 'also'>, asked: string): boolean {
  return rule_id === asked || also.includes(asked) || resolveRuleId(rule_id) === asked
}

/** Names for the rules of findings. */
export type RuleNaming = (finding: Pick<Finding, 'rule_id' | 'also'>) => string

/**
 * What a text that chooses findings by the ids of their rules, a policy, is told of them, once or twice: by the key of a form where the
 * text names that alone, by the rule where it names that alone. A text that names both, or neither (it may ask how an id begins), must
 * hold with each.
 */
export function listNamings(text: string, findings: readonly Pick<Finding, 'rule_id' | 'also'>[]): RuleNaming[] {
  const words = new Set(text.match(/[\w-]+/g))
  const choose = (isFirst: boolean) => (finding: Pick<Finding, 'rule_id' | 'also'>) => {
    const own = findKey(finding)
    const named = [own, ...listFormer(own)].find(id => words.has(id))
    const key = named ?? own
    const [byRule, byKey] = [words.has(finding.rule_id), named !== undefined]
    return byRule === byKey ? (isFirst ? finding.rule_id : key) : byKey ? key : finding.rule_id
  }
  const [first, second] = [choose(true), choose(false)]
  const isTwo = text.includes('rule') && findings.some(finding => first(finding) !== second(finding))
  return isTwo ? [first, second] : [first]
}

/** These ids as people see them, each once, in the order given. */
export function listRuleIds(ids: Iterable<string>): string[] {
  return [...new Set([...ids].map(resolveRuleId))]
}
