import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RuleSet } from '../../engine/detect/file/rule-set.ts'
import { registerGrammars } from '../../engine/detect/syntax/grammar.ts'
import { search } from '../../scripts/accuracy/search.ts'
import { loadShippedPacks } from '../made/shipped-packs.ts'

/**
 * Weak methods and sound ones that look almost the same, written before anybody looked at what the rules make of them, under
 * all rules at once (docs/accuracy.md, "Recall on labelled code"). In the files of `blind`:
 *
 *     === path of a file
 *     @@ 89 weak           what follows, up to the next mark, has a weakness of CWE-89, which must be found; `89|564` for either
 *     @@ 89 sound          it has none, and none may be found
 *     @@ 89 weak missed    known not to be found, and `sound alarmed` known to be found all the same: where that changes, the word goes
 */
const FOLDER = import.meta.dirname

registerGrammars()
const rules = new RuleSet((await loadShippedPacks()).flatMap(pack => pack.rules))

interface Case {
  first: number
  last: number
  cwe: string[]
  isWeak: boolean
  /** Whether it is known to be judged wrongly. */
  isKnownWrong: boolean
}

/** The files of a language, with their cases. What is written `{{in|parts}}` looks like a secret otherwise. */
function* filesOf(name: string) {
  for (const part of readFileSync(join(FOLDER, name), 'utf8').split(/^=== /m).slice(1)) {
    const [path = '', ...lines] = part.split('\n')
    const cases: Case[] = []
    const code: string[] = []
    for (const line of lines) {
      const mark = /^@@ ([\d|]+) (weak|sound)( missed| alarmed)?$/.exec(line)
      if (!mark) {
        code.push(line.replace(/\{\{([^{}|]+)\|([^{}|]+)\}\}/g, '$1$2'))
        const at = cases.at(-1)
        if (at) at.last = code.length
        continue
      }
      const cwe = mark[1]!.split('|').map(number => `CWE-${number}`)
      const first = code.length + 1
      cases.push({ first, last: first, cwe, isWeak: mark[2] === 'weak', isKnownWrong: mark[3] !== undefined })
    }
    yield { path, text: code.join('\n'), code, cases }
  }
}

describe.each(readdirSync(FOLDER).filter(name => name.endsWith('.txt')))('of the methods in %s', name => {
  for (const { path, text, code, cases } of filesOf(name)) {
    test(`those of ${path} are told apart, but for the ones that are known not to be`, () => {
      const found = search(rules, path, new TextEncoder().encode(text))
      const isFound = ({ first, last, cwe }: Case): boolean =>
        found.some(
          each => each.line <= last && first <= each.end_line && each.rule.cwe.some(number => cwe.includes(number)),
        )
      const wrong = cases.filter(each => (isFound(each) === each.isWeak) === each.isKnownWrong)
      expect(wrong.map(({ first, last, cwe }) => `${cwe}: ${code.slice(first - 1, last).join('\n')}`)).toEqual([])
    })
  }
})
