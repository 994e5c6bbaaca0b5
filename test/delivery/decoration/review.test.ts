import { expect, it } from 'vitest'
import { planReview } from '../../../engine/delivery/decoration/review.ts'
import { finding, subject } from './subjects.ts'

const SLASHES = /^\s*\/(?:merge|approve|close)/m

it('a comment has no line that GitLab takes for a quick action, whatever the finding says', () => {
  const judged = subject([finding(1, { title: '/close', message: '/merge', remediation: ' /approve' })])
  const [comment] = planReview(judged, undefined, () => undefined, false)
  expect(comment!.body).toContain('merge')
  expect(comment!.body).not.toMatch(SLASHES)
})

it('a suggestion that could end its own fence before a quick action is left out', () => {
  const edit = { start_line: 1, start_column: 1, end_line: 1, end_column: 2, text: 'b' }
  const fixed = finding(1, { fix: { edits: [edit] } as never, snippet: 'a' })
  const bodyOf = (text: string) => {
    const long = { ...edit, end_line: 3, end_column: 1 }
    const own = text.includes('\n') ? finding(1, { fix: { edits: [long] } as never, snippet: 'a' }) : fixed
    own.fix!.edits[0]!.text = text
    return planReview(subject([own]), undefined, () => 'a\nb\nc\n', true)[0]!.body
  }
  expect(bodyOf('b')).toContain('```suggestion')
  expect(bodyOf('x\n```\n/merge\n')).not.toMatch(SLASHES)
})
