import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readLibraries } from '../../../engine/sources/packs/libraries/read.ts'
import { ROOT, textOf } from '../../root.ts'
import { projectFiles } from '../../sources.ts'

/** Names that the adapters give to what the language has no name for; libraries refer to them. */
const ADAPTERS = /^engine\/detect\/taint\/languages\//

/** Names whose meaning the analysis computes, each with why: they are operations of the language, and no knowledge of a library. */
const COMPUTED: Record<string, string> = {
  'string.Format': 'the text that it puts together is known',
  'fmt.Sprintf': 'the text that it puts together is known',
  're.compile': 'the pattern of a check is read',
}

/** Full names of calls and members that libraries have: `flask.request.args`, `new java.io.File`. */
async function listNames(): Promise<Set<string>> {
  const names = new Set<string>()
  for (const { library } of await readLibraries(join(ROOT, 'packs/libraries'))) {
    const lists = [
      ...[...(library.sources ?? []), ...(library.propagators ?? [])].flatMap(({ calls = [], members = [] }) => [
        calls,
        members,
      ]),
      ...[...(library.sanitizers ?? []), ...(library.validators ?? [])].map(({ calls }) => calls),
      library.non_propagators ?? [],
      library.no_return ?? [],
      Object.keys(library.result_types ?? {}),
    ]
    for (const name of lists.flat()) {
      const full = name.replace(/^(?:new |~)/, '')
      if (/^[\w/$-]+(?:\.[\w$-]+)+$/.test(full)) names.add(full)
    }
  }
  return names
}

it('no code of the analysis has the full name of a call or member of a library', async () => {
  const names = await listNames()
  expect(names.size).toBeGreaterThan(500)
  const found = projectFiles()
    .filter(path => /^engine\/detect\/taint\/.*\.ts$/.test(path) && !ADAPTERS.test(path))
    .flatMap(path =>
      [...textOf(path).matchAll(/'([^'\n]+)'/g)]
        .filter(([, text]) => names.has(text!) && !(text! in COMPUTED))
        .map(([, text]) => `${path}: ${text}`),
    )
  expect(found).toEqual([])
})
