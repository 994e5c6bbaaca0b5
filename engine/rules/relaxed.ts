type RuleObject = Record<string, unknown>

/** What a node itself must be. */
const OWN = ['pattern', 'kind', 'regex', 'nthChild'] as const
/** What must stand around it; without `stopBy` only the nearest nodes are looked at. */
const AROUND = ['has', 'inside', 'precedes', 'follows'] as const

/**
 * The part of an ast-grep rule object that looks at a node and its nearest neighbours only: every node that the rule
 * matches, the relaxed rule matches too, and its search is linear in the tree. Expressions that `keeps` does not want are left
 * out. Undefined where nothing is left.
 */
export function relaxed(
  rule: RuleObject,
  utils: RuleObject = {},
  keeps: (regex: string) => boolean = () => true,
  depth = 0,
): RuleObject | undefined {
  if (depth > 20) return undefined
  const parts: RuleObject[] = []
  const isKept = (key: string) => key in rule && (key !== 'regex' || keeps(String(rule.regex)))
  const own = Object.fromEntries(OWN.filter(isKept).map(key => [key, rule[key]]))
  if (Object.keys(own).length > 0) parts.push(own)
  const under = (part: unknown) => relaxed((part ?? {}) as RuleObject, utils, keeps, depth + 1)
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

/** A longer expression is left out of an outline: those that list names, and so tell most, are shorter. */
const LONGEST_REGEX = 240
/** Expressions of so many characters take longer to compile than a small file takes to search. */
const MUCH_REGEX = 300

/**
 * What a rule says of kinds and names of nodes and of how near ones stand to each other, for a rule with more expressions that are dear
 * to compile: where the outline finds nothing, the rule does not either. Undefined where an outline would gain nothing.
 */
export function outline({
  rule,
  utils,
  constraints,
}: Record<'rule', RuleObject> & Partial<Record<'utils' | 'constraints', RuleObject>>): RuleObject | undefined {
  const found = relaxed(rule, utils, regex => regex.length <= LONGEST_REGEX)
  // A kind alone, such as that of all calls, is in nearly every file.
  if (found === undefined || Object.keys(found).join() === 'kind') return undefined
  return regexCharacters([rule, utils, constraints]) - regexCharacters(found) < MUCH_REGEX ? undefined : found
}

function regexCharacters(rule: unknown): number {
  if (typeof rule !== 'object' || rule === null) return 0
  let sum = 0
  for (const [key, value] of Object.entries(rule))
    sum += key === 'regex' && typeof value === 'string' ? value.length : regexCharacters(value)
  return sum
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
