import { describe, expect, test } from 'vitest'
import metrics from '../../../engine/ops/quality/metrics.ts'
import { refusal, surface, view } from '../../made/call.ts'
import { project } from '../../made/project.ts'

const FILES = {
  'src/a.py': 'def f(a):\n    # why\n    return 1 if a else 2\n\ndef g():\n    return 0\n',
  'src/b.js': 'function h(a) {\n  if (a && a.b) return 1\n}\n',
  'test/a.test.js': 'test("x", () => {})\n',
  'README.md': '# Title\n',
  'logo.png': '\0\0\0\0',
}

async function run(input: object) {
  return metrics.run({ by: 'language', ...input } as never, surface(project(FILES)).context as never) as Promise<{
    rows: { name: string; files: number; code_lines: number | null; cyclomatic: number | null }[]
    functions: { name: string; file: string; line: number }[]
    total: {
      files: number
      test_files: number
      functions: number | null
      cyclomatic: number | null
      not_measured: number
    }
    skipped: { reason: string; files: number }[]
  }>
}

describe('svc metrics', () => {
  test('adds files up by language, says what is no code, and lists what was not measured', async () => {
    const { rows, total, skipped } = await run({})
    expect(rows.map(({ name, files, code_lines, cyclomatic }) => [name, files, code_lines, cyclomatic])).toEqual([
      ['JavaScript', 2, 4, 4],
      ['Python', 1, 4, 3],
      ['Markdown', 1, 1, null],
    ])
    expect(total).toMatchObject({ files: 4, test_files: 1, functions: 4, cyclomatic: 7, not_measured: 1 })
    expect(skipped).toEqual([{ reason: 'binary', files: 1 }])
  })

  test('sorts rows, and shows as many as are asked for', async () => {
    const { rows } = await run({ by: 'file', sort: 'max_cyclomatic', top: 2 })
    expect(rows.map(({ name }) => name)).toEqual(['src/b.js', 'src/a.py'])
    expect((await run({ by: 'directory', sort: 'name' })).rows.map(({ name }) => name)).toEqual(['.', 'src', 'test'])
  })

  test('lists functions, the most complex first', async () => {
    const { functions } = await run({ by: 'function', top: 2 })
    expect(functions.map(({ name, file, line }) => [name, file, line])).toEqual([
      ['h', 'src/b.js', 1],
      ['f', 'src/a.py', 1],
    ])
  })

  test('takes globs, and refuses one that matches nothing', async () => {
    const { rows } = await run({ paths: ['**/*.js', 'README.md'], by: 'file', sort: 'name' })
    expect(rows.map(({ name }) => name)).toEqual(['README.md', 'src/b.js', 'test/a.test.js'])
    expect(await refusal(() => run({ paths: ['**/*.zig'] }))).toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('**/*.zig'),
    })
  })

  test('refuses to sort functions by what they do not have', async () => {
    const error = await refusal(() => run({ by: 'function', sort: 'files' }))
    expect([error.code, error.message]).toEqual(['INPUT_INVALID', 'Functions cannot be sorted by files.'])
    expect(error.hint).toBe(
      'Sort functions by lines, cyclomatic, cognitive, longest_function, max_nesting, max_cyclomatic, max_cognitive, max_parameters.',
    )
  })

  test('shows as many rows in text as are asked for, and says how many are left', async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}.js`, 'a()\n']))
    const measure = async (input: object) => {
      const { context } = surface(project(files))
      return metrics.text((await metrics.run({ by: 'file', ...input } as never, context as never)) as never, view)
    }
    const count = (text: string) => text.match(/^f\d+\.js/gm)!.length
    expect(count(await measure({ top: 25 }))).toBe(25)
    expect(await measure({ top: 25 })).toContain('5 more rows; a greater --top shows all.')
    expect(count(await measure({}))).toBe(20)
  })

  test('measures the paths that are named, and nothing else', async () => {
    const { rows } = await run({ paths: ['src'], by: 'file', sort: 'name' })
    expect(rows.map(({ name }) => name)).toEqual(['src/a.py', 'src/b.js'])
  })

  test('shows a table with totals, and a dash for what was not measured', async () => {
    const text = metrics.text!((await run({})) as never, { ...view, width: 120 })
    const lines = text.split('\n')
    expect(lines[0]).toMatch(/^language +files +code +comment +blank +functions/)
    expect(lines.find(line => line.startsWith('Markdown'))).toMatch(/ –$/)
    expect(lines.find(line => line.startsWith('total'))).toMatch(/^total +4 +9 /)
  })
})
