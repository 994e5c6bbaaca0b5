import type { VersionOrder } from '../versions/order.ts'

/** One comparison of a requirement. */
interface Comparator {
  operator: '<' | '<=' | '=' | '>=' | '>' | '!=' | '~>' | '^' | '~'
  version: string
}

const COMPARATOR = /^\s*(<=|>=|!=|~>|=|<|>|\^|~)?\s*([0-9A-Za-z][0-9A-Za-z.+_-]*)\s*$/

/**
 * Whether a version fulfils a requirement: comparators with commas between them, all of which must hold (Cargo's and RubyGems' form).
 * Undefined where the requirement or the version cannot be read. A bare version means `^` for Cargo and `=` for RubyGems.
 */
export function fulfills(
  order: VersionOrder,
  bare: '^' | '=',
  version: string,
  requirement: string,
): boolean | undefined {
  const key = order.parse(version)
  const comparators = readRequirement(requirement, bare)
  if (key === undefined || comparators === undefined) return undefined
  let holds = true
  for (const { operator, version: bound } of comparators) {
    const [from, to] = findBounds(operator, bound)
    const lower = order.parse(from)
    const upper = to === undefined ? undefined : order.parse(to)
    if (lower === undefined || (to !== undefined && upper === undefined)) return undefined
    const compared = order.compare(key, lower)
    if (!judge(operator, compared, upper === undefined ? -1 : order.compare(key, upper))) holds = false
  }
  return holds
}

/** The least versions that a requirement allows, as far as it names one. */
export function findLowerBounds(requirement: string, bare: '^' | '='): string[] {
  const comparators = readRequirement(requirement, bare) ?? []
  return comparators.flatMap(({ operator, version }) => (/^(>=|=|~>|\^|~)$/.test(operator) ? [version] : []))
}

function readRequirement(requirement: string, bare: '^' | '='): Comparator[] | undefined {
  const comparators: Comparator[] = []
  for (const part of requirement.split(',')) {
    const match = COMPARATOR.exec(part)
    if (!match) return undefined
    comparators.push({ operator: (match[1] as Comparator['operator'] | undefined) ?? bare, version: match[2]! })
  }
  return comparators
}

function judge(operator: Comparator['operator'], compared: number, comparedToUpper: number): boolean {
  switch (operator) {
    case '<':
      return compared < 0
    case '<=':
      return compared <= 0
    case '=':
      return compared === 0
    case '!=':
      return compared !== 0
    case '>':
      return compared > 0
    case '>=':
      return compared >= 0
    default:
      return compared >= 0 && comparedToUpper < 0
  }
}

/** From where to where an operator reaches: `~> 1.2.3` below 1.3, `~1.2.3` below 1.3.0, `^0.2.3` below 0.3.0. */
function findBounds(operator: Comparator['operator'], version: string): [from: string, to?: string] {
  if (operator !== '~>' && operator !== '^' && operator !== '~') return [version]
  const numbers = (/^[0-9]+(?:\.[0-9]+)*/.exec(version)?.[0] ?? '0').split('.')
  if (operator === '~>') return [version, raise(numbers, Math.max(numbers.length - 2, 0))]
  if (operator === '~') return [version, raise(numbers, Math.min(1, numbers.length - 1))]
  const first = numbers.findIndex(number => /[1-9]/.test(number))
  return [version, raise(numbers, first === -1 ? numbers.length - 1 : first)]
}

/** The numbers up to this place, the last one more. */
function raise(numbers: readonly string[], place: number): string {
  return [...numbers.slice(0, place), String(BigInt(numbers[place]!) + 1n)].join('.')
}
