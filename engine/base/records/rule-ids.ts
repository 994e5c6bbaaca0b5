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
  /** Ids of rules that were merged into a form of it, and run no more. Sorted. */
  former?: readonly string[]
}

/** Behind the id of a rule, for its twin that reports places to review (engine/scan/asked-rules.ts): both are one rule to people. */
export const REVIEW_SUFFIX = '@review'

const byId = new Map(WEAKNESS_RULES.map(rule => [rule.id, rule]))
const byKey = new Map(WEAKNESS_RULES.flatMap(rule => listOwn(rule).map(key => [key, rule.id] as const)))

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

/** The ids that findings of a rule have inside, today or in a run of before: of a rule by weakness the keys of its forms, every other id alone. */
export function listKeys(id: string): readonly string[] {
  const rule = byId.get(id)
  return rule ? listOwn(rule) : [id]
}

function listOwn({ keys, former = [] }: WeaknessRule): readonly string[] {
  return [...keys, ...former]
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
    const key = findKey(finding)
    const [byRule, byKey] = [words.has(finding.rule_id), words.has(key)]
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
