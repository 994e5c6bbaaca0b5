type RuleObject = Record<string, unknown>

/** What a node itself must be; most other keys of a rule object look at the nodes around it. */
const OWN = ['pattern', 'kind', 'regex'] as const

/**
 * The part of an ast-grep rule object that says what the node itself and its fields must be, without what must stand around
 * it: every node that the rule matches, the relaxed rule matches too, and its search is linear in the tree. Undefined where nothing is left.
 */
export function relaxed(rule: RuleObject, utils: RuleObject = {}, depth = 0): RuleObject | undefined {
  if (depth > 20) return undefined
  const parts: RuleObject[] = []
  const under = (part: unknown) => relaxed((part ?? {}) as RuleObject, utils, depth + 1)
  const own = Object.fromEntries(OWN.filter(key => key in rule).map(key => [key, rule[key]]))
  if (Object.keys(own).length > 0) parts.push(own)
  const child = childOf(rule.has)
  if (child) parts.push({ has: child })
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

/**
 * What the child in a field must be, such as the name of the function that is called; without patterns, since what their
 * variables took would bind the rest.
 */
function childOf(has: unknown): RuleObject | undefined {
  const { field, stopBy, kind, regex } = (has ?? {}) as RuleObject
  if (typeof field !== 'string' || (stopBy !== undefined && stopBy !== 'neighbor')) return undefined
  if (kind === undefined && regex === undefined) return undefined
  return { field, ...(kind === undefined ? {} : { kind }), ...(regex === undefined ? {} : { regex }) }
}
