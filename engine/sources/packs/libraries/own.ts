import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { locateSettings, readSettings } from '../../../base/disk/settings-file.ts'
import type { Fault } from '../../../base/errors.ts'
import type { Library } from '../../../base/records/library.ts'
import type { CompiledRule } from '../../../detect/rules/active-rules.ts'
import { followsInput } from '../../../detect/taint/runs.ts'
import type { Pack } from '../pack.ts'
import { parseFile, refusePack } from '../parse.ts'
import { OWN_LIBRARIES } from './known.ts'
import { ProofBudget } from './proof-budget.ts'
import { proveLibrary } from './prove.ts'
import { type LibraryFile, MAX_FILE_BYTES, readLibraries } from './read.ts'
import { teachRules } from './teach.ts'

const OWN_PACKS = '.svc/packs'

/** The repository's own libraries as they were read: those of `.svc/libraries/`, then those of its packs. Examples are not run. */
export async function readOwnLibraries(root: string): Promise<LibraryFile[]> {
  const out: LibraryFile[] = []
  for (const folder of listFolders(root)) {
    if (locateSettings(root, folder, 'PACK_INVALID') === undefined) continue
    out.push(...(await readLibraries(join(root, folder), root)))
  }
  return out
}

/** What the libraries of one of the repository's packs say, as it was written. */
export async function readWrittenLibraries(root: string, pack: string): Promise<object[]> {
  const folder = `${OWN_PACKS}/${pack}/libraries`
  if (locateSettings(root, folder, 'PACK_INVALID') === undefined) return []
  const files = await readLibraries(join(root, folder), root)
  return Promise.all(
    files.map(async ({ file }) => {
      const bytes = readSettings(root, file, { most: MAX_FILE_BYTES, code: 'PACK_INVALID' })
      return (await parseFile(bytes ?? new Uint8Array(), file)).data as object
    }),
  )
}

/**
 * The same, proven: examples hold with the taint rules of `packs`, or PACK_INVALID says which do not. A library may build on the others,
 * so that each is proven with all of them, and against all of them but itself.
 */
export async function loadOwnLibraries(root: string, packs: readonly Pack[]): Promise<Library[]> {
  const files = await readOwnLibraries(root)
  const faults = proveOwnLibraries(files, packs)
  if (faults.length > 0) throw refusePack(faults[0]!.place!.file, faults)
  return files.map(({ library }) => library)
}

/** What is wrong with libraries of a repository's own, by file. */
export function proveOwnLibraries(
  files: readonly LibraryFile[],
  packs: readonly Pack[],
  budget = new ProofBudget(),
): Fault[] {
  const libraries = files.map(({ library }) => library)
  return files.flatMap(({ file, library }) => {
    const rules = listTaintRules(packs, library.languages)
    const teach = (known: readonly Library[]) => teachRules(rules, known)
    const taught = {
      with: <T>(work: (known: readonly CompiledRule[]) => T) => work(teach(libraries)),
      without: <T>(work: (known: readonly CompiledRule[]) => T) => work(teach(libraries.filter(l => l !== library))),
    }
    return proveLibrary(library, taught, budget).map(message => ({ message, place: { file } }))
  })
}

/** The pack, its rules with what the libraries add; they are made when they are asked for, as those of a pack that is not on never are. */
export function teachPack(pack: Pack, libraries: readonly Library[]): Pack {
  let rules: CompiledRule[] | undefined
  const get = () => {
    rules ??= teachRules(pack.rules, libraries)
    return rules
  }
  const descriptors = { ...Object.getOwnPropertyDescriptors(pack), rules: { enumerable: true, get } }
  return Object.defineProperties({}, descriptors) as Pack
}

function listTaintRules(packs: readonly Pack[], languages: readonly string[]): CompiledRule[] {
  const fits = (named: readonly string[]) => named.some(name => name === 'any' || languages.includes(name))
  return packs
    .filter(pack => !pack.framework && (pack.languages.length === 0 || fits(pack.languages)))
    .flatMap(pack => pack.rules)
    .filter(rule => followsInput(rule) && fits(rule.languages))
}

function listFolders(root: string): string[] {
  const packs = join(root, OWN_PACKS)
  const inside = existsSync(packs) ? readdirSync(packs, { withFileTypes: true }) : []
  return [
    OWN_LIBRARIES,
    ...inside
      .filter(entry => entry.isDirectory())
      .map(({ name }) => `${OWN_PACKS}/${name}/libraries`)
      .sort(),
  ]
}
