import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findToday } from '../../../engine/assure/controls/load.ts'
import { checkEvidence, findSubject } from '../../../engine/assure/evidence/check.ts'
import { digestFile } from '../../../engine/assure/evidence/digest.ts'
import type { EvidenceEntry, EvidenceFields } from '../../../engine/assure/evidence/entry.ts'
import { addEvidence, parseEvidence, readEvidence } from '../../../engine/assure/evidence/file.ts'
import { EngineError } from '../../../engine/base/errors.ts'
import { loadBuiltinPacks } from '../../../engine/sources/packs/load.ts'
import { refusal } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'
import fc from '../../made/property.ts'

const PACKS = loadBuiltinPacks()
const fields = (over: Partial<EvidenceFields> = {}): EvidenceFields => ({
  ...{ control: 'soc2-tsc-2017:CC7.5', title: 'Recovery test', file: 'docs/test.txt', owner: 'Dana Reed' },
  ...{ observed_at: '2026-01-01', sha256: 'e'.repeat(64) },
  ...over,
})
const signal = new AbortController().signal
const check = async (root: string, today = '2026-03-04') =>
  checkEvidence(root, await readEvidence(root), PACKS, { today, signal })

/** A repository with a document that counts as evidence. */
async function sealed(): Promise<string> {
  const root = folder({ 'docs/test.txt': 'Restored in 40 minutes.\n' })
  const digest = await digestFile(root, 'docs/test.txt', { signal })
  await addEvidence(root, fields({ sha256: 'sha256' in digest ? digest.sha256 : '' }))
  expect(await check(root)).toMatchObject([{ state: 'valid', control_id: 'CC7.5' }])
  return root
}

describe('the evidence file', () => {
  test('keeps comments and order, and replaces the entry for the same control and document', async () => {
    const root = await sealed()
    const path = join(root, '.svc/evidence.yaml')
    writeFileSync(path, readFileSync(path, 'utf8').replace('- control:', '# Reviewed in March.\n- control:'))
    expect(await addEvidence(root, fields({ file: undefined, sha256: undefined, url: 'https://example.org' }))).toBe(
      'added',
    )
    expect(await addEvidence(root, fields({ title: 'Another', sha256: undefined }))).toBe('replaced')
    expect(readFileSync(path, 'utf8')).toContain('# Reviewed in March.')
    const read = await readEvidence(root)
    expect(read.map(({ title }) => title)).toEqual(['Another', 'Recovery test'])
    expect(read[0]).not.toHaveProperty('sha256')
  })

  test.each([
    ['control: x', /has no title/],
    ["- { control: 'a:b', title: t, owner: o, observed_at: 2026-01-01 }", /neither file nor url/],
    [
      "- { control: 'a:b', title: t, owner: o, observed_at: 2026-01-01, file: f, url: 'https://e.org' }",
      /both file and url/,
    ],
    ["- { control: 'a:b', title: t, owner: o, observed_at: 2026-02-30, file: f }", /observed_at must be a date/],
    [
      "- { control: 'a:b', title: t, owner: o, observed_at: 2026-02-01, expires: 2026-01-01, file: f }",
      /before observed_at/,
    ],
    ['- { control: ab, title: t, owner: o, observed_at: 2026-02-01, file: f }', /control must be framework:control/],
    ["- { control: 'a:b', title: t, owner: '', observed_at: 2026-02-01, file: f }", /owner must be a string/],
    [
      "- { control: 'a:b', title: t, owner: o, observed_at: 2026-02-01, file: f, sha256: ABC }",
      /64 hexadecimal digits/,
    ],
    ["- { control: 'a:b', title: t, owner: o, observed_at: 2026-02-01, url: 'javascript:alert(1)' }", /url must begin/],
    [
      "- { control: 'a:b', title: t, owner: o, observed_at: 2026-02-01, file: f, expire: 2026-01-01 }",
      /did you mean expires/,
    ],
  ])('refuses %s', async (text, message) => {
    const error = await refusal(() => parseEvidence(Buffer.from(text.startsWith('-') ? text : `- ${text}`)))
    expect(error.code).toBe('CONFIG_INVALID')
    expect([error.message, ...(error.faults ?? []).map(fault => fault.message)].join('\n')).toMatch(message)
  })

  test('is either understood or refused, whatever stands in it, and what is added is read back', async () => {
    const text = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }).filter(value => value.trim() !== '')
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 60 }), text, text, async (any, title, owner) => {
        try {
          expect(Array.isArray(await parseEvidence(Buffer.from(any)))).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(EngineError)
        }
        const root = folder()
        await addEvidence(root, fields({ title, owner }))
        expect(await readEvidence(root)).toMatchObject([{ title, owner, file: 'docs/test.txt' }])
      }),
      { numRuns: 40 },
    )
  })
})

