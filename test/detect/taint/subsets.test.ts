import { describe, expect, test } from 'vitest'
import { detectLanguage } from '../../../engine/base/languages/languages.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import type { CompiledRule } from '../../../engine/detect/rules/active-rules.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { addMuted } from '../../../engine/scan/muted-rules.ts'
import { loadBuiltinRules, loadExamples } from '../../../engine/sources/packs/load.ts'
import { search } from '../../../scripts/accuracy/search.ts'
import fc from '../../made/property.ts'

registerGrammars()
const LANGUAGES = ['javascript', 'typescript', 'python', 'java', 'go', 'php', 'ruby', 'csharp', 'kotlin', 'c']
/** Examples of a language that are searched, spread over its rules. */
const MOST_EXAMPLES = 12

/** Detectors of secrets choose among themselves which one names a value. */
const every = loadBuiltinRules().filter(({ type }) => type !== 'secret' && type !== 'file_policy')

/** Rules of a language that depend on taint analysis, and some of those that do not. */
function rulesOf(language: string): CompiledRule[] {
  return every.filter(
    (rule, index) =>
      rule.languages.includes(language) && (rule.type === 'taint' || rule.type === 'ast' || index % 5 === 0),
  )
}

/** Two examples of taint rules in one file each: what one rule follows stands beside what another does. */
function textsOf(language: string, rules: readonly CompiledRule[]): { path: string; code: string }[] {
  const examples = rules
    .filter(({ type }) => type === 'taint')
    .flatMap(rule => loadExamples(rule).match.slice(0, 1))
    .map(({ code, path }) => ({
      path: path !== undefined && detectLanguage(path) === language ? path : 'example',
      code,
    }))
  const step = Math.max(1, Math.floor(examples.length / MOST_EXAMPLES))
  return examples.filter((_, index) => index % step === 0)
}

function foundBy(rules: readonly CompiledRule[], language: string, texts: readonly { path: string; code: string }[]) {
  const set = new RuleSet(addMuted(rules, new Set([language])))
  return texts.map(({ path, code }) =>
    search(set, path, new TextEncoder().encode(code), language).map(
      ({ rule, line, end_line }) => `${rule.id}:${line}-${end_line}`,
    ),
  )
}

describe.each(LANGUAGES)('%s', language => {
  test('what a rule finds is the same whichever other rules are on', () => {
    const rules = rulesOf(language)
    const texts = textsOf(language, rules)
    expect(texts.length).toBeGreaterThan(0)
    const all = foundBy(rules, language, texts)
    expect(all.flat().length).toBeGreaterThan(0)
    const subset = fc
      .integer({ min: 1, max: 99 })
      .chain(share =>
        fc
          .array(fc.integer({ min: 0, max: 99 }), { minLength: rules.length, maxLength: rules.length })
          .map(dice => rules.filter((_, index) => dice[index]! < share)),
      )
    fc.assert(
      fc.property(subset, some => {
        const on = new Set(some.map(({ id }) => id))
        const wanted = all.map(found => found.filter(each => on.has(each.slice(0, each.lastIndexOf(':')))).sort())
        expect(foundBy(some, language, texts).map(found => found.sort())).toEqual(wanted)
      }),
      { numRuns: 4, seed: 20 },
    )
  }, 120_000)
})
