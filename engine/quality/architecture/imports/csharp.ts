import { Positions } from '../../../base/text/positions.ts'
import { type ImportLanguage, type ImportReader, type Report, type Site, skipOwn, type Target } from './language.ts'
import { blankSource, NamePool } from './source-text.ts'
import { findTypeNames, listAround, makeUseSite, type NameUse, TypeIndex } from './types-index.ts'

/** Imports of C#: of a namespace that it uses, and of its own and those around it, a file imports the types whose names stand in it. */
const csharp: ImportLanguage = {
  name: 'csharp',
  languages: ['csharp'],
  open: async () => new CSharpImports(),
}

export default csharp

const USING =
  /^[ \t]*(global[ \t]+)?using[ \t]+(static[ \t]+)?(?:[A-Za-z_]\w*[ \t]*=[ \t]*)?([A-Za-z_][\w.]*)[ \t]*(?:<[^;\n]*)?;/gm
const NAMESPACE = /(?<![\w.])namespace[ \t]+([A-Za-z_][\w.]*)/g
const DECLARED =
  /(?<![\w.])(?:class|interface|struct|enum|record(?:[ \t]+(?:class|struct))?|delegate[ \t]+[\w<>[\],.?]+)[ \t\n]+([A-Za-z_]\w*)/g
const LIBRARY = /^(?:System|Microsoft)(?:\.|$)/

interface CSharpFile {
  spaces: string[]
  sites: Site[]
  uses: NameUse[]
}

class CSharpImports implements ImportReader {
  readonly #files = new Map<number, CSharpFile>()
  readonly #types = new TypeIndex()
  readonly #names = new NamePool()
  /** `global using`: for every file. */
  readonly #everywhere = new Set<string>()

  collect(file: number, text: string): void {
    const { code } = blankSource('csharp', text)
    const positions = new Positions(text)
    const spaces = [...code.matchAll(NAMESPACE)].map(({ 1: name, index }) => ({ name: this.#names.keep(name!), index }))
    let within = 0
    for (const { 1: type, index } of code.matchAll(DECLARED)) {
      while (within < spaces.length && spaces[within]!.index < index) within++
      this.#types.declare(spaces[within - 1]?.name ?? '', this.#names.keep(type!), file)
    }
    const sites = [...code.matchAll(USING)].map(({ 0: all, 1: everywhere, 3: name, index }) => {
      if (everywhere !== undefined) this.#everywhere.add(this.#names.keep(name!))
      return {
        specifier: this.#names.keep(name!),
        kind: 'import' as const,
        ...positions.at(index + /\S/.exec(all)!.index),
      }
    })
    const uses = findTypeNames(
      code.replace(USING, all => all.replace(/[^\n]/g, ' ')),
      this.#names,
    )
    this.#files.set(file, { spaces: spaces.map(({ name }) => name), sites, uses })
  }

  resolve(every: Report): void {
    const report = skipOwn(every)
    for (const [file, { spaces, sites, uses }] of this.#files) {
      const names = new Set(uses.map(({ name }) => name))
      const named = new Map(sites.map(site => [site.specifier, site]))
      for (const [specifier, site] of named)
        for (const target of this.#find(specifier, names)) report(file, site, target)
      const around = new Set([...spaces.flatMap(listAround), ''].filter(space => !named.has(space)))
      for (const use of uses) {
        const space = this.#findSpace(use.name, around, named)
        if (space === undefined) continue
        report(file, makeUseSite(use), { file: this.#types.find(space, use.name)[0]! })
      }
    }
  }

  /** The namespace whose type a name is: the innermost around the file, else one that is used everywhere and not by the file itself. */
  #findSpace(name: string, around: ReadonlySet<string>, named: { has(space: string): boolean }): string | undefined {
    const declaring = this.#types.listDeclaring(name)
    if (declaring.size === 0) return undefined
    for (const space of around) if (declaring.has(space)) return space
    const [some, other] =
      declaring.size < this.#everywhere.size ? [declaring, this.#everywhere] : [this.#everywhere, declaring]
    for (const space of some) if (other.has(space) && !named.has(space)) return space
    return undefined
  }

  #find(name: string, uses: ReadonlySet<string>): Target[] {
    if (this.#types.has(name)) return [...this.#types.findAll(name, uses)].map(file => ({ file }))
    const dot = name.lastIndexOf('.')
    const files = this.#types.find(name.slice(0, Math.max(0, dot)), name.slice(dot + 1))
    if (files.length > 0) return files.map(file => ({ file }))
    // A namespace that only has namespaces in it imports nothing.
    if (this.#types.isWithin(name)) return []
    const top = name.split('.').slice(0, 2).join('.')
    return [{ external: { name: top, kind: LIBRARY.test(name) ? 'builtin' : 'package' } }]
  }
}
