import { expect, it } from 'vitest'
import { findLibraryWeakenings } from '../../engine/gate/change/library-diff.ts'

const PATH = '.svc/libraries/acme.yaml'
const BASE =
  'library: Acme\nlanguages: [python]\nsources: [{ kind: request, label: a, members: [acme.a] }]\nmatch: [a]\nclean: [b]\n'
const SANITIZER = 'sanitizers: [{ calls: [acme.quote], for: [shell] }]\n'

async function compare(before: string | undefined, after: string | undefined): Promise<string[]> {
  const bytes = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text))
  return (await findLibraryWeakenings(PATH, bytes(before), bytes(after))).map(({ what }) => what)
}

it('lets a library add sources', async () => {
  expect(await compare(undefined, BASE)).toEqual([])
  expect(await compare(BASE.replace('[acme.a]', '[acme.a]'), BASE.replace('match: [a]', 'match: [c]'))).toEqual([])
})

it.each([
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

it('names sources that are gone, and a library that was deleted', async () => {
  expect(await compare(BASE, BASE.replace(/sources.*\n/, ''))).toEqual([expect.stringContaining('sources removed')])
  expect(await compare(BASE, undefined)).toEqual([`${PATH} deleted`])
})

it('lets a library lose sanitizers', async () => {
  expect(await compare(BASE + SANITIZER, BASE)).toEqual([])
})
