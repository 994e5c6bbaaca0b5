import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import {
  CATEGORIES,
  compareFindings,
  type Finding,
  SEVERITIES,
  STATUSES,
} from '../../../engine/base/records/finding.ts'
import { openStore } from '../../../engine/sources/store/open.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import fc from '../../made/property.ts'
import { ROOT } from '../../root.ts'
import { file, finding, outFolder, run } from './make.ts'

/** One process, not tsx's two: killing it kills the writer. */
const writer = ['--import', import.meta.resolve('tsx'), join(ROOT, 'test/sources/store/fixtures/writer.ts')]

describe('writeRun', () => {
  test('stores run.json and two Parquet files in the history, and the latest run and findings as JSON beside it', async () => {
    const out = await outFolder()
    const findings = [
      finding(1),
      finding(2, { status: 'suppressed', suppression: { kind: 'inline', reason: 'reviewed' } }),
    ]
    await writeRun(out, run('run-01', findings), findings, [file('src/f000001.py')])

    expect((await readdir(join(out, 'history/run-01'))).sort()).toEqual([
      'files.parquet',
      'findings.parquet',
      'run.json',
    ])
    expect(await readdir(join(out, 'history'))).toEqual(['run-01'])
    expect(JSON.parse(await readFile(join(out, 'findings.json'), 'utf8'))).toEqual(findings)
    expect(JSON.parse(await readFile(join(out, 'run.json'), 'utf8'))).toEqual(run('run-01', findings))
  })

  test('writes the keys of findings.json in the order of the Finding type and the findings in canonical order, whatever order they came in', async () => {
    const out = await outFolder()
    const shuffled = Object.fromEntries(Object.entries(finding(2)).reverse()) as unknown as Finding
    await writeRun(out, run('run-01', []), [shuffled, finding(1)], [])
    const stored = JSON.parse(await readFile(join(out, 'findings.json'), 'utf8')) as Finding[]
    expect(stored.map(({ id }) => id)).toEqual(['F-1', 'F-2'])
    expect(Object.keys(stored[1]!)).toEqual(Object.keys(finding(2)))
  })

  test('writes byte-equal Parquet and findings.json for equal findings, whatever the run', async () => {
    const out = await outFolder()
    const findings = Array.from({ length: 20_000 }, (_, n) => finding(n, { severity: SEVERITIES[n % 5]! }))
    const bytes = async (id: string) => {
      await writeRun(out, run(id, findings), findings, [file('a.py')])
      const names = [`history/${id}/findings.parquet`, `history/${id}/files.parquet`, 'findings.json']
      return Promise.all(names.map(name => readFile(join(out, name))))
    }
    const [first, second] = [await bytes('run-01'), await bytes('run-02')]
    expect(first.every((content, i) => content.equals(second[i]!))).toBe(true)
  })

  test('gives back the same findings that were written, for any text in them', async () => {
    const out = await outFolder()
    const store = await openStore(out)
    let n = 0
    const text = fc.string({ unit: 'binary', maxLength: 40 })
    const place = fc.integer({ min: 1, max: 2 ** 31 - 1 })
    const any = fc.record(
      {
        id: text,
        fingerprint: text,
        rule_id: text,
        pack_id: text,
        title: text,
        message: text,
        severity: fc.constantFrom(...SEVERITIES),
        base_severity: fc.constantFrom(...SEVERITIES),
        confidence: fc.double({ min: 0, max: 1, noNaN: true }).map(value => value + 0),
        deterministic: fc.boolean(),
        category: fc.constantFrom(...CATEGORIES),
        is_obligation: fc.boolean(),
        file: text,
        line: place,
        column: place,
        end_line: place,
        end_column: place,
        snippet: text,
        language: text,
        in_test: fc.boolean(),
        zone: text,
        controls: fc.array(fc.record({ framework: text, control: text }), { maxLength: 3 }),
        cwe: fc.array(text, { maxLength: 3 }),
        tags: fc.array(text, { maxLength: 3 }),
        remediation: text,
        fix: fc.record({
          edits: fc.array(
            fc.record({ start_line: place, start_column: place, end_line: place, end_column: place, text }),
            { maxLength: 2 },
          ),
        }),
        status: fc.constantFrom(...STATUSES),
        suppression: fc.record(
          { kind: fc.constantFrom('inline', 'file'), reason: text, expires: text, approved_by: text },
          { requiredKeys: ['kind', 'reason'] },
        ),
        agent: text,
      },
      { requiredKeys: Object.keys(finding(0)) as never[] },
    ) as fc.Arbitrary<Finding>
    await fc.assert(
      fc.asyncProperty(fc.array(any, { maxLength: 12 }), async findings => {
        const id = `run-${n++}`
        await writeRun(out, run(id, findings), findings, [])
        const { findings: back } = await store.findings(id, { limit: 100 })
        expect(back).toEqual([...findings].sort(compareFindings))
      }),
      { numRuns: 30 },
    )
    store.close()
  })

  test('stores lone surrogates as the replacement character, the same in Parquet and in findings.json', async () => {
    const out = await outFolder()
    const cut = finding(1, { snippet: 'half \ud83d', tags: ['\udc00'], fix: { edits: [] } })
    await writeRun(out, run('run-01', [cut]), [cut], [])
    const store = await openStore(out)
    const { findings } = await store.findings('run-01')
    store.close()
    expect(findings[0]).toMatchObject({ snippet: 'half \ufffd', tags: ['\ufffd'] })
    expect(JSON.parse(await readFile(join(out, 'findings.json'), 'utf8'))).toEqual(findings)
  })

  test('stores a finding of several megabytes', async () => {
    const out = await outFolder()
    const huge = finding(1, { message: 'é'.repeat(3_000_000) })
    await writeRun(out, run('run-01', [huge]), [finding(0), huge, finding(2)], [])
    const store = await openStore(out)
    const page = await store.findings('run-01')
    store.close()
    expect(page.findings.map(({ message }) => message.length)).toEqual([
      finding(0).message.length,
      3_000_000,
      finding(2).message.length,
    ])
  })

  test.each([
    "it's",
    'a*b',
    'a?b',
    'a[b]c',
    'key=value',
    'white space',
    'ünï-日本',
    'back\\slash',
    '%20;--',
    '{x,y}',
    'line\nbreak',
  ])('works in a repository folder called %j', async name => {
    const out = await outFolder(name)
    await writeRun(out, run('run-01', [finding(1)]), [finding(1)], [file('src/f000001.py')])
    await writeRun(out, run('run-02', [finding(2)]), [finding(2)], [file('src/f000002.py')])
    const store = await openStore(out)
    const { counts } = await store.compare()
    const page = await store.findings('latest')
    const { points } = await store.trend(10)
    store.close()
    expect(counts).toEqual({ new: 1, resolved: 1, unchanged: 0, suppressed: 0, not_compared: 0 })
    expect(page.findings).toEqual([finding(2)])
    expect(points.map(({ introduced }) => introduced)).toEqual([undefined, 1])
  })

  test('refuses to store a run twice, and leaves the first one as it was', async () => {
    const out = await outFolder()
    await writeRun(out, run('run-01', [finding(1)]), [finding(1)], [])
    await expect(writeRun(out, run('run-01', []), [], [])).rejects.toMatchObject({ code: 'CONFLICT' })
    const store = await openStore(out)
    expect((await store.findings('run-01')).total).toBe(1)
    store.close()
    expect(await readdir(join(out, 'history'))).toEqual(['run-01'])
  })

  test('refuses an id that is a path', async () => {
    const out = await outFolder()
    await expect(writeRun(out, run('../escape', []), [], [])).rejects.toThrow('../escape')
    expect(existsSync(join(dirname(out), 'escape'))).toBe(false)
  })

  test('tells git to ignore an out folder that it makes, or takes because it is empty', async () => {
    const made = await outFolder()
    await writeRun(made, run('run-01', []), [], [])
    expect(await readFile(join(made, '.gitignore'), 'utf8')).toMatch(/^\*$/m)

    const there = await outFolder()
    await mkdir(there, { recursive: true })
    await writeRun(there, run('run-01', []), [], [])
    expect(await readFile(join(there, '.gitignore'), 'utf8')).toMatch(/^\*$/m)
  })
})

