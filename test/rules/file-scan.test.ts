import { describe, expect, test } from 'vitest'
import { parseRule } from '../../engine/packs/parse.ts'
import { FileScan } from '../../engine/rules/file-scan.ts'
import { RuleSet } from '../../engine/rules/rule-set.ts'
import { wordRule } from '../scan/project.ts'

const limits = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 20 }

/** A scan of a text in which two rules find something, each evaluated in a step of its own. */
async function twoRules(): Promise<FileScan> {
  const rules = await Promise.all(
    Object.entries({ ...wordRule('one'), ...wordRule('two') }).map(([path, text]) =>
      parseRule(new TextEncoder().encode(text), path, 'test'),
    ),
  )
  const bytes = new TextEncoder().encode('one two\n')
  return new FileScan(new RuleSet(rules), { path: 'a.txt', language: 'text', in_test: false, bytes }, limits)
}

/** What a scan comes to that is broken off by the clock after so many steps, none of them under way. */
async function brokenOffAfter(steps: number) {
  const scan = await twoRules()
  let more = true
  for (let i = 0; i < steps; i++) more = scan.nextTextual()
  more = scan.textualTimedOut()
  while (more) more = scan.nextTextual()
  const { matches, failures } = scan.structural()
  return { found: matches.map(({ rule }) => rule), failures }
}

describe('a scan of a file that is broken off between two steps', () => {
  test.each([1, 2, 3])('loses no rule and blames none, after %i', async steps => {
    expect(await brokenOffAfter(steps)).toEqual({ found: [0, 1], failures: [] })
  })
})
