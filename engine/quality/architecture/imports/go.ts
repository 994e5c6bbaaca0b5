import { Positions } from '../../../base/text/positions.ts'
import type { ImportLanguage, ImportReader, Project, Report, Site, Target } from './language.ts'
import { blankSource, climb, getFolder, makeFinder, NamePool } from './source-text.ts'

/** Imports of Go, by the modules of the repository's go.mod files. A package is one node: its files import each other without saying so. */
const go: ImportLanguage = {
  name: 'go',
  languages: ['go'],
  open: async project => new GoImports(project),
}

export default go

const IMPORT = /^import[ \t]*(\(|[^\n(]+)/gm
/** Characters of an import path by which its module is looked up. */
const LONGEST = 1000
const PATH = /["`]([^"`\n]+)["`]/g
const MODULE = /^module[ \t]+"?([^\s"]+)"?/m

class GoImports implements ImportReader {
  readonly #project: Project
  readonly #sites = new Map<number, Site[]>()
  readonly #names = new NamePool()
  /** Directories by the module paths of their go.mod. */
  readonly #modules: ReadonlyMap<string, string>
  readonly #packages = new Map<string, number[]>()
  /** By directory, the file that stands for its package. */
  readonly #chosen = new Map<string, number>()

  constructor(project: Project) {
    this.#project = project
    const modules = project.paths
      .filter(path => path === 'go.mod' || path.endsWith('/go.mod'))
      .flatMap((path): [string, string][] => {
        const module = MODULE.exec(project.read(path) ?? '')?.[1]
        return module === undefined ? [] : [[module, getFolder(path)]]
      })
    // The first of two equal ones counts.
    this.#modules = new Map(modules.reverse())
  }

  collect(file: number, text: string): void {
    const folder = getFolder(this.#project.paths[file]!)
    const files = this.#packages.get(folder)
    if (files) files.push(file)
    else this.#packages.set(folder, [file])
    const { withStrings } = blankSource('go', text)
    const positions = new Positions(text)
    const sites: Site[] = []
    // An import within the parentheses of another one is none.
    let listed = 0
    const findClose = makeFinder(withStrings, /\)/g)
    for (const { 0: all, 1: rest, index } of withStrings.matchAll(IMPORT)) {
      const isList = rest === '('
      const start = index + all.length - (isList ? 0 : rest!.length)
      const end = isList ? findClose(start) : start + rest!.length
      if (end < start || start < listed) continue
      listed = end
      const body = withStrings.slice(start, end)
      for (const { 1: path, index: at } of body.matchAll(PATH))
        sites.push({ specifier: this.#names.keep(path!), kind: 'import', ...positions.at(start + at) })
    }
    if (sites.length > 0) this.#sites.set(file, sites)
  }

  resolve(report: Report): void {
    for (const [file, sites] of this.#sites) for (const site of sites) report(file, site, this.#find(site.specifier))
  }

  *units(): Generator<[number, number]> {
    for (const [folder, files] of this.#packages) {
      const unit = this.#choose(folder, files)
      for (const file of files) yield [file, unit]
    }
  }

  #find(path: string): Target {
    if (path === 'C') return { external: { name: 'C', kind: 'builtin' } }
    for (const module of climb(path.slice(0, LONGEST))) {
      const folder = this.#modules.get(module)
      if (folder === undefined) continue
      const rest = path.slice(module.length + 1)
      const place = [folder, rest].filter(Boolean).join('/')
      const files = this.#packages.get(place)
      return files
        ? { file: this.#choose(place, files) }
        : { state: 'missing', reason: `the module ${module} has no such package` }
    }
    // Paths of the standard library have no dot in their first part: domains have one.
    const first = path.split('/', 1)[0]!
    if (!first.includes('.')) return { external: { name: path, kind: 'builtin' } }
    return { external: { name: path.split('/', first === 'gopkg.in' ? 2 : 3).join('/'), kind: 'package' } }
  }

  /** The file that stands for a package: the one with its name, else the first that is no test. */
  #choose(folder: string, files: readonly number[]): number {
    const known = this.#chosen.get(folder)
    if (known !== undefined) return known
    const { paths } = this.#project
    const name = folder.slice(folder.lastIndexOf('/') + 1)
    const named = files.find(file => paths[file]!.endsWith(`${name}/${name}.go`))
    const chosen = named ?? files.find(file => !paths[file]!.endsWith('_test.go')) ?? files[0]!
    this.#chosen.set(folder, chosen)
    return chosen
  }
}
