import type { RegexRule, Surrounding } from '../../base/records/rule.ts'
import type { ActiveRules } from '../rules/active-rules.ts'

/** A stretch of a text. */
interface Place {
  readonly start: number
  readonly end: number
}

/** Characters that the expressions with names of one text in them may read together: a hundred names in a file of 1 MB. */
export const MOST_READ = 100_000_000

/** Thrown where they would read more. */
export class TooManyNames extends Error {}

const GROUP = /\\(?:([1-9])|[\s\S])/g
const SPECIAL = /[$()*+./?[\\\]^{|}]/g

/** What a rule asks of the text around its matches, answered for one text: each expression is run over it once, at the first match that asks. */
export class Surroundings {
  readonly #rules: ActiveRules
  readonly #rule: RegexRule
  readonly #text: string
  readonly #places = new Map<string, readonly Place[]>()
  #read = 0

  constructor(rules: ActiveRules, rule: RegexRule, text: string) {
    this.#rules = rules
    this.#rule = rule
    this.#text = text
  }

  /** Whether all holds of a match. */
  hold(found: RegExpExecArray): boolean {
    return (this.#rule.where ?? []).every(each => this.#holds(each, found))
  }

  #holds(asked: Surrounding, found: RegExpExecArray): boolean {
    const { before, after, anywhere, until, of, not } = asked
    if (of !== undefined && !this.#compiled(of).test(found[0])) return true
    const source = fillGroups((before ?? after ?? anywhere)!, found)
    if (source === undefined) return true
    const end = found.index + found[0].length
    const places = this.#placesOf(source, source !== (before ?? after ?? anywhere))
    if (anywhere !== undefined) return places.length > 0 !== (not === true)
    const place = before === undefined ? firstFrom(places, end) : lastUpTo(places, end)
    const isSo = place !== undefined && (until === undefined || this.#isFree(until, place, end, before !== undefined))
    return isSo !== (not === true)
  }

  /** Whether nothing of the kind begins between a place and the match. */
  #isFree(until: string, place: Place, at: number, isBefore: boolean): boolean {
    const [from, to] = isBefore ? [place.end, at] : [at, place.start]
    const next = firstFrom(this.#placesOf(until), from)
    return next === undefined || next.start >= to
  }

  /**
   * Where an expression matches; one with a name of this text in it is not kept beyond it.
   * @throws TooManyNames where these have read too much.
   */
  #placesOf(source: string, isOwn = false): readonly Place[] {
    let places = this.#places.get(source)
    if (!places) {
      if (isOwn) this.#read += this.#text.length
      if (this.#read > MOST_READ) throw new TooManyNames()
      const { ignore_case } = this.#rule
      const expression = isOwn ? new RegExp(source, ignore_case ? 'gmui' : 'gmu') : this.#compiled(source)
      places = Array.from(this.#text.matchAll(expression), ({ index, 0: { length } }) => ({
        start: index,
        end: index + length,
      }))
      this.#places.set(source, places)
    }
    return places
  }

  #compiled(source: string): RegExp {
    return this.#rules.expression(source, this.#rule.ignore_case)
  }
}

/** The expression with the texts of a match's groups in it; undefined where one took no part. */
function fillGroups(source: string, found: RegExpExecArray): string | undefined {
  let isWhole = true
  const filled = source.replace(GROUP, (written, group: string | undefined) => {
    if (group === undefined) return written
    const own = found[Number(group)]
    if (own === undefined) isWhole = false
    return own?.replace(SPECIAL, '\\$&') ?? ''
  })
  return isWhole ? filled : undefined
}

/** The last of the places that ends at or before an offset. */
function lastUpTo(places: readonly Place[], at: number): Place | undefined {
  let low = 0
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >> 1
    if (places[middle]!.end <= at) low = middle + 1
    else high = middle
  }
  return places[low - 1]
}

/** The first of them that begins at or behind an offset. */
function firstFrom(places: readonly Place[], at: number): Place | undefined {
  let low = 0
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >> 1
    if (places[middle]!.start < at) low = middle + 1
    else high = middle
  }
  return places[low]
}
