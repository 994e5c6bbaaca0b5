import { expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

function find(body: string, sink: Record<string, unknown>) {
  const code = `app.get('/x', (req, res) => {\n  const name = req.query.name\n${body}\n})\n`
  const rule = sinkRule('javascript', { sources: ['request', 'request-text'], sinks: [sink] })
  return follow(code, rule).matches.map(({ line }) => line)
}

test('an entry of an object is a sink where the object is written', () => {
  const sink = { writes: ['the map.filter'] }
  expect(find('const options = { filter: `(uid=${name})` }', sink)).toEqual([3])
  expect(find("const options = { filter: '(uid=a)', base: name }", sink)).toEqual([])
  expect(find('options.filter = name', sink)).toEqual([])
})

test('conditions of a member that is a sink ask about what is written to it', () => {
  const sink = { writes: ['*.text'], when: [{ argument: 0, written: '^(?!only)' }] }
  expect(find('node.text = name', sink)).toEqual([3])
  expect(find('node.text += name', sink)).toEqual([3])
  expect(find('const only = name\nnode.text = only', sink)).toEqual([])
})
