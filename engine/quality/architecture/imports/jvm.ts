import { Positions } from '../../../base/text/positions.ts'
import { type ImportLanguage, type ImportReader, type Report, type Site, skipOwn, type Target } from './language.ts'
import { blankSource, makeFinder, NamePool } from './source-text.ts'
import { findTypeNames, makeUseSite, type NameUse, TypeIndex } from './types-index.ts'

/** Imports of Java, Kotlin, Scala and Groovy. Of `import a.b.*` and of the own package a file imports the types whose names stand in it. */
const jvm: ImportLanguage = {
  name: 'jvm',
  languages: ['java', 'kotlin', 'scala', 'groovy'],
  open: async () => new JvmImports(),
}

export default jvm

const PACKAGE = /^[ \t]*package[ \t]+([\w.]+)/m
const IMPORT = /^[ \t]*import[ \t]+(static[ \t]+)?(\w+(?:\.\w+)*(?:\.\*)?)(\.\{)?/gm
const DECLARED =
  /(?<![\w.])(?:class|interface|enum|record|object|trait|@interface|typealias)[ \t\n]+([A-Za-z_]\w*)|^(?:[a-z]+[ \t]+)*(?:fun|val|var)[ \t]+(?:<[^>\n]*>[ \t]*)?(?:[\w<>]+\.)?([A-Za-z_]\w*)/gm
const LIBRARY = /^(?:java|javax|jdk|kotlin|kotlinx|scala|groovy|sun|com\.sun)\./

/** Parts of a name by which it is looked up. */
const MOST_PARTS = 64

interface JvmFile {
  space: string
  sites: Site[]
  uses: NameUse[]
}

class JvmImports implements ImportReader {
  readonly #files = new Map<number, JvmFile>()
  readonly #types = new TypeIndex()
  readonly #names = new NamePool()

  collect(file: number, text: string, language: string): void {
    const { code } = blankSource(language, text)
    const positions = new Positions(text)
    const space = this.#names.keep(PACKAGE.exec(code)?.[1] ?? '')
    for (const { 1: type, 2: member } of code.matchAll(DECLARED))
      this.#types.declare(space, this.#names.keep(type ?? member!), file)
    const sites: Site[] = []
    let end = 0
    const findClose = makeFinder(code, /\}/g)
    for (const { 0: all, 2: name, 3: opens, index } of code.matchAll(IMPORT)) {
      if (index < end) continue
      const at = positions.at(index + all.indexOf('import'))
      end = index + all.length
      const close = opens === undefined ? -1 : findClose(end)
      const choice = close === -1 ? undefined : code.slice(end, close)
      end = Math.max(end, close)
      const list =
        choice === undefined ? [name!] : choice.split(',').map(each => `${name}.${each.trim().split(/\s/)[0]}`)
      for (const each of list)
        sites.push({ specifier: this.#names.keep(each.replace(/\._$/, '.*')), kind: 'import', ...at })
    }
    this.#files.set(file, {
      space,
      sites,
      uses: findTypeNames(code.slice(0, end).replace(/[^\n]/g, ' ') + code.slice(end), this.#names),
    })
  }

  resolve(every: Report): void {
    const report = skipOwn(every)
    for (const [file, { space, sites, uses }] of this.#files) {
      const named = new Set(sites.map(({ specifier }) => specifier.slice(specifier.lastIndexOf('.') + 1)))
      const unnamed = new Set(uses.flatMap(({ name }) => (named.has(name) ? [] : [name])))
      for (const site of new Map(sites.map(each => [each.specifier, each])).values()) {
        if (!site.specifier.endsWith('.*')) {
          for (const target of this.#find(site.specifier)) report(file, site, target)
          continue
        }
        const base = site.specifier.slice(0, -2)
        if (this.#types.has(base)) {
          for (const target of this.#types.findAll(base, unnamed)) report(file, site, { file: target })
        } else for (const target of this.#find(base)) report(file, site, target)
      }
      for (const use of uses) {
        if (named.has(use.name)) continue
        const [own] = this.#types.find(space, use.name)
        if (own !== undefined) report(file, makeUseSite(use), { file: own })
      }
    }
  }

  /** The files of a type, or of the type that a nested type or member belongs to. */
  #find(name: string): Target[] {
    const parts = name.split('.', MOST_PARTS)
    for (let end = parts.length; end > 0; end--) {
      const files = this.#types.find(parts.slice(0, end - 1).join('.'), parts[end - 1]!)
      if (files.length > 0) return files.map(file => ({ file }))
    }
    const space = parts.slice(0, -1).join('.')
    if (LIBRARY.test(name)) return [{ external: { name: parts.slice(0, 2).join('.'), kind: 'builtin' } }]
    if (this.#types.has(space)) return [{ state: 'missing', reason: `the package ${space} has no such type` }]
    return [
      { external: { name: parts.slice(0, Math.min(3, Math.max(1, parts.length - 1))).join('.'), kind: 'package' } },
    ]
  }
}
