import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { isFolder } from '../../../base/disk/output-file.ts'
import { readSettings } from '../../../base/disk/settings-file.ts'
import { EngineError, type Fault } from '../../../base/errors.ts'
import { findFaults, type JsonSchema } from '../../../base/json-schema.ts'
import type { Library } from '../../../base/records/library.ts'
import { METHOD_ROLES, type MethodRole } from '../../../base/records/taint-model.ts'
import { findAdapter } from '../../../detect/taint/languages/adapters.ts'
import { type PlaceOf, parseFile, refusePack } from '../parse.ts'
import { compileExpressions } from './expressions.ts'
import schema from './schema.gen.json' with { type: 'json' }

/** The largest file of a library that is read. */
export const MAX_FILE_BYTES = 1 << 20

/** A library with the file that it is from, as messages call it. */
export interface LibraryFile {
  file: string
  library: Library
}

/**
 * The libraries in a directory's YAML files and those of its directories, sorted by path; each is of the form of `Library`, and its
 * expressions compile. PACK_INVALID lists the faults of all of them. With `root`, files are read as settings of that repository. Examples
 * are run by `proveLibraries`.
 */
export async function readLibraries(folder: string, root?: string): Promise<LibraryFile[]> {
  if (root !== undefined && existsSync(folder) && !isFolder(folder)) {
    const file = relative(root, folder).split(sep).join('/')
    throw refusePack(file, [{ message: `${file} is not a directory.`, place: { file } }])
  }
  const out: LibraryFile[] = []
  const faults: Fault[] = []
  for (const path of listFiles(folder, 1)) {
    const file = root === undefined ? path : relative(root, path).split(sep).join('/')
    try {
      const bytes =
        root === undefined
          ? readFileSync(path)
          : readSettings(root, file, { most: MAX_FILE_BYTES, code: 'PACK_INVALID' })
      if (bytes) out.push({ file, library: await parseLibrary(bytes, file, root === undefined) })
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'PACK_INVALID') throw error
      faults.push(...(error.faults.length > 0 ? error.faults : [{ message: error.message, place: { file } }]))
    }
  }
  if (faults.length > 0) throw refusePack(faults[0]!.place?.file ?? folder, faults)
  return out
}

/** A library's text; `isBuiltIn` for one that comes with svc, which alone may say what the language is like, and whose sinks no rule would have (`teachRules`). */
export async function parseLibrary(bytes: Uint8Array, file: string, isBuiltIn = false): Promise<Library> {
  const { data, place } = await parseFile(bytes, file)
  return checkLibrary(data, file, place, isBuiltIn)
}

/** The same of what is parsed already; `place` says where what stands under a path of its keys was written. */
export function checkLibrary(data: unknown, file: string, place: PlaceOf, isBuiltIn = false): Library {
  const faults = findFaults(schema as JsonSchema, data ?? {}).map(
    ({ message, path, known }): Fault => ({ message, place: place(path, known ? 'key' : 'value') }),
  )
  if (faults.length > 0) throw refusePack(file, faults)
  const add = (path: string[], message: string) => faults.push({ message, place: place(path, 'value') })
  const library = compileExpressions(data as Library, isBuiltIn, add)
  for (const language of library.languages)
    if (!findAdapter(language)) add(['languages'], `there is no taint analysis for ${language}`)
  for (const key of ['language', 'methods', 'snippets'] as const)
    if (library[key] && !isBuiltIn) add([key], 'only libraries that come with svc describe a language')
  if (library.sinks && isBuiltIn)
    add(['sinks'], 'no rule has the sinks of libraries that come with svc: write them in rules of packs/weaknesses')
  for (const role of Object.keys(library.methods ?? {}))
    if (!METHOD_ROLES.includes(role as MethodRole)) add(['methods', role], `methods have no ${role}`)
  for (const [key, entries] of Object.entries(NEEDS))
    ((library[key as keyof typeof NEEDS] ?? []) as object[]).forEach((entry, index) => {
      if (!entries.some(name => name in entry)) add([key, String(index)], `${key} need one of ${entries.join(', ')}`)
    })
  if (faults.length > 0) throw refusePack(file, faults)
  return library
}

/** What an entry must have one of to say anything. */
const NEEDS = {
  sources: ['calls', 'members'],
  propagators: ['calls', 'members'],
  sinks: ['calls', 'writes', 'returned_by'],
} as const

/** YAML files of the directory, and of its directories down to a depth. */
function listFiles(folder: string, depth: number): string[] {
  if (!existsSync(folder)) return []
  const entries: Dirent[] = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return depth > 0 ? listFiles(path, depth - 1) : []
    return /\.ya?ml$/.test(entry.name) ? [path] : []
  })
}
