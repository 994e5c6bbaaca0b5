import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { detectLanguage } from '../../engine/base/languages/languages.ts'
import { RuleSet } from '../../engine/detect/file/rule-set.ts'
import { registerGrammars } from '../../engine/detect/syntax/grammar.ts'
import { search } from '../../scripts/accuracy/search.ts'
import { loadShippedPacks } from '../made/shipped-packs.ts'

/**
 * Small applications as people write them, with plain weaknesses, under all rules that run unasked. In the files of `applications`:
 *
 *     === path of a file
 *     a line   «89»        a weakness of CWE-89 must be found here; `89|564` for either, `89~2` for up to two lines off
 *     a line   «no 89»     none may be found
 *     a line   «89?»       known not to be found, or not to be a weakness for certain: nothing is asked
 */
const FOLDER = import.meta.dirname

/** What stands for `{{word}}` in the files, which are scanned themselves. */
const WRITTEN: Record<string, string> = { password: `Tr0ub4dor${'-x9'}`, key: 'k3y'.repeat(5).concat('k') }

const MARK = /\s*(?:<%#|<\?php \/\/|\/\/|#)?(?:«[^»]*»\s*)+(?:%>)?/u

registerGrammars()
// As a scan has them: a rule on trial may not be what a weak place hangs on.
const packs = await loadShippedPacks()
const rules = new RuleSet(packs.flatMap(pack => pack.rules).filter(({ canary }) => canary !== true))

interface Label {
  line: number
  code: string
  cwe: string[]
  near: number
  isWeak: boolean
}

/** The files of an application, with what is said about their lines. */
function* filesOf(application: string) {
  const text = readFileSync(join(FOLDER, application), 'utf8')
  for (const part of text.split(/^=== /m).slice(1)) {
    const [path = '', ...lines] = part.split('\n')
    const labels: Label[] = []
    const code = lines.map((line, at) => {
      for (const [, label = ''] of line.matchAll(/«([^»]*)»/g)) {
        const [numbers = '', near = '0'] = label.replace(/^no /, '').split('~')
        if (numbers.includes('?')) continue
        const cwe = numbers.split('|').map(number => `CWE-${number}`)
        labels.push({
          line: at + 1,
          code: line.replace(MARK, '').trim(),
          cwe,
          near: Number(near),
          isWeak: !label.startsWith('no '),
        })
      }
      return line.replace(MARK, '').replace(/\{\{(password|key)\}\}/g, (_, word: string) => WRITTEN[word]!)
    })
    yield { path, text: code.join('\n'), labels }
  }
}

describe.each(readdirSync(FOLDER).filter(name => name.endsWith('.txt')))('in the application %s', application => {
  for (const { path, text, labels } of filesOf(application)) {
    if (labels.length === 0) continue
    test(`${path} has findings on its weak lines and none on its sound ones`, () => {
      const found = search(rules, path, new TextEncoder().encode(text), detectLanguage(path) ?? 'text')
      const isFound = ({ line, cwe, near }: Label): boolean =>
        found.some(
          each =>
            each.line - near <= line &&
            line <= each.end_line + near &&
            each.rule.cwe.some(number => cwe.includes(number)),
        )
      const wrong = labels.filter(label => isFound(label) !== label.isWeak)
      expect(wrong.map(({ line, code }) => `${line}: ${code}`)).toEqual([])
    })
  }
})
