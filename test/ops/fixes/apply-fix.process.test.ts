import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import apply from '../../../engine/ops/fixes/apply.ts'
import { context, refusal } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'
import { repository } from '../../made/project.ts'
import fc from '../../made/property.ts'

type Input = Parameters<typeof apply.run>[0]

const run = (root: string, input: Partial<Input> & { file_path: string }) =>
  apply.run({ fixed_code: 'fixed', start_line: 1, end_line: 1, ...input }, context(root))
const read = (root: string, path: string) => readFileSync(join(root, path))

describe('POST /api/apply-fix', () => {
  it('replaces the lines, and says what became of them', async () => {
    const root = repository({ 'src/a.js': 'one\ntwo\nthree\nfour\n' })
    const answer = await run(root, {
      file_path: 'src/a.js',
      fixed_code: 'TWO\n  and\nTHREE\n',
      start_line: 2,
      end_line: 3,
    })
    expect(read(root, 'src/a.js').toString()).toBe('one\nTWO\n  and\nTHREE\nfour\n')
    expect(answer).toEqual({
      file_path: 'src/a.js',
      applied: true,
      start_line: 2,
      end_line: 4,
      lines_removed: 2,
      lines_added: 3,
    })
    expect(readdirSync(join(root, 'src'))).toEqual(['a.js'])
  })

  it('counts from the root of the project wherever the server stands in it', async () => {
    const root = repository({ 'src/a.js': 'one\n' })
    await run(join(root, 'src'), { file_path: 'src/a.js' })
    expect(read(root, 'src/a.js').toString()).toBe('fixed\n')
  })

  it('takes lines out where the fixed code is empty, and leaves an empty one where it is a line end', async () => {
    const root = repository({ a: 'one\ntwo\nthree\n', b: 'one\ntwo\n', c: 'one\ntwo' })
    expect(await run(root, { file_path: 'a', fixed_code: '', start_line: 2, end_line: 2 })).toMatchObject({
      end_line: 1,
    })
    await run(root, { file_path: 'b', fixed_code: '\n', start_line: 1, end_line: 1 })
    await run(root, { file_path: 'c', fixed_code: '', start_line: 2, end_line: 2 })
    expect(['a', 'b', 'c'].map(name => read(root, name).toString())).toEqual(['one\nthree\n', '\ntwo\n', 'one\n'])
  })

  it('compares the expected code without minding white space, and refuses what is other code', async () => {
    const root = repository({ a: 'one\r\n\tif (x)  {\r\n    y()\r\n}\r\n' })
    const expected = { file_path: 'a', start_line: 2, end_line: 4 }
    const error = await refusal(() => run(root, { ...expected, original_code: 'if (x) { z() }' }))
    expect([error.code, error.row.status]).toEqual(['CONFLICT', 409])
    expect(error.message).toBe('Lines 2 to 4 are not the code that was expected: the file has changed.')
    expect(read(root, 'a').toString()).toContain('y()')
    await run(root, { ...expected, original_code: 'if (x) {\n  y()\n}\n', fixed_code: 'if (x) z()' })
    expect(read(root, 'a').toString()).toBe('one\r\nif (x) z()\r\n')
  })

  it('says so where the file already has the code, and does not touch it', async () => {
    const root = repository({ a: 'one\ntwo\n' })
    const stats = () => {
      const { ino, mtimeNs, ctimeNs } = statSync(join(root, 'a'), { bigint: true })
      return { ino, mtimeNs, ctimeNs }
    }
    const before = stats()
    expect(await run(root, { file_path: 'a', fixed_code: 'one' })).toMatchObject({ applied: false })
    expect(stats()).toEqual(before)
  })

  test.each([
    ['a line behind the last', { start_line: 1, end_line: 3 }, 'end_line is 3, but the file has 2 lines.'],
    [
      'lines the wrong way round',
      { start_line: 2, end_line: 1 },
      'start_line must not lie behind end_line, but 2 > 1.',
    ],
  ])('refuses %s', async (_, lines, message) => {
    const root = repository({ a: 'one\ntwo' })
    const error = await refusal(() => run(root, { file_path: 'a', ...lines }))
    expect([error.code, error.message]).toEqual(['INPUT_INVALID', message])
  })

  it('keeps encoding, mark, line ends, mode and every other byte, whatever lines are replaced', () => {
    const encodings = {
      plain: (text: string) => Buffer.from(text),
      marked: (text: string) => Buffer.from(`\uFEFF${text}`),
      wide: (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
      single: (text: string) => Buffer.from(text, 'latin1'),
    }
    const line = fc.stringMatching(/^[a-zé ]{0,6}$/)
    const root = folder()
    const names = fc.constantFrom(...(Object.keys(encodings) as (keyof typeof encodings)[]))
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 6 }),
        fc.array(fc.stringMatching(/^[a-z ]{1,5}$/), { minLength: 1, maxLength: 3 }),
        fc.nat(5),
        fc.nat(5),
        names,
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (lines, fixed, a, b, name, end, closed) => {
          const [first, last] = [a % lines.length, b % lines.length].sort((x, y) => x - y) as [number, number]
          // An empty last line without an end is no line, and a text without any has no kind of line end.
          if (!closed && (lines.at(-1) === '' || lines.length === 1)) return
          const joined = (of: string[]) => encodings[name](of.join(end) + (closed ? end : ''))
          writeFileSync(join(root, 'a'), joined(lines))
          chmodSync(join(root, 'a'), 0o751)
          apply.run(
            { file_path: 'a', fixed_code: fixed.join('\n'), start_line: first + 1, end_line: last + 1 },
            context(root),
          )
          expect(read(root, 'a')).toEqual(joined([...lines.slice(0, first), ...fixed, ...lines.slice(last + 1)]))
          expect(statSync(join(root, 'a')).mode & 0o7777).toBe(0o751)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('refuses a character that the encoding of the file does not have, and a NUL in any', async () => {
    const root = repository()
    writeFileSync(join(root, 'a'), Buffer.from('caf\xe9\n', 'latin1'))
    writeFileSync(join(root, 'b'), 'text\n')
    for (const [file_path, fixed_code] of [
      ['a', '日本'],
      ['b', 'a\0b'],
      ['b', 'half \ud83d'],
    ]) {
      const error = await refusal(() => run(root, { file_path: file_path!, fixed_code: fixed_code! }))
      expect(error.code).toBe('INPUT_INVALID')
    }
    expect(read(root, 'a')).toEqual(Buffer.from('caf\xe9\n', 'latin1'))
  })
})
