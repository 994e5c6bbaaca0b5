import { Positions } from '../../../base/text/positions.ts'
import type { ImportLanguage, ImportReader, Project, Report, Site, Target } from './language.ts'
import { blankSource, climb, getFolder, joinPath, NamePool } from './source-text.ts'

/** Includes of C and C++. Without a build, a header is looked for beside the file, in include directories, and by the end of its path. */
const c: ImportLanguage = {
  name: 'c',
  languages: ['c', 'cpp', 'objectivec', 'cuda'],
  open: async project => new Includes(project),
}

export default c

const INCLUDE = /^[ \t]*#[ \t]*(?:include|import)[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|([A-Za-z_]\w*))/gm
const INCLUDE_FOLDERS = ['', 'include', 'inc', 'src', 'includes']

class Includes implements ImportReader {
  readonly #project: Project
  readonly #sites = new Map<number, (Site & { quoted: boolean; computed: boolean })[]>()
  readonly #names = new NamePool()
  #byName: Map<string, number[]> | undefined

  constructor(project: Project) {
    this.#project = project
  }

  collect(file: number, text: string, language: string): void {
    if (!text.includes('#')) return
    const { withStrings } = blankSource(language, text)
    const positions = new Positions(text)
    const sites = [...withStrings.matchAll(INCLUDE)].map(({ 0: all, 1: quoted, 2: angled, 3: macro, index }) => ({
      specifier: this.#names.keep(quoted ?? angled ?? macro!),
      kind: 'import' as const,
      quoted: quoted !== undefined,
      computed: macro !== undefined,
      ...positions.at(index + all.indexOf('#')),
    }))
    if (sites.length > 0) this.#sites.set(file, sites)
  }

  resolve(report: Report): void {
    const known = new Map<string, Target>()
    for (const [file, sites] of this.#sites) {
      const folder = getFolder(this.#project.paths[file]!)
      for (const { quoted, computed, ...site } of sites) {
        if (computed) {
          report(file, site, { state: 'computed', reason: 'a macro names the header' })
          continue
        }
        const key = `${folder}\0${quoted}\0${site.specifier}`
        const target = known.get(key) ?? this.#find(folder, site.specifier, quoted)
        known.set(key, target)
        report(file, site, target)
      }
    }
  }

  #find(folder: string, name: string, quoted: boolean): Target {
    const { numbers } = this.#project
    const own = quoted ? joinPath(folder, name) : undefined
    const beside = own === undefined ? undefined : numbers.get(own)
    if (beside !== undefined) return { file: beside }
    for (const around of climb(folder))
      for (const each of INCLUDE_FOLDERS) {
        const place = joinPath(around, `${each}/${name}`)
        const file = place === undefined ? undefined : numbers.get(place)
        if (file !== undefined) return { file }
      }
    const ends = this.#findByEnd(name)
    if (ends.length > 0 && (quoted || name.includes('/'))) return this.#choose(folder, ends)
    if (!quoted) return { external: { name, kind: 'builtin' } }
    return { state: 'missing', reason: 'no header of that name is in the repository' }
  }

  #findByEnd(name: string): number[] {
    const { paths } = this.#project
    this.#byName ??= groupByName(paths)
    const wanted = name.replace(/^(?:\.{1,2}\/)+/, '')
    return (this.#byName.get(baseName(wanted)) ?? []).filter(file => paths[file]!.endsWith(`/${wanted}`))
  }

  /** The header that shares most directories with the including file; several that share as many cannot be told apart. */
  #choose(folder: string, files: readonly number[]): Target {
    const parts = folder.split('/')
    const shared = (file: number) => {
      const other = this.#project.paths[file]!.split('/')
      const differs = parts.findIndex((part, index) => part !== other[index])
      return differs === -1 ? parts.length : differs
    }
    const most = Math.max(...files.map(shared))
    const best = files.filter(file => shared(file) === most)
    return best.length === 1
      ? { file: best[0]! }
      : { state: 'missing', reason: `${best.length} headers end with this path, and none is nearer than the others` }
  }
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function groupByName(paths: readonly string[]): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const [file, path] of paths.entries()) {
    const name = baseName(path)
    const group = groups.get(name)
    if (group) group.push(file)
    else groups.set(name, [file])
  }
  return groups
}
