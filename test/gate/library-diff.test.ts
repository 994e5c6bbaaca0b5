import { expect, it } from 'vitest'
import { findLibraryWeakenings } from '../../engine/gate/change/library-diff.ts'

const PATH = '.svc/libraries/acme.yaml'
const BASE = 'library: Acme\nlanguages: [python]\nmatch: [a]\nclean: [b]\n'
const SOURCE = 'sources: [{ kind: request, label: a, members: [acme.a] }]\n'
const SINK = 'sinks: [{ kind: shell, calls: [acme.run] }]\n'
const SANITIZER = 'sanitizers: [{ calls: [acme.quote], for: [shell] }]\n'

async function compare(before: string | undefined, after: string | undefined): Promise<string[]> {
  const bytes = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text))
  return (await findLibraryWeakenings(PATH, bytes(before), bytes(after))).map(({ what }) => what)
}

it('lets a library add sinks, and change its examples', async () => {
  expect(await compare(undefined, BASE + SINK)).toEqual([])
  expect(await compare(BASE, BASE + SINK)).toEqual([])
  expect(await compare(BASE + SOURCE, BASE.replace('match: [a]', 'match: [c]') + SOURCE)).toEqual([])
})

it.each([
  ['a source', SOURCE],
  ['a handler', 'handlers: [{ kind: request, label: a, parameters: [{ names: [a] }] }]\n'],
  ['a sanitizer', SANITIZER],
  ['a validator', 'validators: [{ calls: [acme.check], argument: 0, for: [sql] }]\n'],
  ['a call without a result', 'non_propagators: [acme.run]\n'],
  ['a call that does not return', 'no_return: [acme.stop]\n'],
  ['a type that holds no text', 'types: { plain: [Id] }\n'],
  ['a constant', 'constants: { acme.SAFE: false }\n'],
  ['a view that validates', 'propagators: [{ calls: [acme.parse], views_for: [url] }]\n'],
  ['a key that it does not know', 'future: 1\n'],
])('names %s that a new or a changed library adds', async (_, more) => {
  expect(await compare(undefined, BASE + more)).toHaveLength(1)
  expect(await compare(BASE, BASE + more)).toHaveLength(1)
  expect(await compare(BASE + more, BASE + more)).toEqual([])
})

it('names what reports and is gone, and a library that was deleted', async () => {
  expect(await compare(BASE + SOURCE, BASE)).toEqual([expect.stringContaining('sources removed')])
  expect(await compare(BASE + SINK, BASE)).toEqual([expect.stringContaining('sinks removed')])
  const propagator = 'propagators: [{ calls: [acme.unquote], decodes: true }]\n'
  expect(await compare(BASE + propagator, BASE)).toEqual([expect.stringContaining('propagators removed')])
  expect(await compare(BASE, undefined)).toEqual([`${PATH} deleted`])
})

it('lets a library lose sanitizers and views that validate', async () => {
  expect(await compare(BASE + SANITIZER, BASE)).toEqual([])
  expect(await compare(`${BASE}propagators: [{ calls: [acme.parse], views_for: [url] }]\n`, BASE)).toEqual([])
})
