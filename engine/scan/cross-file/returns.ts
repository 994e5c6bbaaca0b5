import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { Outcome, Outside } from '../../detect/taint/outside.ts'
import type { Checks } from '../../detect/taint/outside-checks.ts'
import type { Gives, Passed } from './memory.ts'
import type { Target, Targets } from './targets.ts'

/** What is known of the functions of other files that a file, or a function of it, calls. */
export interface KnownOutside {
  outside: Outside
  /** The names of these functions. */
  names: string[]
  digest: string
}

/** The name of functions that give input, and names of what has them (a module, a class, a package): a file that calls one names both. */
export interface FreshName {
  name: string
  owners: string[]
}

/** Functions that give input whatever they are given, by their files. */
export class GivingIndex {
  readonly #byPath = new Map<string, Gives[]>()
  readonly #fresh = new Map<string, Set<string>>()

  add(path: string, giving: readonly Gives[]): void {
    const known = this.#byPath.get(path) ?? []
    for (const gives of giving) {
      const at = known.findIndex(({ names }) => names.join('.') === gives.names.join('.'))
      if (at === -1) known.push(gives)
      // What was known first stands: what is added later comes of a longer way.
      if (at !== -1) continue
      const name = gives.names.at(-1)!
      const owners = this.#fresh.get(name) ?? new Set()
      for (const owner of listOwners(path, gives.names)) owners.add(owner)
      this.#fresh.set(name, owners)
    }
    if (known.length > 0) this.#byPath.set(path, known)
  }

  /** Names that were added since this was last asked. */
  takeFresh(): FreshName[] {
    const fresh = [...this.#fresh].map(([name, owners]) => ({ name, owners: [...owners].sort() }))
    this.#fresh.clear()
    return fresh.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** What the function gives that a name leads to. */
  find({ path, names }: Target): Outcome | undefined {
    const own = this.#byPath.get(path)
    const method = names.at(-1)
    if (!own || method === undefined) return undefined
    const named = own.filter(gives => gives.names.at(-1) === method)
    const exact = named.find(gives => gives.names.join('.') === names.join('.'))
    return (exact ?? (named.length === 1 && names.length === 1 ? named[0] : undefined))?.outcome
  }

  /** What functions of these names give, wherever they are. */
  list(names: ReadonlySet<string>): [string, Gives][] {
    return [...this.#byPath]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([path, all]) =>
        all.filter(gives => names.has(gives.names.at(-1)!)).map((gives): [string, Gives] => [path, gives]),
      )
  }
}

/** What a file names that calls a function of another: its class, its module, or the package that the module is the whole of. */
function listOwners(path: string, names: readonly string[]): string[] {
  const { name, dir, ext } = posix.parse(path)
  if (names.length > 1) return [names[0]!]
  // A file that includes it, or another that does, calls it by its name alone.
  if (ext === '.php' || ext === '.rb') return [...names]
  const isWhole = name === '__init__' || name === 'index' || ext === '.go'
  // A file of the same package calls it by its name alone.
  return isWhole ? [posix.basename(dir) || '/', ...(ext === '.go' ? ['package'] : [])] : [name]
}

/**
 * What is known of other files for one file: of what it passes, by `outcomeOf`, and of the giving functions whose names it has. Undefined where
 * that is nothing.
 */
export function knowOutside(
  from: string,
  language: string,
  passed: readonly Passed[],
  outcomeOf: (passed: Passed) => { outcome?: Outcome; checks?: Checks },
  giving: { index: GivingIndex; mentioned: ReadonlySet<string> },
  targets: Targets,
): KnownOutside | undefined {
  const outcomes = new Map<string, Outcome>()
  const checked = new Map<string, Checks>()
  const names = new Set<string>(giving.mentioned)
  for (const each of passed) {
    const { outcome, checks } = outcomeOf(each)
    if (!outcome && !checks) continue
    if (outcome) outcomes.set(formatPassed(each), outcome)
    if (checks) checked.set(formatPassed(each), checks)
    names.add(nameOf(each.callee))
  }
  if (names.size === 0) return undefined
  const gifts = new Map<string, Outcome | undefined>()
  const give = (callee: string): Outcome | undefined => {
    if (!giving.mentioned.has(nameOf(callee))) return undefined
    if (!gifts.has(callee)) {
      const found = targets
        .find(from, language, callee)
        .filter(({ path }) => path !== from)
        .flatMap(target => giving.index.find(target) ?? [])
      gifts.set(callee, found[0])
    }
    return gifts.get(callee)
  }
  const outside: Outside = {
    pass: (callee, at, input) => outcomes.get(formatPassed({ callee, ...at, input })),
    check: (callee, at, input) => checked.get(formatPassed({ callee, ...at, input })),
    give,
    begun: new Map(),
  }
  const digest = createHash('sha256')
    .update(JSON.stringify([[...outcomes], [...checked], giving.index.list(giving.mentioned)]))
    .digest('hex')
  return { outside, names: [...names], digest }
}

/** What a function is passed, by which what comes out of it is known. */
export function formatPassed({ callee, position, name, isMade, input }: Omit<Passed, 'steps'>): string {
  const { kind, isCarrier, cleaned, property } = input
  return JSON.stringify([callee, isMade, name ?? position, kind, isCarrier, cleaned, property])
}

/** The name of a function itself, of its full one. */
function nameOf(callee: string): string {
  return callee.slice(Math.max(callee.lastIndexOf('.'), callee.lastIndexOf('/'), callee.lastIndexOf('\\')) + 1)
}
