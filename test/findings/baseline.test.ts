import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { EngineError } from '../../engine/base/errors.ts'
import { applyBaseline, type BaselineEntry, type BaselineView, updateBaseline } from '../../engine/findings/baseline.ts'
import { formatBaseline, parseBaseline, readBaseline, writeBaseline } from '../../engine/findings/baseline-file.ts'
import { BASELINE_PATH } from '../../engine/sources/config/paths.ts'
import fc from '../made/property.ts'
import { finding } from './made.ts'

const entry = (of: ReturnType<typeof finding>): BaselineEntry => ({
  fingerprint: of.fingerprint,
  rule_id: of.rule_id,
  file: of.file,
  line: of.line,
})
const view = (more: Partial<BaselineView> = {}): BaselineView => ({
  former: new Map(),
  looked: () => true,
  whole: true,
  isRule: () => true,
  ...more,
})
const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})
function folder(text?: string): string {
  const root = mkdtempSync(join(tmpdir(), 'svc-baseline-'))
  made.push(root)
  if (text !== undefined) {
    mkdirSync(join(root, '.svc'))
    writeFileSync(join(root, BASELINE_PATH), text)
  }
  return root
}
function refusal(act: () => unknown): EngineError {
  try {
    act()
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('what the baseline holds', () => {
  const old = finding({ rule_id: 'old' })
  const fresh = finding({ rule_id: 'fresh' })

  test('is a finding with an entry; a new one stays open, and the order is kept', () => {
    const { findings } = applyBaseline([fresh, old], { entries: [entry(old)] }, view())
    expect(findings.map(({ rule_id, status }) => [rule_id, status])).toEqual([
      ['fresh', 'open'],
      ['old', 'baseline'],
    ])
  })

  test('is not a suppressed finding, which keeps its reason, and whose entry is not stale', () => {
    const suppressed = { ...old, status: 'suppressed' as const, suppression: { kind: 'file' as const, reason: 'ours' } }
    const held = applyBaseline([suppressed], { entries: [entry(old)] }, view())
    expect(held.findings).toEqual([suppressed])
    expect(held.stale).toEqual([])
  })

  test('is nothing where an entry describes another finding than the one its fingerprint is of', () => {
    const lie = { ...entry(fresh), rule_id: 'harmless' }
    const held = applyBaseline([fresh], { entries: [lie] }, view())
    expect(held.findings[0]!.status).toBe('open')
    expect(held.notices.map(({ kind }) => kind)).toEqual(['baseline_mismatch'])
  })

  test('is a finding of a renamed file, and only at the path that git says', () => {
    const moved = finding({ file: 'src/new.ts', fingerprint: 'e'.repeat(32) })
    const then = finding({ file: 'src/old.ts' })
    const at = (file: string) => new Map([[moved.fingerprint, { file, fingerprint: then.fingerprint }]])
    const baseline = { entries: [entry(then)] }
    expect(applyBaseline([moved], baseline, view({ former: at('src/old.ts') })).findings[0]!.status).toBe('baseline')
    expect(applyBaseline([moved], baseline, view({ former: at('src/other.ts') })).findings[0]!.status).toBe('open')
  })
})

describe('what the baseline no longer needs', () => {
  const gone = finding({ rule_id: 'gone' })
  const baseline = { entries: [entry(gone)] }

  test('is said after a whole scan, and not after one of a part', () => {
    expect(applyBaseline([], baseline, view()).notices.map(({ kind }) => kind)).toEqual(['baseline_stale'])
    expect(applyBaseline([], baseline, view({ whole: false })).notices).toEqual([])
  })

  test('is pruned by an update where it was looked for, and kept where it was not', () => {
    expect(updateBaseline([], baseline, view())).toMatchObject({ entries: [], pruned: 1, kept: 0 })
    expect(updateBaseline([], baseline, view({ looked: () => false }))).toMatchObject({
      entries: [entry(gone)],
      pruned: 0,
      kept: 1,
    })
  })

  test('and entries of rules that no pack has are named', () => {
    const [notice] = applyBaseline([], baseline, view({ isRule: () => false })).notices
    expect(notice).toMatchObject({ kind: 'baseline_unknown', detail: expect.stringContaining('the rule gone') })
  })
})

test('an update leaves what is suppressed to its suppression, and replaces the entry of a renamed file', () => {
  const moved = finding({ file: 'b.ts' })
  const then = finding({ file: 'a.ts' })
  const suppressed = finding({ rule_id: 'accepted', status: 'suppressed' })
  const former = new Map([[moved.fingerprint, { file: 'a.ts', fingerprint: then.fingerprint }]])
  const updated = updateBaseline([moved, suppressed], { entries: [entry(then)] }, view({ former }))
  expect(updated).toMatchObject({ entries: [entry(moved)], added: 0, pruned: 0, kept: 0 })
})

test('a secret in many files becomes one entry', () => {
  const places = ['a.ts', 'b.ts', 'c.ts'].map(file => finding({ file, fingerprint: 'ab'.repeat(16) }))
  expect(updateBaseline(places, undefined, view())).toMatchObject({ entries: [entry(places[2]!)], added: 1 })
})

test('an entry that an alias of a secret made still covers it, and an update replaces the entry', () => {
  const before = finding({ rule_id: 'secret-generic-key', category: 'secret', fingerprint: 'ab'.repeat(16) })
  const now = finding({
    rule_id: 'secret-acme-key',
    also: ['secret-generic-key'],
    also_fingerprints: [before.fingerprint],
    category: 'secret',
    fingerprint: 'cd'.repeat(16),
  })
  const baseline = { entries: [entry(before)] }
  const held = applyBaseline([now], baseline, view())
  expect([held.findings[0]!.status, held.stale, held.notices]).toEqual(['baseline', [], []])
  expect(updateBaseline([now], baseline, view())).toMatchObject({ entries: [entry(now)], added: 0, pruned: 0 })
})

describe('the file', () => {
  const entries = fc.uniqueArray(
    fc.record({
      fingerprint: fc.stringMatching(/^[0-9a-f]{32}$/),
      rule_id: fc.stringMatching(/^[a-z][a-z0-9:./-]{0,20}$/),
      file: fc.string({ minLength: 1, unit: 'binary' }),
      line: fc.integer({ min: 1, max: 1e6 }),
    }),
    { selector: ({ fingerprint }) => fingerprint },
  )

  test('reads back as it was written, whatever the paths, and does not depend on the order of the entries', () => {
    fc.assert(
      fc.property(entries, list => {
        const text = formatBaseline({ entries: list })
        expect(formatBaseline({ entries: [...list].reverse() })).toBe(text)
        const read = parseBaseline(text)
        expect(new Set(read.entries)).toEqual(new Set(list))
      }),
    )
  })

  test('has one entry a line, so that git can merge it', () => {
    fc.assert(
      fc.property(entries, list => {
        const lines = formatBaseline({ entries: list }).split('\n')
        for (const { fingerprint } of list)
          expect(
            lines.filter(line => line.includes(`"${fingerprint}"`) && line.trimStart().startsWith('{"')),
          ).toHaveLength(1)
      }),
    )
  })

  test('of an earlier version, with the run and the commit that it was made from, is read', () => {
    const list = [entry(finding())]
    const sha = 'a'.repeat(40)
    const then = `{ "version": 1, "tool_version": "0.1.0", "run_id": "20260101T000000Z-abcdef", "git_sha": "${sha}",`
    expect(parseBaseline(formatBaseline({ entries: list }).replace('{', then).replace('"version": 1,\n', ''))).toEqual({
      git_sha: sha,
      entries: list,
    })
  })

  test('is left as it is where it holds exactly these entries', () => {
    const root = folder()
    const first = { entries: [entry(finding())] }
    expect(writeBaseline(root, first, undefined)).toBe(true)
    const { ino } = statSync(join(root, BASELINE_PATH))
    expect(writeBaseline(root, first, readBaseline(root))).toBe(false)
    expect(statSync(join(root, BASELINE_PATH)).ino).toBe(ino)
  })

  test('that is not there is no baseline; any other fault is an error, never an empty baseline', () => {
    expect(readBaseline(folder())).toBeUndefined()
    const whole = formatBaseline({ entries: [entry(finding()), entry(finding({ rule_id: 'b' }))] })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length - 2 }), end => {
        expect(refusal(() => parseBaseline(whole.slice(0, end))).code).toBe('CONFIG_INVALID')
      }),
    )
    const asFolder = folder()
    mkdirSync(join(asFolder, BASELINE_PATH), { recursive: true })
    expect(refusal(() => readBaseline(asFolder))).toMatchObject({ code: 'CONFIG_INVALID' })
  })

  const good = formatBaseline({ entries: [entry(finding()), entry(finding({ rule_id: 'b' }))] })
  test.each([
    ['a conflict', good.replace('  "entries"', '<<<<<<< HEAD\n  "entries"'), 3, /merge conflict/],
    ['broken JSON', good.replace('"rule_id":"b"', '"rule_id":b'), 4, /not valid JSON/],
    ['another version', good.replace('"version": 1', '"version": 2'), undefined, /version must be 1, but was 2/],
    ['a short fingerprint', good.replace(/"fingerprint":"[0-9a-f]{8}/, '"fingerprint":"'), 4, /Entry 1: fingerprint/],
    [
      'an unknown key',
      good.replace('"rule_id":"b"', '"rule_id":"b","severity":"low"'),
      4,
      /severity is not a known key/,
    ],
    ['no path', good.replace('"file":"src/a.ts"', '"file":""'), 4, /file must be a string/],
    ['a list', '[]', 1, /must be a JSON object/],
    ['a bad commit', good.replace('"entries"', '"git_sha": "main",\n  "entries"'), undefined, /git_sha must be a full/],
  ])('with %s is refused with the place', (_, text, line, message) => {
    expect(text).not.toBe(good)
    const error = refusal(() => parseBaseline(text))
    expect(error.message).toMatch(message)
    expect(error.place?.line).toBe(line)
    expect(error.hint).toContain('--update-baseline')
  })
})
