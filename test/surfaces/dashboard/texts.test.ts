import { expect, it } from 'vitest'
import { applicationOf, applyToSnippet } from '../../../api/dashboard/components/fix-diff.tsx'
import { parseProse } from '../../../api/dashboard/components/prose.tsx'
import { nameComponent, nameEnd } from '../../../api/dashboard/format.ts'
import { formatCsv } from '../../../api/dashboard/pages/findings/csv.ts'
import { parseEvent, requestOf } from '../../../api/dashboard/server/request.ts'
import { finding, rule } from '../../assure/fixture.ts'

it('prose is paragraphs with code in them, and blocks that are fenced or indented', () => {
  expect(parseProse('Use `a` here.\n\n    x = 1\n    y = 2\n\n```js\nlet z\n```\nThen go on.')).toEqual([
    { kind: 'paragraph', pieces: ['Use ', 'a', ' here.'] },
    { kind: 'block', code: 'x = 1\ny = 2' },
    { kind: 'block', code: 'let z' },
    { kind: 'paragraph', pieces: ['Then go on.'] },
  ])
})

it('a cell that a spreadsheet would run begins with an apostrophe, and quotes are doubled', () => {
  expect(formatCsv(['a', 'b'], [['=HYPERLINK("x")', 3]])).toBe('a,b\r\n"\'=HYPERLINK(""x"")",3\r\n')
})

it('the edits of a fix are applied to the lines of the snippet, from the last', () => {
  const at = (start_line: number, start_column: number, end_line: number, end_column: number, text: string) => ({
    ...{ start_line, start_column, end_line, end_column, text },
  })
  const two = finding(rule('r'), 'a.js', 7, {
    snippet: 'let a = md5(x)\nlet b = md5(y)',
    end_line: 8,
    fix: { edits: [at(7, 9, 7, 12, 'sha256'), at(8, 9, 8, 12, 'sha256')] },
  })
  expect(applyToSnippet(two as never)?.after).toEqual(['let a = sha256(x)', 'let b = sha256(y)'])
  expect(applicationOf(two as never)).toMatchObject({ file_path: 'a.js', start_line: 7, end_line: 8 })
})

it('a fix beyond the snippet cannot be shown as lines', () => {
  const beyond = finding(rule('r'), 'a.js', 7, {
    fix: { edits: [{ start_line: 1, start_column: 1, end_line: 1, end_column: 1, text: 'import x\n' }] },
  })
  expect(applyToSnippet(beyond as never)).toBeUndefined()
})

it('fields in braces go into the path, and those of a GET into the query', () => {
  expect(requestOf('GET /api/findings/{id}', { id: 'a/b', run_id: '', tags: ['x', 'y'] }).path).toBe(
    '/api/findings/a%2Fb?tags=x&tags=y',
  )
  expect(requestOf('POST /api/apply-fix', { a: 1 })).toMatchObject({
    path: '/api/apply-fix',
    init: { body: '{"a":1}' },
  })
})

it('a comment of a stream is no event', () => {
  expect(parseEvent(': alive')).toBeUndefined()
  expect(parseEvent('event: progress\ndata: {"done":1}')).toEqual({ name: 'progress', data: { done: 1 } })
})

it('the ends of a chart are days, and times of day where both are of one day', () => {
  const [morning, evening, later] = ['2026-11-27T09:14:00', '2026-11-27T18:15:00', '2026-11-29T09:14:00']
  expect([nameEnd(morning, later), nameEnd(later, morning)]).toEqual(['Nov 27, 2026', 'Nov 29, 2026'])
  expect([nameEnd(morning, evening), nameEnd(evening, morning)].map(text => text.replaceAll(/\s/g, ' '))).toEqual([
    '9:14 AM',
    '6:15 PM',
  ])
})

it('a component of the posture score is named for what it measures', () => {
  expect(['compliance', 'gate_reliability'].map(nameComponent)).toEqual(['rules without findings', 'gate reliability'])
})
