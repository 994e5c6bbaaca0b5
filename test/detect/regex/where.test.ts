import { describe, expect, it } from 'vitest'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { parseRule } from '../../../engine/sources/packs/parse.ts'

const made = (where: string) =>
  parseRule(
    new TextEncoder().encode(`
id: any-open-door
type: regex
title: a
message: b
severity: low
languages: [any]
remediation: c
regex: '\\bopen ([a-z]+)'
where:
${where}
match: ['open door']
clean: ['shut door']
`),
    'a.yaml',
    'test',
  )

async function linesOf(where: string, code: string): Promise<number[]> {
  const { matches, failures } = await scan(where, code)
  expect(failures).toEqual([])
  return matches.map(({ line }) => line)
}

async function scan(where: string, code: string) {
  const file = { path: 'a.txt', language: 'text', in_test: false, bytes: new TextEncoder().encode(code) }
  const limits = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 20 }
  return scanFile(new RuleSet([await made(where)]), file, limits)
}

describe('a match counts', () => {
  it('where what is asked for stands before it', async () => {
    expect(await linesOf("  - before: '^begin'", 'open a\nbegin\nopen b\nopen c\n')).toEqual([3, 4])
  })

  it('only where nothing ends that in between', async () => {
    const code = 'begin\nopen a\nend\nopen b\nbegin\nopen c\n'
    expect(await linesOf("  - { before: '^begin', until: '^end' }", code)).toEqual([2, 6])
    expect(await linesOf("  - { after: '^begin', until: '^end' }", code)).toEqual([4])
  })

  it('where what must not stand there does not', async () => {
    expect(await linesOf("  - { after: '^end', not: true }", 'open a\nend\nopen b\n')).toEqual([3])
    expect(await linesOf('  - { anywhere: end, not: true }', 'open a\nend\n')).toEqual([])
  })

  it('by the text of its own group, taken as it is written', async () => {
    expect(await linesOf(String.raw`  - { anywhere: 'shut \1' }`, 'open a\nopen b\nshut b\n')).toEqual([2])
  })

  it('where the question is about other matches', async () => {
    expect(await linesOf("  - { anywhere: key, of: 'open b' }", 'open a\nopen b\n')).toEqual([1])
  })

  it('where all that is asked holds', async () => {
    expect(await linesOf("  - before: '^one'\n  - after: '^two'", 'one\nopen a\ntwo\nopen b\n')).toEqual([2])
  })
})

it('a question without a place, or with two, is a fault', async () => {
  await expect(made("  - { until: '^end' }")).rejects.toThrow()
  await expect(made('  - { before: a, after: b }')).rejects.toThrow()
})

it('a file that asks with too many names is not evaluated, after a counted number of characters', async () => {
  const name = (at: number) => `a${at}`.replace(/\d/g, digit => 'bcdefghijk'[Number(digit)]!)
  const code = Array.from({ length: 12_000 }, (_, at) => `open ${name(at)}\n`).join('')
  const { matches, failures } = await scan("  - before: 'no \\1'", code)
  expect(matches).toEqual([])
  expect(failures).toEqual([{ rule: 0, reason: 'too_costly', detail: expect.stringContaining('100 million') }])
})