describe('evidence counts no more', () => {
  const place = (root: string) => join(root, 'docs/test.txt')
  test.each<[string, string, (root: string) => void]>([
    ['one byte was added', 'changed', root => writeFileSync(place(root), `${readFileSync(place(root), 'utf8')} `)],
    ['it was emptied', 'changed', root => writeFileSync(place(root), '')],
    ['it was deleted', 'missing', root => rmSync(place(root))],
    [
      'a directory stands there',
      'missing',
      root => {
        rmSync(place(root))
        mkdirSync(place(root))
      },
    ],
    [
      'a link to the same content outside of the repository stands there',
      'missing',
      root => {
        const outside = folder({ 'test.txt': readFileSync(place(root), 'utf8') })
        rmSync(place(root))
        symlinkSync(join(outside, 'test.txt'), place(root))
      },
    ],
    [
      'its directory is a link out of the repository',
      'missing',
      root => {
        const outside = folder({ 'test.txt': readFileSync(place(root), 'utf8') })
        rmSync(join(root, 'docs'), { recursive: true })
        symlinkSync(outside, join(root, 'docs'))
      },
    ],
    [
      'its digest was removed from the entry',
      'no_digest',
      root => {
        const path = join(root, '.svc/evidence.yaml')
        writeFileSync(path, readFileSync(path, 'utf8').replace(/^ {2}sha256: .*\n/m, ''))
      },
    ],
    [
      'its path leads out of the repository',
      'missing',
      root => {
        const path = join(root, '.svc/evidence.yaml')
        writeFileSync(path, readFileSync(path, 'utf8').replace('docs/test.txt', '../../etc/passwd'))
      },
    ],
  ])('if %s', async (_name, state, tamper) => {
    const root = await sealed()
    tamper(root)
    expect(await check(root)).toMatchObject([{ state }])
  })

  test('before the day of what it shows, and after its last day', async () => {
    const root = await sealed()
    expect(await check(root, '2025-12-31')).toMatchObject([{ state: 'not_yet' }])
    await addEvidence(root, fields({ expires: '2026-02-01', file: undefined, sha256: undefined, url: 'https://e.org' }))
    expect((await check(root, '2026-02-01'))[1]).toMatchObject({ state: 'valid' })
    expect((await check(root, '2026-02-02'))[1]).toMatchObject({ state: 'expired' })
  })
})

test('a framework is named by its id or by its beginning up to a hyphen, if that is unique', () => {
  expect(findSubject('soc2:CC7.5', PACKS)).toEqual({ framework: 'soc2-tsc-2017', control_id: 'CC7.5' })
  expect(findSubject('soc2:soc2-tsc-2017-cc7-5', PACKS)).toMatchObject({
    control_id: 'CC7.5',
    obligation: 'soc2-tsc-2017-cc7-5',
  })
  expect(findSubject('soc:CC7.5', PACKS)).toEqual({ unknown: 'There is no framework soc.' })
  expect(findSubject('owasp:A01', PACKS)).toMatchObject({
    unknown: expect.stringContaining('means several frameworks'),
  })
})

describe('the work of a check is bounded', () => {
  const entry = (file: string): EvidenceEntry => ({ ...fields({ file }), line: 1 })

  test('a file is read once however many entries name it, and entries beyond the first 2,000 do not count', async () => {
    const root = await sealed()
    const [one] = await readEvidence(root)
    const many = Array.from({ length: 2_001 }, () => one!)
    // Enough bytes to read the file once, and not twice.
    const checked = await checkEvidence(root, many, PACKS, { today: '2026-03-04', signal, most_bytes: 24 })
    expect(new Set(checked.slice(0, 2_000).map(({ state }) => state))).toEqual(new Set(['valid']))
    expect(checked[2_000]).toMatchObject({ state: 'not_checked', reason: 'Only the first 2,000 entries are checked.' })
  })

  test('entries do not count whose files pass the limit of bytes, and say so', async () => {
    const root = folder({ 'a.txt': 'x'.repeat(80), 'b.txt': 'y'.repeat(80) })
    const checked = await checkEvidence(root, [entry('a.txt'), entry('b.txt')], PACKS, {
      ...{ today: '2026-03-04', signal, most_bytes: 100 },
    })
    expect(checked.map(({ state }) => state)).toEqual(['changed', 'not_checked'])
    expect(checked[1]!.reason).toContain('too large')
  })

  test('a check ends between two pieces of a file when it is interrupted', async () => {
    const root = folder({ 'large.bin': 'z'.repeat(3 << 20) })
    const stop = new AbortController()
    const work = checkEvidence(root, [entry('large.bin')], PACKS, { today: '2026-03-04', signal: stop.signal })
    stop.abort(new Error('interrupted'))
    await expect(work).rejects.toThrow('interrupted')
  })
})

test('evidence that expired does not count again by an earlier SOURCE_DATE_EPOCH, and expires by a later one', () => {
  const today = new Date().toISOString().slice(0, 10)
  expect(findToday({ SOURCE_DATE_EPOCH: '1000000000' })).toBe(today)
  expect(findToday({ SOURCE_DATE_EPOCH: '32503680000' })).toBe('3000-01-01')
  expect(findToday({})).toBe(today)
})
