import { describe, expect, test } from 'vitest'
import { FileScan } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { runGuarded } from '../../../engine/detect/file/watchdog.ts'
import type { CompiledRule } from '../../../engine/detect/rules/active-rules.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { parseRule } from '../../../engine/sources/packs/parse.ts'
import { callRule, wordRule } from '../../made/rules.ts'

const limits = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 20 }

/** A scan of a text in which two rules find something, each evaluated in a step of its own. */
async function twoRules(ruleSet = (rules: readonly CompiledRule[]) => new RuleSet(rules)): Promise<FileScan> {
  const rules = await Promise.all(
    Object.entries({ ...wordRule('one'), ...wordRule('two') }).map(([path, text]) =>
      parseRule(new TextEncoder().encode(text), path, 'test'),
    ),
  )
  const bytes = new TextEncoder().encode('one two\n')
  return new FileScan(ruleSet(rules), { path: 'a.txt', language: 'text', in_test: false, bytes }, limits)
}

/** What a scan comes to whose step after so many was given and broken off before it began. */
async function brokenOffAfter(steps: number) {
  const scan = await twoRules()
  for (let i = 0; i < steps; i++) scan.next()?.run()
  scan.next()
  for (const step of scan) step.run()
  const { matches, failures } = scan.outcome
  return { found: matches.map(({ rule }) => rule), failures }
}

/** Rules with which the machine stands still so often in the middle of one. */
class Stalling extends RuleSet {
  #left: number

  constructor(rules: readonly CompiledRule[], times: number) {
    super(rules)
    this.#left = times
  }

  override expression(source: string, ignoreCase: boolean): RegExp {
    if (this.#left > 0) {
      this.#left--
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)
    }
    return super.expression(source, ignoreCase)
  }
}

describe('a rule that is broken off in the middle', () => {
  const scanned = async (times: number) => {
    const scan = await twoRules(rules => new Stalling(rules, times))
    runGuarded(() => scan.next(), 50)
    for (const step of scan) step.run()
    const { matches, failures } = scan.outcome
    return { found: matches.map(({ rule }) => rule).sort(), failures }
  }

  test('is evaluated once more, for it may be the machine that stood still', async () => {
    expect(await scanned(1)).toEqual({ found: [0, 1], failures: [] })
  })

  test('is named where it is broken off again', async () => {
    expect(await scanned(2)).toEqual({ found: [0, 1], failures: [] })
    expect(await scanned(3)).toEqual({ found: [1], failures: [{ rule: 0, reason: 'timed_out' }] })
    expect((await scanned(4)).failures).toHaveLength(2)
  })
})

describe('a scan of a file that is broken off between two steps', () => {
  test.each([0, 1, 2, 3])('loses no rule and blames none, after %i', async steps => {
    expect(await brokenOffAfter(steps)).toEqual({ found: [0, 1], failures: [] })
  })
})

describe('the steps of a scan', () => {
  test('come in one order: the text, the tree where a rule asks for it, the end', async () => {
    const scan = await twoRules()
    const stages: string[] = []
    for (const step of scan) {
      stages.push(step.stage)
      step.run()
    }
    expect(stages).toEqual(['text', 'text', 'text', 'end'])
  })

  test('are one for each rule of syntax, after the one that parses', async () => {
    registerGrammars()
    const rules = await Promise.all(
      Object.entries({ ...callRule('one'), ...callRule('two') }).map(([path, text]) =>
        parseRule(new TextEncoder().encode(text), path, 'test'),
      ),
    )
    const bytes = new TextEncoder().encode('one(1)\ntwo(2)\n')
    const file = { path: 'a.py', language: 'python', in_test: false, bytes }
    const scan = new FileScan(new RuleSet(rules), file, limits)
    const stages: string[] = []
    for (const step of scan) {
      // One that was given and not run comes again.
      expect(scan.next()?.stage).toBe(step.stage)
      stages.push(step.stage)
      if (stages.length < 5) step.run()
      else scan.next()!.run()
    }
    expect(stages).toEqual(['text', 'tree', 'tree', 'tree', 'end'])
    expect(scan.outcome.matches.map(({ rule }) => rule)).toEqual([0, 1])
  })

  test('give no outcome before the last one was run', async () => {
    const scan = await twoRules()
    scan.next()!.run()
    expect(() => scan.outcome).toThrow('the scan of a.txt is not at its end')
  })
})
