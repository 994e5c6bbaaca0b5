import { Positions } from '../../../base/text/positions.ts'
import type { ImportLanguage, ImportReader, Project, Report, Site, Target } from './language.ts'
import { blankSource, getFolder, NamePool } from './source-text.ts'

/** Imports of Go, by the modules of the repository's go.mod files. A package is one node: its files import each other without saying so. */
const go: ImportLanguage = {
  name: 'go',
  languages: ['go'],
  open: async project => new GoImports(project),
}

export default go

const IMPORTS = /^import[ \t]*(?:\(([^)]*)\)|([^\n(]+))/gm
const PATH = /["`]([^"`\n]+)["`]/g
const MODULE = /^module[ \t]+"?([^\s"]+)"?/m

class GoImports implements ImportReader {
  readonly #project: Project
  readonly #sites = new Map<number, Site[]>()
  readonly #names = new NamePool()
  /** Module paths with their directories, the longest first. */
  readonly #modules: [module: string, folder: string][]
  readonly #packages = new Map<string, number[]>()

  constructor(project: Project) {
    this.#project = project
    this.#modules = project.paths
      .filter(path => path === 'go.mod' || path.endsWith('/go.mod'))
      .flatMap((path): [string, string][] => {
        const module = MODULE.exec(project.read(path) ?? '')?.[1]
        return module === undefined ? [] : [[module, getFolder(path)]]
      })
      .sort(([a], [b]) => b.length - a.length)
  }

  collect(file: number, text: string): void {
    const folder = getFolder(this.#project.paths[file]!)
    this.#packages.set(folder, [...(this.#packages.get(folder) ?? []), file])
    const { withStrings } = blankSource('go', text)
    const positions = new Positions(text)
    const sites: Site[] = []
    for (const { 0: all, 1: list, 2: one, index } of withStrings.matchAll(IMPORTS)) {
      const body = list ?? one!
      const start = index + all.indexOf(body)
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
    for (const [module, folder] of this.#modules) {
      if (path !== module && !path.startsWith(`${module}/`)) continue
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
    const { paths } = this.#project
    const name = folder.slice(folder.lastIndexOf('/') + 1)
    const named = files.find(file => paths[file]!.endsWith(`${name}/${name}.go`))
    return named ?? files.find(file => !paths[file]!.endsWith('_test.go')) ?? files[0]!
  }
}
