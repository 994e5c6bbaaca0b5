import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkEvidence, findSubject } from '../../../engine/assure/evidence/check.ts'
import { digestFile } from '../../../engine/assure/evidence/digest.ts'
import type { EvidenceFields } from '../../../engine/assure/evidence/entry.ts'
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
const check = async (root: string, today = '2026-03-04') => checkEvidence(root, await readEvidence(root), PACKS, today)

/** A repository with a document that counts as evidence. */
async function sealed(): Promise<string> {
  const root = folder({ 'docs/test.txt': 'Restored in 40 minutes.\n' })
  const digest = digestFile(root, 'docs/test.txt')
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
