import { isObject, parseObject } from '../../../base/text/json-object.ts'
import { Positions } from '../../../base/text/positions.ts'
import {
  type ImportLanguage,
  type ImportReader,
  type Project,
  type Report,
  type Site,
  skipOwn,
  type Target,
} from './language.ts'
import { blankSource, getFolder, joinPath, makeFinder, NamePool } from './source-text.ts'
import { TypeIndex } from './types-index.ts'

/** Imports of PHP: `use` by the declared classes and composer.json, and `require` and `include` of a literal path. */
const php: ImportLanguage = {
  name: 'php',
  languages: ['php', 'hack'],
  open: async project => new PhpImports(project),
}

export default php

const NAMESPACE = /(?<![\w\\])namespace[ \t]+([\w\\]+)[ \t]*[;{]/
const DECLARED = /(?<![\w$>:\\])(?:class|interface|trait|enum|function)[ \t\n]+&?([A-Za-z_]\w*)/g
const USE = /^[ \t]*use[ \t]+(?:function[ \t]+|const[ \t]+)?\\?([\w\\]+)/gm
const MORE = /,[ \t\n]*\\?([\w\\]+)/g
const REQUIRE =
  /(?<![\w$>:])(require|include)(?:_once)?[ \t(]*(__DIR__[ \t]*\.[ \t]*|dirname\(__FILE__\)[ \t]*\.[ \t]*)?(?:"([^"$\n]*)"|'([^'\n]*)')[ \t]*\)?[ \t]*;/g
const QUALIFIED = /(?<![\w\\$>:])\\([A-Z]\w*(?:\\\w+)+)/g

class PhpImports implements ImportReader {
  readonly #project: Project
  readonly #sites = new Map<number, (Site & { path?: true })[]>()
  readonly #types = new TypeIndex()
  readonly #names = new NamePool()
  /** Namespaces that composer.json says are the repository's. */
  readonly #prefixes: string[]

  constructor(project: Project) {
    this.#project = project
    this.#prefixes = project.paths
      .filter(path => path === 'composer.json' || path.endsWith('/composer.json'))
      .flatMap(path => readPrefixes(project.read(path) ?? ''))
  }

  collect(file: number, text: string, language: string): void {
    const { code, withStrings } = blankSource(language, text)
    const positions = new Positions(text)
    const space = NAMESPACE.exec(code)?.[1]?.replaceAll('\\', '.') ?? ''
    for (const { 1: name } of code.matchAll(DECLARED))
      this.#types.declare(this.#names.keep(space), this.#names.keep(name!), file)
    const sites: (Site & { path?: true })[] = []
    const add = (specifier: string, offset: number, kind: Site['kind'], path?: true) =>
      sites.push({ specifier: this.#names.keep(specifier), kind, ...positions.at(offset), ...(path && { path }) })
    const findClose = makeFinder(code, /\}/g)
    const findEnd = makeFinder(code, /[;{}]/g)
    const findEndOfGroup = makeFinder(code, /[;{}]/g)
    let used = 0
    for (const { 0: head, 1: name, index } of code.matchAll(USE)) {
      if (index < used) continue
      const from = index + head.length
      const close = code[from] === '{' ? findClose(from) : from
      const end = close === -1 ? -1 : close === from ? findEnd(from) : findEndOfGroup(close + 1)
      if (code[end] !== ';') continue
      used = end
      const all = code.slice(index, end)
      const choice = close === from ? undefined : code.slice(from + 1, close)
      const offset = index + all.indexOf('use')
      // In a class it names a trait by an imported or near name, which the other forms report.
      if (/^[ \t]/.test(all) && !name!.includes('\\')) continue
      if (choice === undefined) {
        add(name!, offset, 'import')
        for (const { 1: more } of all.matchAll(MORE)) add(more!, offset, 'import')
      } else
        for (const each of choice.split(',')) {
          const own = each
            .trim()
            .replace(/^(?:function|const)\s+/, '')
            .split(/\s/)[0]!
          if (own !== '') add(name! + own, offset, 'import')
        }
    }
    for (const { 1: name, index } of code.matchAll(QUALIFIED)) add(name!, index, 'import')
    for (const { 2: here, 3: double, 4: single, index } of withStrings.matchAll(REQUIRE)) {
      if (code[index] === ' ') continue
      add(`${here === undefined ? '' : '.'}${double ?? single}`, index, 'require', true)
    }
    if (sites.length > 0) this.#sites.set(file, sites)
  }

  resolve(every: Report): void {
    const report = skipOwn(every)
    for (const [file, sites] of this.#sites)
      for (const { path, ...site } of sites) {
        const own = this.#project.paths[file]!
        for (const target of path ? [this.#findFile(own, site.specifier)] : this.#findClass(site.specifier))
          report(file, site, target)
      }
  }

  #findFile(own: string, name: string): Target {
    for (const folder of [getFolder(own), '']) {
      const file = this.#project.numbers.get(joinPath(folder, name) ?? '')
      if (file !== undefined) return { file }
    }
    if (/(?:^|\/)vendor\//.test(name)) return { external: { name: 'vendor', kind: 'package' } }
    return { state: 'missing', reason: 'no such file' }
  }

  #findClass(name: string): Target[] {
    const parts = name.split('\\').filter(Boolean)
    const files = this.#types.find(parts.slice(0, -1).join('.'), parts.at(-1) ?? '')
    if (files.length > 0) return files.map(file => ({ file }))
    if (this.#types.isWithin(parts.join('.'))) return []
    if (parts.length === 1) return [{ external: { name: parts[0]!, kind: 'builtin' } }]
    if (this.#prefixes.some(prefix => name.startsWith(prefix)))
      return [
        { state: 'missing', reason: 'composer.json says that the namespace is here, and no file declares the class' },
      ]
    return [{ external: { name: parts.slice(0, 2).join('\\'), kind: 'package' } }]
  }
}

function readPrefixes(text: string): string[] {
  const manifest = parseObject(text)
  return ['autoload', 'autoload-dev'].flatMap(key => {
    const part = manifest?.[key]
    return isObject(part) && isObject(part['psr-4']) ? Object.keys(part['psr-4']).filter(Boolean) : []
  })
}
