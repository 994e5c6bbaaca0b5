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

const STATEMENT =
  /^([ \t]*)(?:from[ \t]+(\.*[ \t]*[\w.]*)[ \t]+import[ \t]*(?:\(([^)]*)\)?|((?:[^\n;\\]|\\\r?\n)*))|import[ \t]+((?:[^\n;\\]|\\\r?\n)+))/gm
const DYNAMIC = /\b(?:import_module|__import__)\(\s*["']([\w.]+)["']/g
const TYPE_BLOCK = /^([ \t]*)if[ \t]+(?:typing\.|t\.)?TYPE_CHECKING[ \t]*:[ \t]*$/gm
/** What makes a directory a root of modules, besides the packages in it. */
const ROOT_FILES = ['pyproject.toml', 'setup.py', 'setup.cfg', 'manage.py']
const SOURCE_FOLDERS = ['src', 'lib', 'python']

class PythonImports implements ImportReader {
  readonly #project: Project
  readonly #sites = new Map<number, PythonSite[]>()
  readonly #names = new NamePool()
  readonly #roots: string[]

  constructor(project: Project) {
    this.#project = project
    this.#roots = findRoots(project)
  }

  collect(file: number, text: string): void {
    if (!/\bimport\b|\b__import__\b/.test(text)) return
    const { code, withStrings } = blankSource('python', text)
    const positions = new Positions(text)
    const typeRanges = findTypeBlocks(code)
    const sites: PythonSite[] = []
    const add = (module: string, names: string[], offset: number, dynamic = false) => {
      const isTyped = typeRanges.some(([start, end]) => start <= offset && offset < end)
      sites.push({
        specifier: this.#names.keep(module),
        names: names.map(name => this.#names.keep(name)),
        kind: dynamic ? 'dynamic' : isTyped ? 'type' : 'import',
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
        for (const target of this.#find(folder, site.specifier, names)) {
          if ('file' in target && seen.has(target.file)) continue
          if ('file' in target) seen.add(target.file)
          report(file, site, target)
        }
      }
    }
  }

  /** What a module means: each imported name that is a module, and else the module itself. */
  #find(folder: string, module: string, names: readonly string[]): Target[] {
    const dots = /^\.*/.exec(module)![0].length
    const parts = module.slice(dots).split('.').filter(Boolean)
    if (dots > 0) {
      let base: string | undefined = folder
      for (let up = 1; up < dots; up++) base = base === '' ? undefined : getFolder(base!)
      if (base === undefined) return [{ state: 'missing', reason: 'it leads out of the repository' }]
      return this.#findBelow(base, parts, names) ?? [{ state: 'missing', reason: 'no such module' }]
    }
    for (const root of [folder, ...this.#nearest(folder)]) {
      const found = this.#findBelow(root, parts, names)
      if (found) return found
    }
    const top = parts[0] ?? ''
    if (PYTHON_LIBRARY.has(top)) return [{ external: { name: top, kind: 'builtin' } }]
    const local = this.#nearest(folder).some(root => this.#isPackage(root, top))
    return local
      ? [{ state: 'missing', reason: `the package ${top} of the repository has no such module` }]
      : [{ external: { name: top, kind: 'package' } }]
  }

  /** The roots of modules, those around a directory first. */
  #nearest(folder: string): string[] {
    const around = new Set(climb(folder))
    return [...this.#roots].sort((a, b) => Number(around.has(b)) - Number(around.has(a)) || b.length - a.length)
  }

  #findBelow(root: string, parts: readonly string[], names: readonly string[]): Target[] | undefined {
    const place = [root, ...parts].filter(Boolean).join('/')
    const own = parts.length === 0 ? this.#fileOf(`${place}/__init__`) : this.#fileOf(place, `${place}/__init__`)
    const modules = names.flatMap(name => {
      const module = this.#fileOf(`${place}/${name}`.replace(/^\//, ''), `${place}/${name}/__init__`.replace(/^\//, ''))
      return module === undefined ? [] : [{ file: module }]
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

/** The ranges of the blocks that only a type checker runs: the lines below that are indented further. */
function findTypeBlocks(code: string): [number, number][] {
  return [...code.matchAll(TYPE_BLOCK)].map(({ 0: line, 1: indent, index }) => {
    let end = index + line.length
    while (end < code.length) {
      const next = code.indexOf('\n', end + 1)
      const text = code.slice(end + 1, next === -1 ? code.length : next)
      if (text.trim() !== '' && /^[ \t]*/.exec(text)![0].length <= indent!.length) break
      end = next === -1 ? code.length : next
    }
    return [index, end]
  })
}

/** Directories that modules are imported from: around each top package, with a manifest, and their source directories. */
function findRoots({ paths, folders, numbers }: Project): string[] {
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
  return [...roots].sort()
}
