// How well the rules tell right from wrong, by their examples or by a labelled folder. See docs/measuring-accuracy.md.
// Usage: npm run accuracy -- [folder] [--near lines] [--json]

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { detectLanguage } from '../engine/base/languages/languages.ts'
import { RuleSet } from '../engine/detect/file/rule-set.ts'
import type { CompiledRule } from '../engine/detect/rules/active-rules.ts'
import { registerGrammars } from '../engine/detect/syntax/grammar.ts'
import { readPacks } from '../engine/sources/packs/folder.ts'
import { loadExamples } from '../engine/sources/packs/load.ts'
import { readLabels } from './accuracy/labels.ts'
import { type Found, search } from './accuracy/search.ts'
import { type Outcome, table, tallied } from './accuracy/tally.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, near: { type: 'string', default: '0' } },
})
registerGrammars()
const packs = await readPacks(resolve(import.meta.dirname, '../packs'))
const rules = packs.flatMap(pack => pack.rules)
const all = new RuleSet(rules)
const crossed: string[] = []
const missed: string[] = []
const outcomes = positionals[0] === undefined ? [...ofExamples()] : [...ofLabels(resolve(positionals[0]))]
report()

/**
 * Every example of every rule that looks into files, under all rules at once: what counts is that some rule of the same
 * weakness speaks. Detectors of secrets are asked alone, for what is no key of one provider may be one of another.
 */
function* ofExamples(): Iterable<Outcome> {
  for (const rule of rules) {
    if (rule.type === 'file_policy' || rule.type === 'required_pattern') continue
    const own = new RuleSet([rule])
    const { match, clean } = loadExamples(rule)
    for (const { example, expected } of [
      ...match.map(example => ({ example, expected: true })),
      ...clean.map(example => ({ example, expected: false })),
    ]) {
      const { code, path } = example
      const language =
        (path === undefined ? undefined : detectLanguage(path)) ?? rule.languages.find(name => name !== 'any') ?? 'text'
      const set = rule.type === 'secret' ? own : all
      const found = search(set, path ?? 'example', new TextEncoder().encode(code), language)
      // A place to review is no finding, of whatever rule's example.
      const same = found.filter(
        ({ rule: other }) => other === rule || (!other.review && sharesWeakness(other, rule.cwe)),
      )
      if (!expected)
        for (const { rule: other } of same) crossed.push(`${rule.id}: ${other.id} on ${JSON.stringify(code)}`)
      if (expected && same.length === 0) missed.push(`${rule.id} on ${JSON.stringify(code)}`)
      yield { language, cwe: rule.cwe[0] ?? 'none', expected, found: same.length > 0 }
    }
  }
}

/** Every label of a folder. A file that cannot be read ends the run: a case left out would flatter. */
function* ofLabels(folder: string): Iterable<Outcome> {
  const known = new Map<string, Found[]>()
  for (const { path, lines, cwe, expected } of readLabels(folder)) {
    if (!known.has(path)) known.set(path, search(all, path, readFileSync(join(folder, path))))
    const near = Number(values.near)
    const found = known
      .get(path)!
      .some(
        each =>
          sharesWeakness(each.rule, cwe) &&
          (lines === undefined || (each.line - near <= lines[1] && lines[0] <= each.end_line + near)),
      )
    yield { language: detectLanguage(path) ?? 'text', cwe: cwe[0]!, expected, found }
  }
}

function sharesWeakness(rule: CompiledRule, cwe: readonly string[]): boolean {
  return rule.cwe.some(number => cwe.includes(number))
}

function report(): void {
  const groups = {
    all: tallied(outcomes, () => 'all'),
    by_language: tallied(outcomes, ({ language }) => language),
    by_cwe: tallied(outcomes, ({ cwe }) => cwe),
  }
  if (values.json) {
    const plain = Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, Object.fromEntries(group)]))
    console.log(JSON.stringify({ ...plain, all: groups.all.get('all'), crossed, missed }, null, 2))
    return
  }
  console.log(table('language', groups.by_language))
  console.log(`\n${table('weakness', groups.by_cwe)}`)
  console.log(`\n${table('', groups.all)}`)
  list('Clean examples on which a rule of the same weakness speaks', crossed)
  list('Examples that a rule finds alone, but leaves to another one among all rules', missed)
}

function list(title: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n${title}:\n${lines.map(line => `  ${line}`).join('\n')}`)
}