describe('what belongs beside the latest run', () => {
  test('comes to its place with it', async () => {
    const out = await outFolder()
    await writeRun(out, run('run-01', []), [], [], folder => {
      writeFileSync(join(folder, 'report.md'), 'all is well')
      return ['report.md']
    })
    expect(readFileSync(join(out, 'report.md'), 'utf8')).toBe('all is well')
    expect(await readdir(join(out, 'history'))).toEqual(['run-01'])
  })

  test('changes nothing where it cannot be written', async () => {
    const out = await outFolder()
    await writeRun(out, run('run-01', [finding(1)]), [finding(1)], [])
    const full = () => {
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    }
    const second = writeRun(out, run('run-02', []), [], [], full)
    await expect(second).rejects.toMatchObject({
      code: 'DISK',
      message: 'out cannot be written: the disk is full (ENOSPC).',
    })
    expect(JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')).id).toBe('run-01')
    expect(JSON.parse(readFileSync(join(out, 'findings.json'), 'utf8'))).toHaveLength(1)
    expect(await readdir(join(out, 'history'))).toEqual(['run-01'])
  })

  test('never stands with the record of another run: there is none where the writer was stopped in between', async () => {
    const out = await outFolder()
    await writeRun(out, run('run-01', [finding(1)]), [finding(1)], [])
    await expect(writeRun(out, run('run-02', []), [], [], () => ['missing'])).rejects.toThrow()
    expect(existsSync(join(out, 'run.json'))).toBe(false)
    const store = await openStore(out)
    expect((await store.latest())?.id).toBe('run-02')
    store.close()
  })
})

test('two processes that write at once both land, whole', async () => {
  const out = await outFolder()
  const start = (id: string) => promisify(execFile)(process.execPath, [...writer, out, id, '3000'])
  await Promise.all([start('one-11'), start('two-22')])
  const store = await openStore(out)
  const { runs, damaged } = await store.runs()
  expect(damaged).toEqual([])
  expect(runs.map(({ id }) => id).sort()).toEqual(['one-11', 'two-22'])
  for (const { id } of runs) expect((await store.gateCounts(id)).open).toBe(3000)
  store.close()
  const latest = JSON.parse(await readFile(join(out, 'findings.json'), 'utf8')) as Finding[]
  expect(latest).toHaveLength(3000)
})
