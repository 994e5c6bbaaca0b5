import { posix } from 'node:path'
import { mayInclude, readLinks, resolveInclude } from './includes.ts'

/** A file that may have the function that is called, and the names that lead to it there; none for what the file exports by default. */
export interface Target {
  path: string
  names: string[]
}

/** Files of one name that are looked into; of a name that more have, it cannot be told which is meant. */
const MOST_OF_A_NAME = 3

/** Files of one directory that are looked into (packages of Go). */
const MOST_OF_A_DIRECTORY = 40

const JAVASCRIPT = ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.cts']

/** The extensions of files that programs of a language call. */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  javascript: JAVASCRIPT,
  typescript: JAVASCRIPT,
  tsx: JAVASCRIPT,
  python: ['.py'],
  java: ['.java', '.kt'],
  kotlin: ['.kt', '.java'],
  scala: ['.scala', '.java'],
  csharp: ['.cs'],
  go: ['.go'],
  php: ['.php'],
  ruby: ['.rb'],
  rust: ['.rs'],
  lua: ['.lua'],
  elixir: ['.ex', '.exs'],
  swift: ['.swift'],
  dart: ['.dart'],
}

/** What stands behind the name of a module in the paths of its file, in languages whose modules have names with dots. */
const MODULE_FILES: Readonly<Record<string, readonly string[]>> = {
  python: ['.py', '/__init__.py'],
  rust: ['.rs', '/mod.rs'],
  lua: ['.lua', '/init.lua'],
}
const OF_DIRECTORY = /(?:^|\/)(?:__init__\.py|mod\.rs|init\.lua)$/

