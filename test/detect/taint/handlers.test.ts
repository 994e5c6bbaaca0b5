import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { followsInput } from '../../../engine/detect/taint/runs.ts'
import { loadShippedPacks } from '../../made/shipped-packs.ts'

registerGrammars()

const PACKS = ['javascript-typescript', 'node-web', 'react', 'go', 'java', 'kotlin', 'csharp-dotnet']
const LANGUAGES: Record<string, string> = {
  js: 'javascript',
  ts: 'typescript',
  tsx: 'tsx',
  go: 'go',
  java: 'java',
  kt: 'kotlin',
  cs: 'csharp',
}

const packs = (await loadShippedPacks()).filter(({ id }) => PACKS.includes(id))
const set = new RuleSet(packs.flatMap(({ rules }) => rules.filter(rule => rule.type !== 'taint' || followsInput(rule))))

/** Whether any rule of the weakness speaks. */
function speaks(code: string, ending: string, cwe: string): boolean {
  const file = {
    path: `src/file.${ending}`,
    language: LANGUAGES[ending]!,
    in_test: false,
    bytes: new TextEncoder().encode(code),
  }
  const scan = scanFile(set, file, { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 20 })
  return scan.matches.some(({ rule }) => set.rules[rule]!.cwe.includes(cwe))
}

/** `### <number of the CWE> <ending> | <title>`, the vulnerable handler, `---`, and one that looks the same but is safe. */
function pairsOf(path: string): [title: string, cwe: string, ending: string, bad: string, good: string][] {
  const own = /([a-z]+)\.txt$/.exec(path)![1]!.replace(/^(?!(?:go|java|kt|cs)$).*/, 'js')
  return readFileSync(path, 'utf8')
    .split(/^### /m)
    .slice(1)
    .map(part => {
      const line = part.slice(0, part.indexOf('\n'))
      const [, cwe, ending, title] = /^(\d+)(?: (\w+))? \| (.*)$/.exec(line)!
      const [bad, good] = part.slice(line.length + 1).split(/^---\n/m)
      return [title!, `CWE-${cwe}`, ending ?? own, bad!, good!]
    })
}

const handlers = join(import.meta.dirname, 'handlers')

describe.each(readdirSync(handlers))('of the handlers in %s', name => {
  test.each(pairsOf(join(handlers, name)))(
    'the vulnerable one is found and the safe one is not: %s (%s)',
    (...pair) => {
      const [, cwe, ending, bad, good] = pair
      expect({ bad: speaks(bad, ending, cwe), good: speaks(good, ending, cwe) }).toEqual({ bad: true, good: false })
    },
  )
})
