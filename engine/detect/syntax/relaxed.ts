type RuleObject = Record<string, unknown>

/** What a node itself must be. */
const OWN = ['pattern', 'kind', 'regex', 'nthChild'] as const
/** What must stand around it; without `stopBy` only the nearest nodes are looked at. */
const AROUND = ['has', 'inside', 'precedes', 'follows'] as const

/** How much of what a rule says of the nodes around one is kept: of the nearest ones alone, or of all that are below it as well. */
export type Reach = 'near' | 'below'

/**
 * The part of an ast-grep rule object that looks at a node and its nearest neighbors only (or at everything below it too): every
 * node that the rule matches, the relaxed rule matches too, and the search of near nodes is linear in the tree. Expressions that
 * `keeps` does not want are left out. Undefined where nothing is left.
 */
export function relaxRule(
  rule: RuleObject,
  utils: RuleObject = {},
  { keeps = () => true, reach = 'near' }: { keeps?: (regex: string) => boolean; reach?: Reach } = {},
): RuleObject | undefined {
  const relax = (rule: RuleObject, depth: number): RuleObject | undefined => {
    if (depth > 20) return undefined
    const parts: RuleObject[] = []
    const isKept = (key: string) => key in rule && (key !== 'regex' || keeps(String(rule.regex)))
    const own = Object.fromEntries(OWN.filter(isKept).map(key => [key, rule[key]]))
    if (Object.keys(own).length > 0) parts.push(own)
    const under = (part: unknown) => relax((part ?? {}) as RuleObject, depth + 1)
    for (const key of AROUND) {
      const relation = rule[key] as RuleObject | undefined
      if (!relation || (isFar(relation) && !(reach === 'below' && key === 'has'))) continue
      const part = under(relation)
      // A search that stops nowhere finds whatever one finds that stops somewhere.
      if (part)
        parts.push({ [key]: { ...part, ...keysOf(relation, ['field']), ...(isFar(relation) && { stopBy: 'end' }) } })
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
  return relax(rule, 0)
}

function keysOf(object: RuleObject, keys: readonly string[]): RuleObject {
  return Object.fromEntries(keys.filter(key => object[key] !== undefined).map(key => [key, object[key]]))
}

/**
 * The rule with another name for each metavariable wherever it stands: it matches wherever the rule does, and leaves the names of the
 * rule that is asked after it to that rule; `mark` tells the names of several such rules apart. Not `$_NAME`, which takes nothing down: in some grammars that parses as something else.
 */
export function renameCaptures(rule: RuleObject, mark: string): RuleObject {
  let count = 0
  const rename = (pattern: string) =>
    pattern.replace(/\$([A-Z][A-Z0-9_]*)/g, (_, name: string) => `$${name}_${mark}${++count}`)
  const visit = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(visit)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, value]) => [key, key === 'pattern' ? renamed(value) : visit(value)]),
    )
  }
  const renamed = (pattern: unknown) =>
    typeof pattern === 'string'
      ? rename(pattern)
      : { ...(pattern as RuleObject), context: rename(String((pattern as RuleObject).context)) }
  return visit(rule) as RuleObject
}

/** Relations that lead out of what a node holds. */
const OUTWARD = ['inside', 'precedes', 'follows']

/**
 * Whether the rule reads all that stands far outside of a node, which may be the whole file for each candidate. Kinds and names of
 * the nodes around one are not meant: they cost a look each.
 */
export function readsOutside(rule: unknown, utils: RuleObject = {}): boolean {
  return hasPart(rule, utils, (key, part) => OUTWARD.includes(key) && isFar(part) && readsAll(part, utils))
}

/** Whether the rule reads the text of a node, or whatever stands below or around it. */
function readsAll(rule: unknown, utils: RuleObject): boolean {
  return hasPart(rule, utils, (key, part) => key === 'regex' || (AROUND.some(each => each === key) && isFar(part)))
}

/** Whether a key of the rule, or of what it refers to, is of the kind that is asked for. */
function hasPart(
  rule: unknown,
  utils: RuleObject,
  fits: (key: string, part: unknown) => boolean,
  followed: ReadonlySet<string> = new Set(),
): boolean {
  if (Array.isArray(rule)) return rule.some(part => hasPart(part, utils, fits, followed))
  if (typeof rule !== 'object' || rule === null) return false
  return Object.entries(rule).some(([key, part]) => {
    if (fits(key, part)) return true
    if (key !== 'matches' || typeof part !== 'string') return hasPart(part, utils, fits, followed)
    return !followed.has(part) && hasPart(utils[part], utils, fits, new Set([...followed, part]))
  })
}

function isFar(part: unknown): boolean {
  return typeof part === 'object' && part !== null && looksFar((part as RuleObject).stopBy)
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
  const found = relaxRule(rule, utils, { keeps: regex => regex.length <= LONGEST_REGEX })
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
