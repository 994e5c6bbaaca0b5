import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Context } from '../../../base/context.ts'
import { isInside } from '../../../base/disk/project-write.ts'
import { readRegular } from '../../../base/disk/read.ts'
import { EngineError } from '../../../base/errors.ts'
import type { Library } from '../../../base/records/library.ts'
import { compileExpression } from '../../../detect/taint/expression.ts'
import { loadConfig } from '../../config/load.ts'
import { OWN_LIBRARIES } from '../libraries/known.ts'
import { proveOwnLibraries, readOwnLibraries } from '../libraries/own.ts'
import type { LibraryFile } from '../libraries/read.ts'
import { loadBuiltinPacks } from '../load.ts'
import { parseFile } from '../parse.ts'
import { listScannedFiles } from '../scanned.ts'
import type { Linted } from './lint.ts'
import { makeProblem, type Problem } from './problem.ts'

/** Larger files are not searched for the names of entries. */
const MOST_BYTES = 1 << 20

/** Whether a word that `lint-pack` takes names libraries of the repository: `.svc/libraries`, a file in it, or a pack's. */
export function namesLibraries(named: string, root: string, context: Pick<Context, 'cwd'>): boolean {
  const path = relative(root, resolve(context.cwd, named)).replaceAll('\\', '/')
  return /^\.svc\/(?:packs\/[^/]+\/)?libraries(?:\/|$)/.test(path)
}

/** What is wrong with a repository's own libraries below a path, and their entries that no file of the repository uses. */
export async function lintLibraries(named: string, root: string, context: Context): Promise<Linted> {
  const below = resolve(context.cwd, named)
  const problems: Problem[] = []
  const linted = { pack_id: relative(root, below) || OWN_LIBRARIES, rules: 0, controls: 0, problems, accepted: [] }
  let files: LibraryFile[]
  try {
    files = await readOwnLibraries(root)
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'PACK_INVALID') throw error
    for (const { message, place } of error.faults)
      problems.push(makeProblem('invalid', place?.file ?? OWN_LIBRARIES, message, place ?? { file: OWN_LIBRARIES }))
    return linted
  }
  const asked = files.filter(({ file }) => isInside(below, join(root, file)))
  for (const { message, place } of proveOwnLibraries(files, loadBuiltinPacks()))
    if (asked.some(({ file }) => file === place!.file))
      problems.push(makeProblem('example-broken', place!.file, message, place!))
  problems.push(...(await listUnused(asked, root, context)))
  return linted
}

/** A name of an entry that is searched for. */
interface Wanted {
  file: string
  library: Library
  path: string[]
  name: string
  /** Whether a dotted name, or a part of one, of a file is it. */
  fits: (token: string, parts: readonly string[]) => boolean
}

/** The names of the libraries' entries that no file of the repository has. */
export async function listUnusedNames(
  files: readonly LibraryFile[],
  root: string,
  context: Pick<Context, 'cwd' | 'env' | 'signal'>,
): Promise<Pick<Wanted, 'file' | 'library' | 'path' | 'name'>[]> {
  let wanted = files.flatMap(listWanted)
  const config = await loadConfig(context.cwd, { env: context.env })
  const seen = new Map<string, Set<string>>()
  for (const { path, language } of await listScannedFiles(config, context.signal)) {
    if (language === null || !wanted.some(({ library }) => library.languages.includes(language))) continue
    const bytes = readRegular(join(root, path), MOST_BYTES)
    if (!(bytes instanceof Uint8Array)) continue
    const known = seen.get(language) ?? new Set<string>()
    seen.set(language, known)
    for (const [token] of Buffer.from(bytes)
      .toString('latin1')
      .matchAll(/[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g)) {
      if (known.has(token)) continue
      known.add(token)
      const parts = token.split('.')
      wanted = wanted.filter(each => !(each.library.languages.includes(language) && each.fits(token, parts)))
    }
  }
  return wanted
}

async function listUnused(files: readonly LibraryFile[], root: string, context: Context): Promise<Problem[]> {
  const out: Problem[] = []
  for (const { file, path, name, library } of await listUnusedNames(files, root, context)) {
    const { place } = await parseFile(readFileSync(join(root, file)), file)
    const message = `${path[0]}: no ${library.languages.join(' or ')} file of this repository has ${name}`
    out.push(makeProblem('unused-entry', file, message, place(path, 'value')))
  }
  return out
}

function listWanted({ file, library }: LibraryFile): Wanted[] {
  const out: Wanted[] = []
  const add = (path: string[], name: string, fits: Wanted['fits']) => out.push({ file, library, path, name, fits })
  const addName = (path: string[], name: string) => {
    const expression = /^\/.*\/$/.test(name) ? compileExpression(name.slice(1, -1)) : undefined
    const last = name.replace(/^(?:new |~)/, '').replace(/(?:\[\]|=)$/, '')
    const word = last.slice(last.lastIndexOf('.') + 1)
    add(path, name, expression ? token => expression.test(token) : (_, parts) => word === '*' || parts.includes(word))
  }
  for (const key of ['sources', 'sinks', 'sanitizers', 'validators', 'propagators'] as const)
    (library[key] ?? []).forEach((entry, index) => {
      for (const list of ['calls', 'members', 'writes'] as const)
        ((entry as Partial<Record<typeof list, string[]>>)[list] ?? []).forEach((name, at) => {
          addName([key, String(index), list, String(at)], name)
        })
    })
  for (const key of ['non_propagators', 'no_return'] as const)
    (library[key] ?? []).forEach((name, at) => {
      addName([key, String(at)], name)
    })
  ;(library.handlers ?? []).forEach(({ parameters }, index) => {
    parameters.forEach(({ decorators, function: called, types = [], annotations = [] }, at) => {
      const path = ['handlers', String(index), 'parameters', String(at)]
      for (const name of [...types, ...annotations]) if (name !== '') addName(path, name)
      for (const [source, prefixes] of [
        [decorators, ['', 'extends ', 'class ']],
        [called, ['']],
      ] as const) {
        if (source === undefined) continue
        const expression = compileExpression(source)
        const isNamed = (name: string) => prefixes.some(prefix => expression.test(prefix + name))
        add(path, source, (token, parts) => isNamed(token) || parts.some(isNamed))
      }
    })
  })
  return out
}
