import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readLibraries } from '../../../engine/sources/packs/libraries/read.ts'
import { ROOT, textOf } from '../../root.ts'
import { projectFiles } from '../../sources.ts'

/** Names that code of the engine has, by file, each with why it is no knowledge that a library could bring. */
const EXCEPTIONS: readonly { files: RegExp; names?: readonly string[]; why: string }[] = [
  {
    files: /^engine\/detect\/taint\/known-calls\.ts$/,
    names: ['string.Format', 'fmt.Sprintf', 're.compile'],
    why: 'operations of the language whose result is computed: the text that is put together, the pattern of a check',
  },
  {
    files: /^engine\/review\/code\/[\w-]+\.ts$/,
    why: 'tables of constructs for the threat model, with their examples beside them',
  },
  {
    files: /^engine\/detect\/secrets\/generic\/shape\.ts$/,
    names: ['process.env', 'os.environ'],
    why: 'how a value that is read from the environment is written, in any language',
  },
]

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

/** Names in a file's texts and, with escaped dots, in its expressions. */
function listWritten(text: string): string[] {
  return [
    ...[...text.matchAll(/'([^'\n]+)'/g)].map(([, quoted]) => quoted!),
    ...[...text.matchAll(/[\w$-]+(?:\\\.[\w$-]+)+/g)].map(([escaped]) => escaped.replaceAll('\\.', '.')),
  ]
}

it('no code of the engine has the full name of a call or member of a library', async () => {
  const names = await listNames()
  expect(names.size).toBeGreaterThan(500)
  const met = new Set<(typeof EXCEPTIONS)[number]>()
  const found = projectFiles()
    .filter(path => /^engine\/.*\.ts$/.test(path))
    .flatMap(path =>
      listWritten(textOf(path))
        .filter(name => {
          if (!names.has(name)) return false
          const exception = EXCEPTIONS.find(each => each.files.test(path) && (each.names?.includes(name) ?? true))
          if (exception) met.add(exception)
          return !exception
        })
        .map(name => `${path}: ${name}`),
    )
  expect(found).toEqual([])
  expect([...EXCEPTIONS].filter(exception => !met.has(exception))).toEqual([])
})
