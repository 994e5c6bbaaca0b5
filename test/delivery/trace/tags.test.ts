import { describe, expect, it } from 'vitest'
import { findTags, mayHaveTags } from '../../../engine/delivery/trace/tags.ts'
import fc from '../../made/property.ts'

const read = (language: string, text: string) =>
  findTags(language, text).map(({ id, role, form }) => `${form} ${role} ${id}`)

describe('tags of requirements', () => {
  it.each([
    ['typescript', '/** Logs in. @req REQ-1, REQ-2. */', ['svc implements REQ-1', 'svc implements REQ-2']],
    ['python', '# @verifies REQ-1', ['svc tests REQ-1']],
    ['sql', '-- @req: DB-7', ['svc implements DB-7']],
    ['c', '/* SPDX-Req-ID: 77958d2a51762caa */', ['spdx implements 77958d2a51762caa']],
    ['java', '// [impl->req~login~2]', ['openfasttrace implements req~login~2']],
    ['java', '// [utest~own~1->dsn~login~2>>itest]', ['openfasttrace tests dsn~login~2']],
    ['cpp', '// @relation(REQ-1, REQ-2, scope=function)', ['strictdoc implements REQ-1', 'strictdoc implements REQ-2']],
    ['python', '# @relation(REQ-1, scope=file, role=Test)', ['strictdoc tests REQ-1']],
  ])('are read in comments of %s: %s', (language, text, expected) => {
    expect(read(language, text)).toEqual(expected)
  })

  it('are read in documentation strings of Python, and in no other string', () => {
    expect(read('python', 'def f():\n    """@relation(REQ-1, scope=function)"""\n    x = """@req REQ-2"""\n')).toEqual([
      'strictdoc implements REQ-1',
    ])
    expect(read('javascript', 'const text = "@req REQ-1" // x')).toEqual([])
  })

  it('are no tags where a backtick quotes them, or where the word goes on', () => {
    expect(read('typescript', '// `@req REQ-1` and `[impl->req~x~1]`, mail me@req REQ-2, @request REQ-3')).toEqual([])
  })

  it('of Gherkin are every tag of a scenario, of which some may be ids', () => {
    expect(read('gherkin', '@smoke @REQ-1 @req:REQ-2\nScenario: x\n')).toEqual([
      'gherkin tests smoke',
      'gherkin tests REQ-1',
      'svc tests REQ-2',
    ])
  })

  it('have the line and column of the id', () => {
    expect(findTags('typescript', 'a\n// @req REQ-1, REQ-2')).toMatchObject([
      { line: 2, column: 9 },
      { line: 2, column: 16 },
    ])
  })

  it('are in no file that the search of its bytes leaves out', () => {
    const piece = fc.constantFrom(
      '// ',
      '@req ',
      '@verifies ',
      'REQ-1',
      '[impl->',
      'req~x~1]',
      '@relation(',
      ')',
      '\n',
      'SPDX-Req-ID: ',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
        const text = pieces.join('')
        const tags = findTags('typescript', text)
        for (const { offset, id } of tags) expect(text.slice(offset, offset + id.length)).toBe(id)
        if (tags.length > 0) expect(mayHaveTags(Buffer.from(text), 'typescript')).toBe(true)
      }),
    )
  })

  it('take time linear to the text, however it is written', () => {
    for (const piece of ['@req A', '[a->', '@relation(', '[a~b~1->', '@req A, ', '[impl->x~'])
      expect(findTags('typescript', `/* ${piece.repeat(60_000)} */`).length).toBeGreaterThanOrEqual(0)
  }, 5000)
})
