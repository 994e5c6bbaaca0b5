import { describe, expect, test } from 'vitest'
import { detectLanguage } from '../../engine/base/languages/languages.ts'
import type { SourceFile } from '../../engine/base/records/source-file.ts'
import { LocalRunner } from '../../engine/scan/here.ts'
import { IsolatedRunner } from '../../engine/scan/isolated.ts'
import { PoolRunner } from '../../engine/scan/pool.ts'
import { type Batch, type BatchResult, type Runner, runBatches } from '../../engine/scan/runner.ts'
import { loadBuiltinPacks } from '../../engine/sources/packs/load.ts'
import { project } from '../made/project.ts'

const FILES = {
  'app.js': 'const run = require("child_process").exec\nrun("ls " + process.argv[2])\neval(input)\n',
  'clean.py': 'print("hello")\n',
  'sub/b.c': 'char *get(void);\nint f(void) { char *b = get(); free(b); return b[0]; }\n',
}
/** A name that is not UTF-8, as discovery lists it. */
const RAW = Uint8Array.from(Buffer.from('caf\xe9.txt', 'latin1'))

const limits = { max_file_bytes: 1 << 20, rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 20 }
const signal = new AbortController().signal

function ground() {
  const root = project(FILES)
  const files = Object.entries(FILES).map(
    ([path, text]): SourceFile => ({ path, size: text.length, language: detectLanguage(path), in_test: false }),
  )
  files.push({ path: 'caf\\xe9.txt', raw: RAW, size: 0, language: 'text', in_test: false })
  const batch: Batch = { files, contents: { 'caf\\xe9.txt': 'sent, and in no file\n' } }
  const rules = loadBuiltinPacks().flatMap(pack => pack.rules)
  return { root, batch, setup: { rules, limits, root } }
}

/** The batch through JSON, bytes as base64. */
function throughJson(batch: Batch): Batch {
  const text = JSON.stringify(batch, (_, value) => (value instanceof Uint8Array ? { base64: encode(value) } : value))
  return JSON.parse(text, (_, value) => (value?.base64 ? Uint8Array.from(Buffer.from(value.base64, 'base64')) : value))
}

const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

async function run(runner: Runner, batches: Batch[]): Promise<BatchResult[]> {
  const results: BatchResult[] = []
  await runBatches(runner, batches, result => results.push(result))
  return results
}

/** What files came to, whatever the runner keeps of them beside. */
const outcomes = (results: BatchResult[]) =>
  results.flatMap(({ reports }) => reports.map(({ file, skip, outcome }) => [file.path, skip, outcome?.matches]))

describe('a batch', () => {
  test('is plain data without a path of this machine, and comes to the same once it was written as JSON', async () => {
    const { root, batch, setup } = ground()
    expect(structuredClone(batch)).toEqual(batch)
    expect(JSON.stringify(batch)).not.toContain(root)
    const [direct] = await run(new LocalRunner(setup, signal), [batch])
    const [sent] = await run(new LocalRunner(setup, signal), [throughJson(batch)])
    expect(direct!.reports.flatMap(({ outcome }) => outcome?.matches ?? [])).not.toEqual([])
    const plain = ({ reports, skips }: BatchResult) => ({
      skips,
      reports: reports.map(({ file: { raw, ...file }, ...report }) => ({ ...report, file, raw: raw && encode(raw) })),
    })
    expect(plain(sent!)).toEqual(plain(direct!))
  })

  test('comes to the same in this thread, on threads, and each of its files in a process of its own', async () => {
    const { batch, setup } = ground()
    const here = outcomes(await run(new LocalRunner(setup, signal), [batch]))
    const pool = await PoolRunner.start(setup, { jobs: 1, signal })
    expect(outcomes(await run(pool, [throughJson(batch)]))).toEqual(here)
    const each = batch.files.map(file => ({ ...batch, files: [file] }))
    expect(outcomes(await run(new IsolatedRunner(setup, signal), each))).toEqual(here)
  })
})