const MODULE = /(?:\bfrom|\brequire\s*\(|\bimport\s*\(?)\s*['"]((?:\.{1,2}|[@~])\/[^'"\n]*|\.{1,2})['"]/g
const WORD = /\b[A-Za-z_]\w*[?!]?/g
const MODULE_NAMED = new RegExp(MODULE.source)
const TYPE = /\b([A-Z]\w+)/g

/** What may lead to another file, as programs write it. Every file of a directory is one package in Go. */
const NAMES: Readonly<Record<string, RegExp>> = {
  javascript: MODULE,
  typescript: MODULE,
  tsx: MODULE,
  python: /^[ \t]*(?:from|import)[ \t]+([\w.]+)/gm,
  java: TYPE,
  kotlin: TYPE,
  scala: TYPE,
  csharp: TYPE,
  php: TYPE,
  ruby: TYPE,
  elixir: TYPE,
  swift: TYPE,
  dart: TYPE,
  // Modules of the own crate; what other crates bring is not in the repository.
  rust: /\b(?:(?:crate|self|super)::|mod\s+)(\w+(?:::\w+)*)/g,
  lua: /\brequire[ \t]*\(?[ \t]*["']([\w./-]+)/g,
}

/** Languages whose files are named in small letters after the class or module that they hold. */
const FILES_IN_SNAKE_CASE = new Set(['ruby', 'elixir', 'dart'])

/** Languages whose calls of other files are followed. */
export const CROSS_FILE_LANGUAGES: readonly string[] = Object.keys(EXTENSIONS)

/** The extensions of files that files of these languages call. */
export function listExtensions(files: readonly { language: string | null }[]): string[] {
  return [...new Set(files.flatMap(({ language }) => EXTENSIONS[language ?? ''] ?? []))]
}

/** Endings of paths that are looked up at once. */
const MOST_ENDINGS = 200

/**
 * How the paths end of files that a text may call something of; a file with another ending is none. Undefined where that cannot be told by names
 * alone, or there are too many.
 */
export function listEndings(language: string, text: string): string[] | undefined {
  const names = NAMES[language]
  if (!names || names === MODULE) return names && !MODULE_NAMED.test(text) ? [] : undefined
  if (mayInclude(language) && readLinks(language, text).includes.length > 0) return undefined
  const found = new Set<string>()
  for (const [, name = ''] of text.matchAll(names)) {
    for (const part of language in MODULE_FILES ? name.split(/[./]|::/) : [name]) if (part !== '') found.add(part)
    if (found.size > MOST_ENDINGS) return undefined
  }
  const toFileName = FILES_IN_SNAKE_CASE.has(language) ? toSnakeCase : (name: string) => name
  const endings = [...found].flatMap(name =>
    language in MODULE_FILES
      ? MODULE_FILES[language]!.map(end => name + end)
      : [name, `${name}Impl`, ...(/^I[A-Z]/.test(name) ? [name.slice(1)] : [])].flatMap(each =>
          EXTENSIONS[language]!.map(extension => toFileName(each) + extension),
        ),
  )
  return endings.length > MOST_ENDINGS ? undefined : endings
}

/** No functions. */
const NONE: ReadonlyMap<string, string[]> = new Map()

/** The source files of a repository, by their names: finds the files that a call may lead to. Paths and names only; no file is read. */
export class Targets {
  readonly #paths: ReadonlySet<string>
  /** By name without extension; a package of Python by that of its directory. */
  readonly #byName = new Map<string, string[]>()
  readonly #byDirectory = new Map<string, string[]>()
  /** Directories by their own names. */
  readonly #directories = new Map<string, string[]>()

  readonly #plainOf: (from: string) => ReadonlyMap<string, string[]>

  /** `plainOf` tells which functions of other files a file may call by their names alone, with the files that have them. */
  constructor(paths: Iterable<string>, plainOf: (from: string) => ReadonlyMap<string, string[]> = () => NONE) {
    this.#plainOf = plainOf
    this.#paths = new Set(paths)
    for (const path of this.#paths) {
      const { name, dir } = posix.parse(path)
      push(this.#byName, OF_DIRECTORY.test(path) ? posix.basename(dir) : name, path)
      push(this.#byDirectory, dir || '.', path)
    }
    for (const directory of this.#byDirectory.keys()) push(this.#directories, posix.basename(directory), directory)
  }

  /** Where the function is that a file calls by this full name, the likeliest file first. */
  find(from: string, language: string, callee: string): Target[] {
    const plain = /[.\\/]/.test(callee) ? [] : nearest(from, this.listPlain(from, language).get(callee) ?? [])
    if (plain.length > 0) return plain.map(path => ({ path, names: [callee] }))
    switch (language) {
      case 'javascript':
      case 'typescript':
      case 'tsx':
        return this.#findModule(from, callee)
      case 'python':
        return this.#findDotted(from, callee, MODULE_FILES.python!)
      case 'rust':
        return this.#findDotted(
          from,
          callee.replace(/::/g, '.').replace(/^(?:(?:crate|self|super)\.)+/, ''),
          MODULE_FILES.rust!,
        )
      case 'lua':
        return this.#findDotted(from, callee.replaceAll('/', '.'), MODULE_FILES.lua!)
      case 'dart':
        return this.#findImported(from, callee)
      case 'go':
        return this.#findPackage(from, callee)
      case 'ruby':
      case 'elixir':
        return this.#findClass(from, language, callee, toSnakeCase)
      default:
        return this.#findClass(from, language, callee, name => name)
    }
  }

  /** The functions of other files that a file may call by their names alone. */
  listPlain(from: string, language: string): ReadonlyMap<string, string[]> {
    return mayInclude(language) ? this.#plainOf(from) : NONE
  }

  /** The files that an include of a file means (`readLinks`). */
  findIncluded(from: string, include: string): string[] {
    return resolveInclude(from, include, this.#paths, end => {
      const named = this.#byName.get(posix.parse(end).name) ?? []
      return nearest(
        from,
        named.filter(path => path !== from && (path === end || path.endsWith(`/${end}`))),
      )
    })
  }

  /** Whether a name by the imports, or that of a type, is that of another file or of something in it. */
  leads(from: string, language: string, name: string): boolean {
    return this.find(from, language, name).length > 0 || this.find(from, language, `${name}.x`).length > 0
  }

  /** Whether a text may call a function of another file, by the names in it: imports that lead to files, or types. Most files are not parsed for this. */
  mayCall(from: string, language: string, text: string): boolean {
    const names = NAMES[language]
    if (!names) return true
    const known = new Set<string>()
    for (const [, name = ''] of text.matchAll(names)) {
      if (known.has(name)) continue
      known.add(name)
      if (/^\.+$/.test(name) || this.leads(from, language, name)) return true
    }
    const plain = this.listPlain(from, language)
    if (plain.size > 0) for (const [name] of text.matchAll(WORD)) if (plain.has(name)) return true
    return false
  }

  /** `../lib/users.find`: the longest beginning that is a file; what follows are names. */
  #findModule(from: string, callee: string): Target[] {
    const base = callee.startsWith('.') ? posix.dirname(from) : /^[@~]\//.test(callee) ? undefined : null
    if (base === null) return []
    const roots = base === undefined ? rootsOf(from) : [base]
    const written = base === undefined ? callee.slice(2) : callee
    const dots = [...written.matchAll(/\./g)].map(({ index }) => index).filter(at => at > written.lastIndexOf('/') + 1)
    for (const at of [written.length, ...dots.reverse()]) {
      const names = written
        .slice(at + 1)
        .split('.')
        .filter(Boolean)
      if (names.length > 2) break
      for (const root of roots) {
        const path = this.#resolveModule(posix.join(root, written.slice(0, at)))
        if (path !== undefined) return [{ path, names: names.filter(name => name !== 'default') }]
      }
    }
    return []
  }

  #resolveModule(path: string): string | undefined {
    const bare = path.replace(/\.[cm]?jsx?$/, '')
    const candidates = [
      path,
      ...JAVASCRIPT.flatMap(extension => [path + extension, bare + extension]),
      ...JAVASCRIPT.map(extension => `${path}/index${extension}`),
    ]
    return candidates.find(each => this.#paths.has(each))
  }

  /** `app.services.users.find`, from the root of the packages or from the file's own. */
  #findDotted(from: string, callee: string, endings: readonly string[]): Target[] {
    const parts = callee.split('.').filter(Boolean)
    for (let count = parts.length - 1; count >= Math.max(1, parts.length - 2); count--) {
      const module = parts.slice(0, count)
      const names = parts.slice(count)
      const ends = endings.map(ending => module.join('/') + ending)
      const named = this.#byName.get(module.at(-1)!) ?? []
      const fitting = named.filter(path => ends.some(end => path === end || path.endsWith(`/${end}`)))
      const found = nearest(from, fitting)
      if (found.length > 0) return found.map(path => ({ path, names }))
    }
    return []
  }

  /** `example.org/app/store.Find`: a file of that directory; a plain name is one of the file's own package. */
  #findPackage(from: string, callee: string): Target[] {
    const dot = callee.indexOf('.', callee.lastIndexOf('/') + 1)
    const names = (dot === -1 ? callee : callee.slice(dot + 1)).replace(/^\*/, '').split('.')
    if (names.length > 2) return []
    const written = dot === -1 ? '' : callee.slice(0, dot).replace(/^\*/, '')
    const inPackage = (directory: string): string[] =>
      (this.#byDirectory.get(directory) ?? [])
        .filter(path => path.endsWith('.go') && path !== from)
        .slice(0, MOST_OF_A_DIRECTORY)
    if (written === '') return inPackage(posix.dirname(from)).map(path => ({ path, names }))
    const segments = written.split('/')
    const named = this.#directories.get(segments.at(-1)!) ?? []
    for (let skip = 0; skip < segments.length; skip++) {
      const end = segments.slice(skip).join('/')
      const fitting = named.filter(each => each === end || each.endsWith(`/${end}`))
      const found = nearest(from, fitting).flatMap(inPackage)
      if (found.length > 0) return found.map(path => ({ path, names }))
    }
    // A type of the same package (`Store.Find`).
    if (!/^[A-Z]\w*$/.test(written)) return []
    return inPackage(posix.dirname(from)).map(path => ({ path, names: [written, ...names].slice(-2) }))
  }

  /** `UserStore.find`: the file of that class, or one that is imported and has it; and a function behind the prefix of an import. */
  #findImported(from: string, callee: string): Target[] {
    const found = this.#findClass(from, 'dart', callee, toSnakeCase)
    if (found.length > 0) return found
    const [owner = '', name = ''] = callee.split('.').slice(-2)
    const plain = this.listPlain(from, 'dart')
    const holding = plain.get(owner)
    if (holding) return holding.map(path => ({ path, names: [owner, name] }))
    return /^[a-z]/.test(owner) ? (plain.get(name) ?? []).map(path => ({ path, names: [name] })) : []
  }

  /** `com.acme.UserService.find`: the file of that class, and of what implements an interface by the usual names. */
  #findClass(from: string, language: string, callee: string, toFileName: (name: string) => string): Target[] {
    const parts = callee.split(/[.\\]/).filter(Boolean)
    const [owner, method] = parts.slice(-2)
    if (owner === undefined || method === undefined) return []
    const classes = [owner, `${owner}Impl`, ...(/^I[A-Z]/.test(owner) ? [owner.slice(1)] : [])]
    const extensions = EXTENSIONS[language]!
    return classes.flatMap(name => {
      const named = (this.#byName.get(toFileName(name)) ?? []).filter(
        path => path !== from && extensions.includes(posix.extname(path)),
      )
      return nearest(from, named).map(path => ({ path, names: [name, method] }))
    })
  }
}

/** Directories that `@/` stands for: the usual ones above the file. */
function rootsOf(from: string): string[] {
  const parts = posix.dirname(from).split('/')
  const source = parts.lastIndexOf('src')
  return [...(source === -1 ? [] : [parts.slice(0, source + 1).join('/')]), 'src', '.']
}

/** The files that share most of their path with another; none where too many share as much. */
function nearest(from: string, paths: readonly string[]): string[] {
  if (paths.length < 2) return [...paths]
  const shared = paths.map(path => countShared(from, path))
  const most = Math.max(...shared)
  const found = paths.filter((_, index) => shared[index] === most)
  return found.length > MOST_OF_A_NAME ? [] : found
}

function countShared(a: string, b: string): number {
  const [one, other] = [a.split('/'), b.split('/')]
  let count = 0
  while (count < one.length && one[count] === other[count]) count++
  return count
}

function toSnakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}
