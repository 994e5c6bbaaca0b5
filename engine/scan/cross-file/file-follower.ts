import type { SourceFile } from '../../base/records/source-file.ts'
import { Positions } from '../../base/text/positions.ts'
import { locateMatches } from '../../detect/file/places.ts'
import type { RuleSet } from '../../detect/file/rule-set.ts'
import type { Limits } from '../../detect/rules/file-outcome.ts'
import type { RawMatch } from '../../detect/rules/match.ts'
import { followReturns, type Reported } from '../../detect/taint/again.ts'
import { type Entered, type Entry, followEntries, listHandovers } from '../../detect/taint/cross-file.ts'
import type { Outside } from '../../detect/taint/outside.ts'
import type { Followed, Place, Settled } from './memory.ts'
import { type Opened, Places } from './opened.ts'
import type { KnownOutside } from './returns.ts'
import type { Targets } from './targets.ts'

/** What a file comes to in which there is nothing to follow. */
export const NOTHING: Followed = { matches: [], excluded: [], passed: [], exhausted: [] }

/** Follows input within one file, and tells what comes of it by places as people count them. */
export class FileFollower {
  readonly #rules: RuleSet
  readonly #limits: Limits
  readonly #targets: Targets

  constructor(rules: RuleSet, limits: Limits, targets: Targets) {
    this.#rules = rules
    this.#limits = limits
    this.#targets = targets
  }

  /** What input of the file's own goes to other files, and which functions give it. */
  list({ path, language: named }: SourceFile, { language, text, trees }: Opened): Followed {
    const leads = (name: string): boolean => this.#targets.leads(path, language, name)
    const isCalling = this.#targets.mayCall(path, named!, text)
    const plain = this.#targets.listPlain(path, named!)
    const leading = { leads, plain, isCalling }
    const { handovers, exhausted, giving } = listHandovers(this.#rules, language, trees.bare, text, leading)
    const places = new Places(path, new Positions(text))
    const passed = handovers.filter(({ callee }) => leads(callee)).map(each => places.toPassed(each))
    const given = giving.map(({ names, returned }) => ({ names, outcome: places.toOutcome(returned, true) }))
    return { matches: [], excluded: [], passed, exhausted, ...(given.length > 0 && { giving: given }) }
  }

  /** What input comes to that enters functions of the file. */
  enter(file: SourceFile, opened: Opened, entries: readonly Entry[]): Followed[] {
    return this.#enter(file, opened, entries)
  }

  /** What a file, or an entry into it, comes to with what is known of other files. */
  settle(file: SourceFile, opened: Opened, { outside, names }: KnownOutside, entry?: Entry): Settled {
    if (entry) {
      const [followed] = this.#enter(file, opened, [entry], outside)
      return { ...followed!, before: followed!.matches.map(() => []), gone: [], surer: [] }
    }
    const { language, text, trees } = opened
    const known = followReturns(this.#rules, language, trees.bare, text, outside, names)
    const places = new Places(file.path, new Positions(text), outside.begun)
    const leads = (name: string): boolean => this.#targets.leads(file.path, language, name)
    const toPlace = ({ rule, start, from, callees }: Reported): Place => ({
      ...{ rule, ...places.at(start), from: places.at(from) },
      ...(callees && { callees }),
    })
    const located = known.added.map(raw => ({ raw, ...this.#locate(file, opened, [raw]) }))
    return {
      // One by one, since each has a way of its own.
      matches: located.flatMap(({ matches }) => matches),
      before: located.flatMap(({ matches, raw }) => matches.map(() => places.before(raw.flow ?? []))),
      excluded: located.flatMap(({ excluded }) => excluded),
      passed: known.handovers.filter(({ callee }) => leads(callee)).map(each => places.toPassed(each)),
      exhausted: [],
      gone: known.gone.map(toPlace),
      surer: known.surer.map(toPlace),
      giving: known.giving.map(({ names: of, returned }) => ({
        names: of,
        outcome: places.toOutcome(returned, true),
      })),
    }
  }

  #enter(file: SourceFile, opened: Opened, entries: readonly Entry[], outside?: Outside): Followed[] {
    const { language, text, trees } = opened
    const places = new Places(file.path, new Positions(text), outside?.begun)
    return followEntries(this.#rules, language, trees.bare, text, entries, outside).map(
      ({ matches, handovers, exhausted, returned, checks, isAbsent }: Entered, index): Followed => ({
        ...this.#locate(file, opened, matches),
        passed: handovers.map(each => places.toPassed(each)),
        exhausted,
        ...(returned && { returned: places.toOutcome(returned, entries[index]!.input.isCarrier) }),
        ...(checks && { checks }),
        ...(isAbsent && { isAbsent }),
      }),
    )
  }

  #locate(
    { path, in_test }: SourceFile,
    { language, text, trees }: Opened,
    raw: readonly RawMatch[],
  ): Pick<Followed, 'matches' | 'excluded'> {
    if (raw.length === 0) return { matches: [], excluded: [] }
    const input = { path, language, in_test, bytes: new Uint8Array() }
    const located = locateMatches(this.#rules, input, this.#limits, { raw, text, root: trees.whole })
    return { matches: located.matches, excluded: located.excluded ?? [] }
  }
}
