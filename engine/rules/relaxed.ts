type RuleObject = Record<string, unknown>

/** What a node itself must be. */
const OWN = ['pattern', 'kind', 'regex', 'nthChild'] as const
/** What must stand around it; without `stopBy` only the nearest nodes are looked at. */
const AROUND = ['has', 'inside', 'precedes', 'follows'] as const

/**
 * The part of an ast-grep rule object that looks at a node and its nearest neighbours only: every node that the rule
 * matches, the relaxed rule matches too, and its search is linear in the tree. Undefined where nothing is left.
 */
export function relaxed(rule: RuleObject, utils: RuleObject = {}, depth = 0): RuleObject | undefined {
  if (depth > 20) return undefined
  const parts: RuleObject[] = []
  const own = Object.fromEntries(OWN.filter(key => key in rule).map(key => [key, rule[key]]))
  if (Object.keys(own).length > 0) parts.push(own)
  const under = (part: unknown) => relaxed((part ?? {}) as RuleObject, utils, depth + 1)
  for (const key of AROUND) {
    const relation = rule[key] as RuleObject | undefined
    const near = relation && !looksFar(relation.stopBy) ? under(relation) : undefined
    if (near) parts.push({ [key]: relation?.field === undefined ? near : { ...near, field: relation.field } })
  }
  if (Array.isArray(rule.all)) parts.push(...rule.all.map(under).filter(part => part !== undefined))
  if (Array.isArray(rule.any)) {
    const choices = rule.any.map(under)
    if (choices.length > 0 && choices.every(choice => choice !== undefined)) parts.push({ any: choices })
  }
  if (typeof rule.matches === 'string' && utils[rule.matches]) {
    const part = under(utils[rule.matches])
    if (part) parts.push(part)
  }
  return parts.length > 1 ? { all: parts } : parts[0]
}

function looksFar(stopBy: unknown): boolean {
  return stopBy !== undefined && stopBy !== 'neighbor'
}

/** Whether the rule looks further around a node than its neighbours, so that its search may cost nodes times candidates. */
export function searchesFar(rule: unknown): boolean {
  if (Array.isArray(rule)) return rule.some(searchesFar)
  if (typeof rule !== 'object' || rule === null) return false
  return Object.entries(rule).some(([key, value]) => (key === 'stopBy' && looksFar(value)) || searchesFar(value))
}
