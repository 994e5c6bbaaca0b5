import { Positions } from '../../../base/text/positions.ts'
import type { ImportLanguage, ImportReader, Project, Report, Site, Target } from './language.ts'
import { PYTHON_LIBRARY } from './python-library.ts'
import { blankSource, climb, getFolder, NamePool } from './source-text.ts'

/** Imports of Python: absolute and relative, and `import_module` with a literal. Imports under `if TYPE_CHECKING:` are of types alone. */
const python: ImportLanguage = {
  name: 'python',
  languages: ['python'],
  open: async project => new PythonImports(project),
}

export default python

/** An import: its module, with the leading dots, and the names that `from` takes out of it. */
interface PythonSite extends Site {
  names: string[]
}

/** A target with the imported name that it is, where it is not the module itself. */
type NamedTarget = Target & { name?: string | undefined }

const STATEMENT =
  /^([ \t]*)(?:from(?=[ \t.])[ \t]*(\.+(?:[ \t]*(?!import\b)\w[\w.]*)?|\w[\w.]*)[ \t]*\bimport\b[ \t]*(?:\(([^)]*)\)?|((?:[^\n;\\]|\\\r?\n)*))|import[ \t]+((?:[^\n;\\]|\\\r?\n)+))/gm
const DYNAMIC = /\b(?:import_module|__import__)\(\s*["']([\w.]+)["']/g
const TYPE_BLOCK = /^([ \t]*)if[ \t]+(?:typing\.|t\.)?TYPE_CHECKING[ \t]*:[ \t]*$/gm
/** What makes a directory a root of modules, besides the packages in it. */
const ROOT_FILES = ['pyproject.toml', 'setup.py', 'setup.cfg', 'manage.py']
const SOURCE_FOLDERS = ['src', 'lib', 'python']

class PythonImports implements ImportReader {
  readonly #project: Project
  readonly #sites = new Map<number, PythonSite[]>()
  readonly #names = new NamePool()
  readonly #roots: ReadonlySet<string>
  /** By the name of a module or package at the top, the roots that have it. */
  readonly #holders: Map<string, Set<string>>
  /** By directory and name at the top, its roots in the order in which they are searched. */
  readonly #nearest = new Map<string, readonly string[]>()

  constructor(project: Project) {
    this.#project = project
    this.#roots = findRoots(project)
    this.#holders = this.#findHolders()
  }

  collect(file: number, text: string): void {
    if (!/\bimport\b|\b__import__\b/.test(text)) return
    const { code, withStrings } = blankSource('python', text)
    const positions = new Positions(text)
    const isInTypeBlock = locateTypeBlocks(code)
    const sites: PythonSite[] = []
    const add = (module: string, names: string[], offset: number, dynamic = false) => {
      sites.push({
        specifier: this.#names.keep(module),
        names: names.map(name => this.#names.keep(name)),
        kind: dynamic ? 'dynamic' : isInTypeBlock(offset) ? 'type' : 'import',
        ...positions.at(offset),
      })
    }
    for (const { 1: indent, 2: from, 3: inside, 4: line, 5: plain, index } of code.matchAll(STATEMENT)) {
      const offset = index + indent!.length
      if (from !== undefined) add(from.replace(/\s/g, ''), splitNames(inside ?? line ?? ''), offset)
      else for (const name of splitNames(plain!)) add(name, [], offset)
    }
    for (const { 1: module, index } of withStrings.matchAll(DYNAMIC))
      if (code[index] !== ' ') add(module!, [], index, true)
    if (sites.length > 0) this.#sites.set(file, sites)
  }

  resolve(report: Report): void {
    for (const [file, sites] of this.#sites) {
      const folder = getFolder(this.#project.paths[file]!)
      for (const { names, ...site } of sites) {
        const seen = new Set<number>()
        for (const { name, ...target } of this.#find(folder, site.specifier, names)) {
          if ('file' in target && seen.has(target.file)) continue
          if ('file' in target) seen.add(target.file)
          report(file, { ...site, specifier: joinName(site.specifier, name) }, target)
        }
      }
    }
  }

  /** What a module means: each imported name that is a module, and else the module itself. */
  #find(folder: string, module: string, names: readonly string[]): NamedTarget[] {
    const dots = /^\.*/.exec(module)![0].length
    const parts = module.slice(dots).split('.').filter(Boolean)
    if (dots > 0) {
      let base: string | undefined = folder
      for (let up = 1; up < dots; up++) base = base === '' ? undefined : getFolder(base!)
      // `from . import x` names nothing but `x`.
      const name = parts.length === 0 ? names[0] : undefined
      if (base === undefined) return [{ state: 'missing', reason: 'it leads out of the repository', name }]
      return this.#findBelow(base, parts, names) ?? [{ state: 'missing', reason: 'no such module', name }]
    }
    const top = parts[0] ?? ''
    const roots = this.#listRoots(folder, top)
    for (const root of [folder, ...roots]) {
      const found = this.#findBelow(root, parts, names)
      if (found) return found
    }
    if (PYTHON_LIBRARY.has(top)) return [{ external: { name: top, kind: 'builtin' } }]
    const local = roots.some(root => this.#isPackage(root, top))
    return local
      ? [{ state: 'missing', reason: `the package ${top} of the repository has no such module` }]
      : [{ external: { name: top, kind: 'package' } }]
  }

  /** The roots with a module or package of a name, those around a directory first. */
  #listRoots(folder: string, top: string): readonly string[] {
    const key = `${folder}\0${top}`
    const known = this.#nearest.get(key)
    if (known) return known
    const around = new Set(climb(folder))
    const found = [...(this.#holders.get(top) ?? [])].sort(
      (a, b) => Number(around.has(b)) - Number(around.has(a)) || b.length - a.length || (a < b ? -1 : 1),
    )
    this.#nearest.set(key, found)
    return found
  }

  #findHolders(): Map<string, Set<string>> {
    const holders = new Map<string, Set<string>>()
    const add = (path: string) => {
      const root = getFolder(path)
      if (!this.#roots.has(root)) return
      const name = path.slice(root === '' ? 0 : root.length + 1).replace(/\.pyi?$/, '')
      const known = holders.get(name)
      if (known) known.add(root)
      else holders.set(name, new Set([root]))
    }
    for (const folder of this.#project.folders) if (folder !== '') add(folder)
    for (const path of this.#project.paths) if (/\.pyi?$/.test(path)) add(path)
    return holders
  }

  #findBelow(root: string, parts: readonly string[], names: readonly string[]): NamedTarget[] | undefined {
    const place = [root, ...parts].filter(Boolean).join('/')
    const own = parts.length === 0 ? this.#fileOf(`${place}/__init__`) : this.#fileOf(place, `${place}/__init__`)
    const modules = names.flatMap(name => {
      const module = this.#fileOf(`${place}/${name}`.replace(/^\//, ''), `${place}/${name}/__init__`.replace(/^\//, ''))
      return module === undefined ? [] : [{ file: module, name }]
    })
    if (own === undefined) return modules.length > 0 ? modules : undefined
    return modules.length === names.length && names.length > 0 ? modules : [...modules, { file: own }]
  }

  #fileOf(...places: string[]): number | undefined {
    for (const place of places)
      for (const extension of ['py', 'pyi']) {
        const file = this.#project.numbers.get(`${place}.${extension}`)
        if (file !== undefined) return file
      }
    return undefined
  }

  #isPackage(root: string, name: string): boolean {
    const place = root === '' ? name : `${root}/${name}`
    return this.#fileOf(`${place}/__init__`) !== undefined
  }
}

/** The module as a reader knows it: `from . import x` imports `.x`, and `from a import b` the module `a.b`. */
function joinName(module: string, name: string | undefined): string {
  if (name === undefined) return module
  return module.endsWith('.') ? `${module}${name}` : `${module}.${name}`
}

function splitNames(list: string): string[] {
  return list
    .split(',')
    .map(name =>
      name
        .replace(/\\\r?\n/g, ' ')
        .trim()
        .split(/\s+/)[0]!
        .replace(/[()]/g, ''),
    )
    .filter(name => /^[\w.]+$/.test(name))
}

/** Tells whether an offset is in a block that only a type checker runs: the lines below that are indented further. */
function locateTypeBlocks(code: string): (offset: number) => boolean {
  const starts: number[] = []
  const ends: number[] = []
  for (const { 0: line, 1: indent, index } of code.matchAll(TYPE_BLOCK)) {
    // One within another changes nothing.
    if (index < (ends.at(-1) ?? 0)) continue
    let end = index + line.length
    while (end < code.length) {
      const next = code.indexOf('\n', end + 1)
      const text = code.slice(end + 1, next === -1 ? code.length : next)
      if (text.trim() !== '' && /^[ \t]*/.exec(text)![0].length <= indent!.length) break
      end = next === -1 ? code.length : next
    }
    starts.push(index)
    ends.push(end)
  }
  return offset => {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= offset) low = middle + 1
      else high = middle
    }
    return low > 0 && offset < ends[low - 1]!
  }
}

/** Directories that modules are imported from: around each top package, with a manifest, and their source directories. */
function findRoots({ paths, folders, numbers }: Project): Set<string> {
  const roots = new Set([''])
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const folder = getFolder(path)
    if (ROOT_FILES.includes(name)) {
      roots.add(folder)
      for (const source of SOURCE_FOLDERS) {
        const place = folder === '' ? source : `${folder}/${source}`
        if (folders.has(place)) roots.add(place)
      }
    }
    if (name === '__init__.py' && folder !== '' && !numbers.has(`${getFolder(folder)}/__init__.py`.replace(/^\//, '')))
      roots.add(getFolder(folder))
  }
  return roots
}
