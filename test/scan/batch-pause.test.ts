import { describe, expect, it } from 'vitest'
import { RuleSet } from '../../engine/detect/file/rule-set.ts'
import { type BatchLimits, scanBatch } from '../../engine/scan/batch.ts'
import { BlobReader } from '../../engine/sources/repository/blobs.ts'

const FILE = { path: 'a.py', size: 6, language: 'python', in_test: false }
const limits: BatchLimits = {
  ...{ max_file_bytes: 1000, max_parse_bytes: 1000, rule_deadline_ms: 1000, file_deadline_ms: 1000 },
}

/** Scans a text; at the first pause it is given up or not. */
async function scan(isGivenUp: boolean) {
  let isLive = true
  let pauses = 0
  const reports = await scanBatch(
    { files: [FILE], contents: { [FILE.path]: 'x = 1\n' } },
    {
      ...{ rules: new RuleSet([]), root: '/nowhere', limits, reader: new BlobReader('/nowhere') },
      live: () => isLive,
      pause: async () => {
        pauses++
        isLive = !isGivenUp
      },
    },
  )
  return { report: reports[0]!, pauses }
}

describe('a batch that pauses', () => {
  it('comes to an outcome where nothing stopped it', async () => {
    const { report, pauses } = await scan(false)
    expect(report.outcome).toBeDefined()
    expect(pauses).toBeGreaterThan(0)
  })

  it('goes no step further where it was given up in a pause', async () => {
    const { report, pauses } = await scan(true)
    expect(report.outcome).toBeUndefined()
    expect(pauses).toBe(1)
  })
})
