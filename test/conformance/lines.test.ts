import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { detectLanguage, LANGUAGES } from '../../engine/base/languages/languages.ts'
import { countLines, type LineCounts } from '../../engine/detect/lines/count.ts'

const DATA = new URL('../../../shared/data/lines/cases.jsonl', import.meta.url)
const isThere = existsSync(DATA)
if (!isThere) console.warn('Line counts were not compared: ../shared/data/lines is not there.')

interface Case {
  case: string
  file: string
  text: string
  expect: { region: LineCounts }
  embedded?: ({ language: string; optional: boolean } & LineCounts)[]
}

const cases: Case[] = isThere
  ? readFileSync(DATA, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Case)
  : []

/** LineJudge's cases, whose truth is marked byte by byte; svc declares the reading `region`. */
describe.runIf(isThere)('line counts', () => {
  test.each(cases.map(one => [one.case, one] as const))('%s', (_, { file, text, expect: expected, embedded = [] }) => {
    const found = countLines(detectLanguage(file)!, text)
    const { embedded: inside, ...counts } = found
    expect(counts).toEqual(expected.region)
    const byName = new Map([...inside].map(([language, own]) => [LANGUAGES.get(language)!.display, own]))
    for (const { language, optional, ...own } of embedded)
      if (!optional || byName.has(language)) expect(byName.get(language)).toEqual(own)
    expect([...byName.keys()].filter(name => !embedded.some(({ language }) => language === name))).toEqual([])
  })
})
