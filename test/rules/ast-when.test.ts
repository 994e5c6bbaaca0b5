import { describe, expect, it } from 'vitest'
import { parseRule } from '../../engine/packs/parse.ts'
import { FileScan } from '../../engine/rules/file-scan.ts'
import { registerGrammars } from '../../engine/rules/grammar.ts'
import { RuleSet } from '../../engine/rules/rule-set.ts'

const rule = (when: string) => `
id: js-double-call
type: ast
title: a
message: b
severity: low
languages: [javascript]
remediation: c
when: '${when}'
rule: { pattern: take($A) }
match: [take(1)]
clean: [give(1)]
`

async function scanned(when: string, code: string) {
  registerGrammars()
  const rules = new RuleSet([await parseRule(new TextEncoder().encode(rule(when)), 'a.yaml', 'test')])
  const file = { path: 'a.js', language: 'javascript', in_test: false, bytes: new TextEncoder().encode(code) }
  const scan = new FileScan(rules, file, {
    rule_deadline_ms: 60_000,
    file_deadline_ms: 60_000,
    max_parse_bytes: 1 << 20,
  })
  while (scan.nextTextual());
  return scan.structural()
}

describe('when', () => {
  it('has the file parsed where the expression matches', async () => {
    const { matches, parsed } = await scanned(String.raw`take\((\w)\)[^]*\1`, 'take(a)\na')
    expect(matches).toHaveLength(1)
    expect(parsed).toBe(true)
  })

  it('saves the parse where it does not, whatever the literals say', async () => {
    const { matches, failures, parsed } = await scanned(String.raw`take\((\w)\)[^]*\1`, 'take(a)\nb')
    expect(matches).toEqual([])
    expect(failures).toEqual([])
    expect(parsed).toBe(false)
  })

  it('is refused with its line where it is no expression', async () => {
    await expect(parseRule(new TextEncoder().encode(rule('(')), 'a.yaml', 'test')).rejects.toMatchObject({
      code: 'PACK_INVALID',
      faults: [{ place: { line: 9 } }],
    })
  })
})
