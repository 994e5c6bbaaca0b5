import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { isDate, readSuppressions } from '../../../engine/findings/suppression-file.ts'
import suppress from '../../../engine/ops/findings/suppress.ts'
import suppressions from '../../../engine/ops/findings/suppressions.ts'
import { SUPPRESSIONS_PATH } from '../../../engine/sources/config/paths.ts'
import { loadBuiltinRules } from '../../../engine/sources/packs/load.ts'
import { context, refusal, view } from '../../made/call.ts'
import { repository } from '../../made/project.ts'

const text = (root: string) => readFileSync(join(root, SUPPRESSIONS_PATH), 'utf8')
const run = (root: string, input: Partial<Parameters<typeof suppress.run>[0]>) =>
  suppress.run({ list: false, remove: false, ...input }, context(root))

let rule: string
let other: string
beforeAll(() => {
  vi.setSystemTime(new Date('2026-06-15T23:30:00Z'))
  ;[rule, other] = loadBuiltinRules().map(({ id }) => id) as [string, string]
})

describe('suppress', () => {
  test('makes the file with its first entry, which reads back as it was given', async () => {
    const root = repository()
    const output = await run(root, {
      rule,
      file: 'legacy/**',
      reason: 'gone in autumn: #12',
      expires: '2026-12-31',
      approved_by: 'Kim',
    })
    expect(output.done).toBe('added')
    const [entry] = await readSuppressions(root)
    expect(entry).toMatchObject({
      rule,
      file: 'legacy/**',
      reason: 'gone in autumn: #12',
      expires: '2026-12-31',
      approved_by: 'Kim',
    })
    expect(text(root)).toMatch(/^# Findings that are accepted/)
    expect(suppress.text(output, view)).toContain(
      `${rule} in legacy/**, until 2026-12-31, approved by Kim: gone in autumn: #12`,
    )
  })

  test('refuses a path that goes from the folder one stands in or from the disk, and gives the one from the root', async () => {
    const root = repository({ 'src/a.py': 'x\n' })
    for (const [cwd, file] of [
      [join(root, 'src'), 'a.py'],
      [root, join(root, 'src/a.py')],
    ] as const) {
      const error = await refusal(() =>
        suppress.run({ list: false, remove: false, rule, file, reason: 'x' }, context(cwd)),
      )
      expect([error.code, error.hint]).toEqual(['INPUT_INVALID', 'Give --file src/a.py'])
    }
    expect(existsSync(join(root, SUPPRESSIONS_PATH))).toBe(false)
  })

  test('refuses a path of no file, and takes a glob for files that may come', async () => {
    const root = repository({ 'src/a.py': 'x\n' })
    for (const file of ['nope.js', 'src/b.py', 'src/a.py/x'])
      expect(await refusal(() => run(root, { rule, file, reason: 'x' }))).toMatchObject({
        code: 'INPUT_INVALID',
        message: `No file or directory "${file}" in the repository.`,
      })
    expect(existsSync(join(root, SUPPRESSIONS_PATH))).toBe(false)
    expect((await run(root, { rule, file: 'src/*.pyi', reason: 'x' })).done).toBe('added')
  })

  test.each([
    ['.', 'src', 'Give --file src'],
    ['.', '.', 'Omit --file to cover every file.'],
    ['src/../src/a.py', '.', 'Give --file src/a.py'],
    ['b c.py', 'src', "Give --file 'src/b c.py'"],
  ])('refuses %s in %s, which would cover nothing', async (file, folder, hint) => {
    const root = repository({ 'src/a.py': 'x\n', 'src/b c.py': 'x\n' })
    const ask = () => suppress.run({ list: false, remove: false, rule, file, reason: 'x' }, context(join(root, folder)))
    expect(await refusal(ask)).toMatchObject({ code: 'INPUT_INVALID', hint })
  })

  test.each([
    ['./src/a.py', '.'],
    ['/src/a.py', 'src'],
    ['src/', 'src'],
    ['src/[a].py', '.'],
    ['**/*.py', 'src'],
  ])('takes %s in %s, which covers what it names', async (file, folder) => {
    const root = repository({ 'src/a.py': 'x\n', 'src/[a].py': 'x\n' })
    const { done } = await suppress.run(
      { list: false, remove: false, rule, file, reason: 'x' },
      context(join(root, folder)),
    )
    expect(done).toBe('added')
  })

  test('takes a rule of a scanner that the configuration names, and of no other', async () => {
    const root = repository({ '.svc/config.yaml': 'external_scanners:\n  semgrep:\n    report: s.sarif\n' })
    expect((await run(root, { rule: 'semgrep:python.eval', reason: 'ours' })).done).toBe('added')
    expect((await refusal(() => run(root, { rule: 'bandit:B101', reason: 'ours' }))).code).toBe('RULE_NOT_FOUND')
  })

  test('takes days for the date', async () => {
    const root = repository()
    await run(root, { rule, reason: 'why', expires: '90' })
    await run(root, { rule: other, reason: 'why', expires: '1d' })
    expect((await readSuppressions(root)).map(({ expires }) => expires)).toEqual(['2026-09-13', '2026-06-16'])
  })

  test.each(['2026-06-14', '2026-02-30', '31.12.2026', '0', '-5', 'soon', '2026-12-31T00:00:00Z', '99999'])(
    'refuses %s as the date',
    async expires => {
      const root = repository()
      const error = await refusal(() => run(root, { rule, reason: 'why', expires }))
      expect(error.code).toBe('INPUT_INVALID')
      expect(error.message).toContain(expires)
      expect(existsSync(join(root, SUPPRESSIONS_PATH))).toBe(false)
    },
  )

  test('replaces the entry of the same rule and file, and keeps comments, order and the others', async () => {
    const root = repository({
      [SUPPRESSIONS_PATH]: `# ours\n- rule: a # first\n  reason: x\n\n# about it\n- rule: ${rule}\n  file: src\n  reason: old\n  expires: 2026-07-01\n`,
      'src/a.py': 'x\n',
    })
    const output = await run(root, { rule, file: 'src', reason: 'new' })
    expect(output.done).toBe('replaced')
    expect(text(root)).toBe(
      `# ours\n- rule: a # first\n  reason: x\n\n# about it\n- rule: ${rule}\n  file: src\n  reason: new\n`,
    )
  })

  test('adds an entry for another file beside the one that is there', async () => {
    const root = repository({ [SUPPRESSIONS_PATH]: `- rule: ${rule}\n  reason: all\n`, 'src/a.py': 'x\n' })
    expect((await run(root, { rule, file: 'src', reason: 'some' })).suppressions).toHaveLength(2)
  })

  test('writes block style even into a list that was empty', async () => {
    const root = repository({ [SUPPRESSIONS_PATH]: '[]\n' })
    await run(root, { rule, reason: 'why' })
    expect(text(root)).toBe(`- rule: ${rule}\n  reason: why\n`)
  })

  test('removes the entries of a rule, or of one file of it', async () => {
    const root = repository({
      [SUPPRESSIONS_PATH]: '# top\n- rule: a\n  reason: x\n- rule: b\n  reason: y\n- rule: b\n  file: f\n  reason: z\n',
    })
    const one = await run(root, { rule: 'b', file: 'f', remove: true })
    expect(one.changed.map(({ reason }) => reason)).toEqual(['z'])
    await run(root, { rule: 'b', remove: true })
    expect(text(root)).toBe('# top\n- rule: a\n  reason: x\n')
    await run(root, { rule: 'a', remove: true })
    expect(await readSuppressions(root)).toEqual([])
  })

  test('says which suppression was probably meant where none is to remove', async () => {
    const root = repository({ [SUPPRESSIONS_PATH]: '- rule: js-eval\n  reason: x\n' })
    const error = await refusal(() => run(root, { rule: 'js-evil', remove: true }))
    expect([error.code, error.message]).toEqual([
      'NOT_FOUND',
      'There is no suppression of js-evil; did you mean js-eval?',
    ])
  })

  test('refuses a rule that there is not, and names the nearest', async () => {
    const error = await refusal(() => run(repository(), { rule: `${rule}x`, reason: 'why' }))
    expect([error.code, error.message]).toEqual(['RULE_NOT_FOUND', `There is no rule ${rule}x; did you mean ${rule}?`])
  })

  test('refuses to suppress without a rule or without a reason', async () => {
    expect((await refusal(() => run(repository(), { reason: 'why' }))).code).toBe('USAGE')
    expect((await refusal(() => run(repository(), { rule }))).code).toBe('USAGE')
    expect((await refusal(() => run(repository(), { rule, reason: '  ' }))).code).toBe('USAGE')
  })

  test('lists, with what has expired, and takes no other option then', async () => {
    const root = repository({
      [SUPPRESSIONS_PATH]: '- rule: a\n  reason: x\n  expires: 2026-01-01\n- rule: b\n  file: f\n  reason: y\n',
    })
    const output = await run(root, { list: true })
    expect(suppress.text(output, view)).toBe('a in every file, expired 2026-01-01: x\nb in f: y')
    expect((await refusal(() => run(root, { list: true, rule: 'a' }))).code).toBe('USAGE')
    expect(suppress.text(await run(repository(), { list: true }), view)).toBe('Nothing is suppressed by file.')
  })

  test('does not write through a link that leads outside the project', async () => {
    const root = repository()
    symlinkSync(tmpdir(), join(root, '.svc'))
    expect((await refusal(() => run(root, { rule, reason: 'why' }))).code).toBe('PATH_ESCAPES')
  })

  test('keeps the line ends of the file', async () => {
    const root = repository({ [SUPPRESSIONS_PATH]: '- rule: a\r\n  reason: x\r\n' })
    await run(root, { rule, reason: 'why' })
    expect(text(root)).toBe(`- rule: a\r\n  reason: x\r\n- rule: ${rule}\r\n  reason: why\r\n`)
  })
})

describe('the suppressions file', () => {
  test.each([
    [
      'an unknown key, with the one meant',
      '- rule: a\n  reason: x\n  expire: 2027-01-01\n',
      3,
      'expire is not a known key; did you mean expires?',
    ],
    ['a missing reason', '- rule: a\n  reason: x\n- rule: b\n', 3, 'An entry has no reason.'],
    [
      'a date that does not exist',
      '- rule: a\n  reason: x\n  expires: 2027-02-30\n',
      3,
      'expires must be a date like 2027-01-31, but was "2027-02-30".',
    ],
    [
      'a rule that is no text',
      '- rule: 5\n  reason: x\n',
      1,
      'rule must be a string of 1 to 1,000 characters, but was 5.',
    ],
    [
      'an entry that is no map',
      '- a\n',
      1,
      'An entry must be a map with rule, file, reason, expires, approved_by, but was a string.',
    ],
    [
      'a map in place of the list',
      'rule: a\n',
      1,
      'The file must be a list of entries, each beginning with `- rule:`.',
    ],
  ])('is refused for %s, at its line', async (_, yaml, line, message) => {
    const error = await refusal(() => readSuppressions(repository({ [SUPPRESSIONS_PATH]: yaml })))
    expect([error.code, error.message, error.place?.file, error.place?.line]).toEqual([
      'CONFIG_INVALID',
      message,
      SUPPRESSIONS_PATH,
      line,
    ])
  })

  test('is refused where it is no YAML, and is left as it is', async () => {
    const root = repository({ [SUPPRESSIONS_PATH]: '- rule: [\n' })
    const error = await refusal(() => run(root, { rule, reason: 'why' }))
    expect([error.code, error.place?.file]).toEqual(['CONFIG_INVALID', SUPPRESSIONS_PATH])
    expect(text(root)).toBe('- rule: [\n')
  })

  test('may hold nothing but comments, or be absent', async () => {
    expect(await readSuppressions(repository({ [SUPPRESSIONS_PATH]: '# none yet\n' }))).toEqual([])
    expect(await readSuppressions(repository())).toEqual([])
  })

  test('are refused, and not taken for none, where a folder stands in the place of the file', async () => {
    const root = repository({ [`${SUPPRESSIONS_PATH}/x`]: 'in its place' })
    const { code, message } = await refusal(() => readSuppressions(root))
    expect([code, message]).toEqual(['CONFIG_INVALID', `${SUPPRESSIONS_PATH} is a directory, not a file.`])
  })

  test('gives every entry its line', async () => {
    const root = repository({ [SUPPRESSIONS_PATH]: '# a\n\n- rule: a\n  reason: x\n- reason: y\n  rule: b\n' })
    expect((await readSuppressions(root)).map(({ line }) => line)).toEqual([3, 5])
  })

  test('takes dates that exist, and no others', () => {
    expect(['2026-02-28', '2028-02-29', '2026-12-31'].filter(date => !isDate(date))).toEqual([])
    expect(['2026-02-29', '2026-13-01', '2026-1-1', '', '2026-00-10', '20261231'].filter(isDate)).toEqual([])
  })
})

describe('GET /api/suppressions', () => {
  test('gives the entries by pages, with their state and how many there are', async () => {
    const root = repository()
    const yaml = Array.from(
      { length: 5 },
      (_, i) => `- rule: r${i}\n  reason: x\n${i === 0 ? '  expires: 2026-06-14\n' : ''}`,
    ).join('')
    const filled = repository({ [SUPPRESSIONS_PATH]: yaml })
    const first = await suppressions.run({ limit: 3 }, context(filled))
    expect(first).toMatchObject({ total: 5, active: 4, expired: 1, next_cursor: '3' })
    expect(first.suppressions.map(({ rule: id, state }) => `${id} ${state}`)).toEqual([
      'r0 expired',
      'r1 active',
      'r2 active',
    ])
    const second = await suppressions.run({ limit: 3, cursor: first.next_cursor! }, context(filled))
    expect([second.suppressions.map(({ rule: id }) => id), second.next_cursor]).toEqual([['r3', 'r4'], undefined])
    expect((await suppressions.run({ limit: 3 }, context(root))).total).toBe(0)
  })

  test('refuses a cursor that it did not give', async () => {
    expect((await refusal(() => suppressions.run({ limit: 3, cursor: '-1' }, context(repository())))).code).toBe(
      'INPUT_INVALID',
    )
  })
})
