import { describe, expect, it } from 'vitest'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { parseRule } from '../../../engine/sources/packs/parse.ts'

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

const following = (when: string) => `
id: js-run-environment
type: taint
title: a
message: b
severity: low
languages: [javascript]
remediation: c
class: code
when: '${when}'
sources: [environment]
sinks: [{ calls: [eval], arguments: [0] }]
match: ['eval(process.env.A)']
clean: ['eval(1)']
`

async function scanned(text: string, code: string) {
  registerGrammars()
  const rules = new RuleSet([await parseRule(new TextEncoder().encode(text), 'a.yaml', 'test')])
  const file = { path: 'a.js', language: 'javascript', in_test: false, bytes: new TextEncoder().encode(code) }
  const scan = scanFile(rules, file, {
    rule_deadline_ms: 60_000,
    file_deadline_ms: 60_000,
    max_parse_bytes: 1 << 20,
  })
  return scan
}

describe('when', () => {
  it('has the file parsed where the expression matches', async () => {
    const { matches, parsed } = await scanned(rule(String.raw`take\((\w)\)[^]*\1`), 'take(a)\na')
    expect(matches).toHaveLength(1)
    expect(parsed).toBe(true)
  })

  it('saves the parse where it does not, whatever the literals say', async () => {
    const { matches, failures, parsed } = await scanned(rule(String.raw`take\((\w)\)[^]*\1`), 'take(a)\nb')
    expect(matches).toEqual([])
    expect(failures).toEqual([])
    expect(parsed).toBe(false)
  })

  it('matches what stands around comments, too', async () => {
    const when = rule(String.raw`\btake\(\s*\w\s*\)`)
    for (const code of ['take(/* this */ a)', 'take(// this\na)', 'x = "//"; take(a /* "*/)', "take(a/* it's */)"])
      expect((await scanned(when, code)).matches, code).toHaveLength(1)
    expect(await scanned(when, 'take("/*", a); give(/* take( */a)')).toMatchObject({ parsed: false })
  })

  it('lets a rule that follows input do so where the expression matches, and only there', async () => {
    const code = 'eval(process.env.A)'
    expect((await scanned(following(String.raw`eval\((?!")`), code)).matches).toHaveLength(1)
    expect(await scanned(following(String.raw`eval\("`), code)).toMatchObject({ matches: [], parsed: false })
  })

  it('is refused with its line where it is no expression', async () => {
    await expect(parseRule(new TextEncoder().encode(rule('(')), 'a.yaml', 'test')).rejects.toMatchObject({
      code: 'PACK_INVALID',
      faults: [{ place: { line: 9 } }],
    })
  })
})
