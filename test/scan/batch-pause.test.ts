import { describe, expect, it } from 'vitest'
import { RuleSet } from '../../engine/detect/file/rule-set.ts'
import type { CompiledRule } from '../../engine/detect/rules/active-rules.ts'
import { registerGrammars } from '../../engine/detect/syntax/grammar.ts'
import { type BatchLimits, scanBatch } from '../../engine/scan/batch.ts'
import { parseRule } from '../../engine/sources/packs/parse.ts'
import { BlobReader } from '../../engine/sources/repository/blobs.ts'
import { callRule } from '../made/rules.ts'

const FILE = { path: 'a.py', size: 24, language: 'python', in_test: false }
const limits: BatchLimits = {
  ...{ max_file_bytes: 1000, max_parse_bytes: 1000, rule_deadline_ms: 1000, file_deadline_ms: 1000 },
}

/** Rules of syntax that find calls, and note that they were asked. */
async function callRules(asked: string[]): Promise<CompiledRule[]> {
  registerGrammars()
  const names = ['one', 'two', 'three']
  const texts = names.flatMap(name => Object.entries(callRule(name)))
  const rules = await Promise.all(texts.map(([path, text]) => parseRule(new TextEncoder().encode(text), path, 'test')))
  return rules.map((rule, at) =>
    Object.defineProperty({ ...rule }, 'transform', {
      get() {
        asked.push(names[at]!)
        return undefined
      },
    }),
  )
}

/** Scans a text; at the pause of that number, from 1, it is given up. */
async function scan(givenUpAt?: number, rules: readonly CompiledRule[] = []) {
  let isLive = true
  let pauses = 0
  const reports = await scanBatch(
    { files: [FILE], contents: { [FILE.path]: 'one(1)\ntwo(2)\nthree(3)\n' } },
    {
      ...{ rules: new RuleSet(rules), root: '/nowhere', limits, reader: new BlobReader('/nowhere') },
      live: () => isLive,
      pause: async () => {
        pauses++
        isLive = pauses !== givenUpAt
      },
    },
  )
  return { report: reports[0]!, pauses }
}

describe('a batch that pauses', () => {
  it('comes to an outcome where nothing stopped it', async () => {
    const { report, pauses } = await scan()
    expect(report.outcome).toBeDefined()
    expect(pauses).toBeGreaterThan(0)
  })

  it('goes no step further where it was given up in a pause', async () => {
    const { report, pauses } = await scan(1)
    expect(report.outcome).toBeUndefined()
    expect(pauses).toBe(1)
  })

  it('asks no further rule of syntax where it was given up between two', async () => {
    const asked: string[] = []
    const rules = await callRules(asked)
    const { report } = await scan(3, rules)
    expect(report.outcome).toBeUndefined()
    expect(asked).toEqual(['one'])
    asked.length = 0
    expect((await scan(undefined, rules)).report.outcome?.matches).toHaveLength(3)
    expect(asked).toEqual(['one', 'two', 'three'])
  })
})
