import { expect, test } from 'vitest'
import { completeSnippet } from '../../../engine/detect/snippets/complete.ts'

const model = {
  names: [{ names: ['req'], means: 'the request', before: 'const \uFFFC = framework.request', written: 'req\\.query' }],
  around: [],
  unknown: { before: 'const \uFFFC = framework.input', known: ['eval', '/^[A-Z]/'] },
}
const complete = (code: string) => completeSnippet(code, 'javascript', model)

test('a name gets its line where the code says by more than the name what it is', () => {
  expect(complete('f(req.query)').assumed!.inserted.code).toBe('const req = framework.request\nf(req.query)')
  expect(complete('f(req.body)').assumed).toBeUndefined()
})

test('names of unknown origin get a line each, behind those of the others; what is known gets none', () => {
  const { inserted, unknown } = complete('f(req.query, name, NAME)').unknown!
  expect(inserted.code.split('\n').slice(0, -1)).toEqual([
    'const req = framework.request',
    'const name = framework.input',
  ])
  expect([...unknown].map(([line, { name }]) => [line, name])).toEqual([[2, 'name']])
})

test('code that is broken off gets the lines of its names', () => {
  expect(complete('f(req.query, g(').assumed!.inserted.code).toBe('const req = framework.request\nf(req.query, g(')
})

test('methods without their class get it where they say by more than their form whose they are', () => {
  const controller = { before: 'class S : C {', after: '}', means: 'methods of a controller', written: '\\[Get\\]' }
  const surround = (code: string) =>
    completeSnippet(code, 'csharp', { names: [], around: [controller], unknown: model.unknown }).assumed?.surrounding
  expect(surround('[Get] public void F() { G(a); }')).toBe('methods of a controller')
  expect(surround('public void F() { } G(a);')).toBeUndefined()
  expect(surround('class A { [Get] public void F() { } int g = a; }')).toBeUndefined()
})

test('code that is longer than a snippet is taken as it is', () => {
  expect(complete(`f(req.query, name)${'\n'.repeat(200_000)}`)).toEqual({})
})
