import type { AstRule } from '../../base/records/rule.ts'

type RuleObject = Record<string, unknown>

/** What a rule asks of the file as a whole: that something like `has` stands in it, or that nothing does. */
export interface FileCondition {
  has: RuleObject
  holds: boolean
}

/** A rule without what it asks of the whole file, and that. */
export interface Separated {
  rule: AstRule
  conditions: readonly FileCondition[]
}

/**
 * Takes out of a rule what it asks of the root of the tree, `{ inside: { kind: root, stopBy: end, has: … } }` or the opposite. The answer is the
 * same for every candidate of a file, so that it is looked for once and not from each candidate anew.
 */
export function separateFileConditions(rule: AstRule, root: string): Separated {
  const conditions: FileCondition[] = []
  const isOfNode = (part: RuleObject) => {
    const condition = conditionOf(part, root, rule.utils)
    if (condition) conditions.push(condition)
    return !condition
  }
  const own = Object.entries(rule.rule).filter(([key, part]) => isOfNode({ [key]: part }))
  const rest = own.map(([key, part]) => [key, key === 'all' ? (part as RuleObject[]).filter(isOfNode) : part])
  const isEmpty = rest.length === 0 || rest.some(([key, part]) => key === 'all' && (part as unknown[]).length === 0)
  if (conditions.length === 0 || isEmpty) return { rule, conditions: [] }
  return { rule: { ...rule, rule: Object.fromEntries(rest) as RuleObject }, conditions }
}

function conditionOf(part: RuleObject, root: string, utils: AstRule['utils']): FileCondition | undefined {
  const isNegated = isOnly(part, 'not')
  const { inside } = (isNegated ? part.not : part) as { inside?: RuleObject }
  if (!isOnly(isNegated ? part.not : part, 'inside') || !isOnly(inside, 'kind', 'stopBy', 'has')) return undefined
  const { stopBy, field, ...has } = inside!.has as RuleObject
  if (inside!.kind !== root || inside!.stopBy !== 'end' || stopBy !== 'end' || field !== undefined) return undefined
  // A captured name may have to be the one of the candidate.
  const text = JSON.stringify(has)
  if (/\$[A-Z_]/.test(text) || (text.includes('"matches"') && /\$[A-Z_]/.test(JSON.stringify(utils)))) return undefined
  return { has, holds: !isNegated }
}

/** Whether the value is a rule with exactly these keys. */
function isOnly(value: unknown, ...keys: string[]): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.keys(value).length === keys.length && keys.every(key => key in value)
}
