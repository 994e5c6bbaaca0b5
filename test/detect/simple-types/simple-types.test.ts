import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { detectLanguage } from '../../../engine/base/languages/languages.ts'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { loadBuiltinRules } from '../../../engine/sources/packs/load.ts'

registerGrammars()
const LIMITS = { rule_deadline_ms: 5000, file_deadline_ms: 20_000, max_parse_bytes: 4 << 20 }
const FIXTURES = join(import.meta.dirname, 'fixtures')
const rules = new RuleSet(
  loadBuiltinRules().filter(({ type, canary }) => ['ast', 'regex', 'taint'].includes(type) && !canary),
)

/** What is found in each function of a file, by the function's name. */
function findByFunction(path: string, text: string): Map<string, { rule: string; confidence: number }[]> {
  const out = new Map<string, { rule: string; confidence: number }[]>()
  let name = ''
  const names = text.split('\n').map(line => {
    name = /\b(?:safe|weak)(?:Request)?\d\d\b/.exec(line)?.[0] ?? name
    out.set(name, [])
    return name
  })
  const bytes = new TextEncoder().encode(text)
  const { matches } = scanFile(rules, { path, language: detectLanguage(path)!, in_test: false, bytes }, LIMITS)
  for (const { rule, line, confidence } of matches)
    out.get(names[line - 1]!)!.push({ rule: rules.rules[rule]!.id, confidence })
  out.delete('')
  return out
}

describe('a value of a simple type cannot break out of the text it becomes part of', () => {
  for (const name of readdirSync(FIXTURES)) {
    const path = `src/${name.replace(/\.txt$/, '')}`
    const found = findByFunction(path, readFileSync(join(FIXTURES, name), 'utf8'))
    const isSafe = (each: string) => each.startsWith('safe')

    it(`${name}: numbers, dates, UUIDs, enumerations and constants are no finding`, () => {
      expect([...found].filter(([each, hits]) => isSafe(each) && hits.length > 0)).toEqual([])
    })

    it(`${name}: text beside them is one`, () => {
      expect([...found].filter(([each, hits]) => !isSafe(each) && hits.length === 0)).toEqual([])
    })

    it(`${name}: of what only the pattern shows the confidence is below 1`, () => {
      const sure = [...found.values()].flat().filter(({ confidence }) => confidence >= 1)
      expect(sure).toEqual([])
    })
  }

  it('the confidence is lower where the type is not known than where it is a text', () => {
    const find = (code: string) =>
      findByFunction('src/a.py', code)
        .get('weak01')!
        .map(({ confidence }) => confidence)
    expect(find('def weak01(cur, name: str): cur.execute(f"SELECT * FROM users WHERE name = \'{name}\'")\n')).toEqual([
      0.8,
    ])
    expect(find('def weak01(cur, name): cur.execute(f"SELECT * FROM users WHERE name = \'{name}\'")\n')).toEqual([0.5])
  })

  it('the last value on each path counts', () => {
    const code = (last: string) =>
      `def weak01(cur, id):\n    id = int(id)\n    ${last}\n    cur.execute(f"SELECT * FROM users WHERE name = '{id}'")\n`
    const find = (last: string) => findByFunction('src/a.py', code(last)).get('weak01')!.length
    expect(find('pass')).toBe(0)
    expect(find('id = request_name()')).toBe(1)
    expect(find('if a: id = request_name()')).toBe(1)
    expect(find("id += 'x' + name()")).toBe(1)
  })
})
