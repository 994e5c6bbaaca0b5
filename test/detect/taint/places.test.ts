import { expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

const rule = sinkRule('javascript', {
  sinks: [{ writes: ['*.innerHTML'], unless_function: 'isOwnPage\\(\\)' }],
})

const page = (body: string): string => `app.get('/', (req, res) => { ${body} })`

test('what is written to a member is judged by the text of the function around it', () => {
  expect(follow(page('box.innerHTML = req.query.q'), rule).matches).toHaveLength(1)
  expect(follow(page('if (isOwnPage()) box.innerHTML = req.query.q'), rule).matches).toHaveLength(0)
})

test('what stands in another function says nothing of it', () => {
  const other = 'function other() { return isOwnPage() }\n'
  expect(follow(other + page('box.innerHTML = req.query.q'), rule).matches).toHaveLength(1)
})
