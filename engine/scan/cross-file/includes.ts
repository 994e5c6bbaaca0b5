import { posix } from 'node:path'

/** What a file says of functions outside of classes: the files that it includes, as it writes them, and the functions that it has. */
export interface Links {
  includes: string[]
  functions: string[]
}

/** Languages in which a file calls functions of the files that it includes by their names alone. */
const INCLUDING: Readonly<Record<string, (text: string) => Links>> = {
  dart: readDart,
  php: readPhp,
  ruby: readRuby,
}

/** Included files that are followed from one, with those that they include, and how far. */
const MOST_INCLUDED = 100
export const MOST_DEPTH = 5

/** Names that are read of one file. */
const MOST_NAMES = 2000

export function mayInclude(language: string | null): boolean {
  return language !== null && Object.hasOwn(INCLUDING, language)
}

export function readLinks(language: string, text: string): Links {
  return INCLUDING[language]?.(text) ?? { includes: [], functions: [] }
}

/**
 * The functions that a file may call by their names alone, with the files that have them: of files that it includes, and that these include. Each
 * file is looked up once.
 */
export class IncludedFunctions {
  readonly #linksOf: (path: string) => Links | undefined
  readonly #resolve: (from: string, include: string) => string[]
  readonly #alwaysOf: (path: string) => readonly string[]
  readonly #known = new Map<string, ReadonlyMap<string, string[]>>()

  /** `resolve` finds the files that an include names, `alwaysOf` those that are loaded for a file without one. */
  constructor(
    linksOf: (path: string) => Links | undefined,
    resolve: (from: string, include: string) => string[],
    alwaysOf: (path: string) => readonly string[],
  ) {
    this.#linksOf = linksOf
    this.#resolve = resolve
    this.#alwaysOf = alwaysOf
  }

  /** The files that a file includes itself. */
  list(path: string): string[] {
    return (this.#linksOf(path)?.includes ?? []).flatMap(include => this.#resolve(path, include))
  }

  /** By name, the files that have the function. */
  of(from: string): ReadonlyMap<string, string[]> {
    const known = this.#known.get(from)
    if (known) return known
    const functions = new Map<string, string[]>()
    const seen = new Set([from])
    let next = [...this.list(from), ...this.#alwaysOf(from)]
    for (let depth = 0; depth < MOST_DEPTH && next.length > 0; depth++) {
      const fresh = [...new Set(next)].filter(path => !seen.has(path)).slice(0, MOST_INCLUDED + 1 - seen.size)
      for (const path of fresh) {
        seen.add(path)
        for (const name of this.#linksOf(path)?.functions ?? []) {
          const files = functions.get(name)
          if (files) files.push(path)
          else functions.set(name, [path])
        }
      }
      next = fresh.flatMap(path => this.list(path))
    }
    this.#known.set(from, functions)
    return functions
  }
}

/** `require_once __DIR__ . '/lib/users.php'`, and functions that are no methods by how they are written; which they are, their file's tree tells. */
function readPhp(text: string): Links {
  const includes: string[] = []
  for (const [, written = ''] of text.matchAll(/\b(?:include|require)(?:_once)?\b[ \t]*\(?([^;\n]{1,300})/g)) {
    const literal = /['"]([^'"$\\\n]{1,200}\.php)['"]\s*\)?\s*$/.exec(written)
    if (!literal) continue
    const before = written.slice(0, literal.index)
    includes.push(`${findBase(before)}${literal[1]!}`)
    if (includes.length >= MOST_INCLUDED) break
  }
  return { includes, functions: listNames(text, /\bfunction\s+&?\s*([A-Za-z_]\w*)\s*\(/g) }
}

/** The directory that an include begins with: that of the file, or one above it; of others only the end of the path is known. */
function findBase(before: string): string {
  if (before.trim() === '') return ''
  if (/^\s*__DIR__\s*\.\s*$/.test(before) || /^\s*dirname\s*\(\s*__FILE__\s*\)\s*\.\s*$/.test(before)) return './'
  const above = /^\s*dirname\s*\(\s*(?:__DIR__|dirname\s*\(\s*__FILE__\s*\))\s*(?:,\s*([1-9])\s*)?\)\s*\.\s*$/.exec(
    before,
  )
  return above ? `./${'../'.repeat(Number(above[1] ?? 1))}` : '*/'
}

/** `require_relative 'lib/tools'`, and methods that are written at the margin. */
function readRuby(text: string): Links {
  const includes = [...text.matchAll(/^[ \t]*require_relative[ \t]*\(?[ \t]*['"]([^'"#\\\n]{1,200})['"]/gm)]
    .slice(0, MOST_INCLUDED)
    .map(([, path = '']) => `./${path.replace(/\.rb$/, '')}.rb`)
  return { includes, functions: listNames(text, /^def[ \t]+([A-Za-z_]\w*[?!]?)(?![\w.])/gm) }
}

/** `import '../store.dart'` and `export`, and what stands at the margin: functions and classes. A library of a package is below its `lib`. */
function readDart(text: string): Links {
  const includes = [...text.matchAll(/^(?:import|export|part)[ \t]+['"](?!dart:)([^'"$\\\n]{1,200}\.dart)['"]/gm)]
    .slice(0, MOST_INCLUDED)
    .map(([, uri = '']) => (uri.startsWith('package:') ? uri.replace(/^package:[^/]*/, '*/lib') : `./${uri}`))
  const functions = listNames(text, /^(?:[A-Za-z][\w<>,.?]*[ \t]+){0,3}([a-zA-Z]\w*)(?:<[^<>()]*>)?\(/gm)
  return { includes, functions: [...functions, ...listNames(text, /^(?:[a-z]+ )*(?:class|mixin|extension) (\w+)/gm)] }
}

function listNames(text: string, pattern: RegExp): string[] {
  const names = new Set<string>()
  for (const [, name = ''] of text.matchAll(pattern)) {
    names.add(name)
    if (names.size >= MOST_NAMES) break
  }
  return [...names]
}

/**
 * The files of these paths that an include means: `./` is below the directory of the file, a star before it below any directory, and else below
 * that of the file or the root. `find` gives the paths that end so, the nearest.
 */
export function resolveInclude(
  from: string,
  include: string,
  paths: ReadonlySet<string>,
  find: (end: string) => string[],
): string[] {
  const dir = posix.dirname(from)
  const at = (path: string) => (paths.has(path) && path !== from ? [path] : [])
  if (include.startsWith('./')) return at(posix.join(dir, include))
  const plain = posix.normalize(include.replace(/^\*?\/+/, '')).replace(/^(?:\.\.\/)+/, '')
  if (!include.startsWith('*/')) {
    const beside = at(posix.join(dir, include))
    if (beside.length > 0) return beside
    if (paths.has(plain)) return at(plain)
  }
  return find(plain)
}
