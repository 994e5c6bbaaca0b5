import { CONFIDENCE } from '../../base/records/finding.ts'
import type { TaintRule } from '../../base/records/rule.ts'
import {
  type Detector,
  NEEDS_TREE,
  type Search,
  type SearchedText,
  type TreeSearch,
  type Trees,
} from '../rules/detector.ts'
import type { RawMatch } from '../rules/match.ts'
import { weighBuiltText } from '../simple-types/built-text.ts'
import { isRelevant } from './relevance.ts'
import { runTaint } from './rules.ts'
import { findRun, RUNS, type Run } from './runs.ts'

/** Functions that are named at most. */
const NAMED = 5

/** Taint analysis: untrusted input that reaches a sink. One run over a file serves all the rules of its language. */
export default {
  type: 'taint',
  reach: 'severe',
  views: 'code',
  parses: true,
  evidence: 'flow',
  runsMuted: true,
  identity: 'code',
  part: 'taint',

  begin: searched => new TaintSearch(searched),

  // What reaches a sink in a test does so for nobody but the test.
  weigh(rule, { confidence = 1 }, location) {
    const most = location.inTest ? CONFIDENCE.test : 1
    if (findRun(rule as TaintRule) !== 'unknown') return Math.min(confidence, most)
    const certainty = weighBuiltText(location)
    return certainty && Math.min(Math.max(confidence, certainty), most)
  },
} satisfies Detector

class TaintSearch implements Search, TreeSearch {
  readonly #searched: SearchedText
  readonly tree = this
  readonly sharesRun = true
  /** Those that the names in the text leave a chance. */
  readonly #relevant: number[] = []
  #isRun = false

  constructor(searched: SearchedText) {
    this.#searched = searched
  }

  admit(index: number): ReturnType<Search['admit']> {
    const { when } = this.#ruleOf(index)
    if (when === undefined) return NEEDS_TREE
    const run = () => {
      const { rules, code, tidy } = this.#searched
      return tidy.meets(rules.expression(when, false), code) ? NEEDS_TREE : []
    }
    return { rules: [index], run }
  }

  needsTree(index: number): boolean {
    const { file, code } = this.#searched
    const isAsked = isRelevant(this.#ruleOf(index), file.language, code)
    if (isAsked) this.#relevant.push(index)
    return isAsked
  }

  searchTree(_: number, { bare }: Trees): readonly RawMatch[] {
    if (this.#isRun || this.#relevant.length === 0) return []
    this.#isRun = true
    const found = RUNS.flatMap(run => {
      const indexes = this.#relevant.filter(index => findRun(this.#ruleOf(index)) === run)
      return indexes.length === 0 ? [] : this.#run(run, indexes, bare)
    })
    return this.#leaveOutKnown(found)
  }

  /**
   * Without values of unknown origin where input that is known reaches the same sink, be that reported or not. Where it is not, since its rule is
   * off, the others are counted.
   */
  #leaveOutKnown(found: readonly RawMatch[]): readonly RawMatch[] {
    const nameSink = ({ rule, start, end }: RawMatch) => `${this.#ruleOf(rule).class}:${start}:${end}`
    const isOf = (run: Run, { rule }: RawMatch) => findRun(this.#ruleOf(rule)) === run
    const known = found.filter(match => isOf('known', match))
    if (known.length === 0) return found
    const sinks = new Set(known.map(nameSink))
    const reported = new Set(known.filter(({ rule }) => !this.#searched.rules.rules[rule]!.muted).map(nameSink))
    return found.flatMap(match => {
      const sink = nameSink(match)
      if (!isOf('unknown', match) || !sinks.has(sink)) return match
      return reported.has(sink) ? [] : { ...match, isAside: true as const }
    })
  }

  #run(run: Run, indexes: readonly number[], bare: Trees['bare']): readonly RawMatch[] {
    const { rules, file, code, fail } = this.#searched
    try {
      const found = runTaint(rules, run, indexes, file.language, bare, code)
      this.#judge(indexes, found)
      return found.matches
    } catch (error) {
      for (const rule of indexes) fail(rule, 'rule_failed', String((error as Error).message ?? error))
      return []
    }
  }

  /** Notes what was not followed for these rules. */
  #judge(indexes: readonly number[], { alone, exhausted }: ReturnType<typeof runTaint>): void {
    const { fail } = this.#searched
    if (alone.length > exhausted.length) {
      const names = listNames(alone.filter(name => !exhausted.includes(name)))
      const detail = `taint analysis did not enter the functions called in ${names}: step limit reached`
      fail(indexes[0]!, 'calls_not_followed', detail)
    }
    if (exhausted.length === 0) return
    const detail = `more steps than one function or file is given: ${listNames(exhausted)}`
    for (const rule of indexes) fail(rule, 'too_costly', detail)
  }

  #ruleOf(index: number): TaintRule {
    return this.#searched.rules.rules[index] as TaintRule
  }
}

function listNames(functions: readonly string[]): string {
  const more = functions.length > NAMED ? ` and ${functions.length - NAMED} more` : ''
  return `${functions.slice(0, NAMED).join(', ')}${more}`
}
