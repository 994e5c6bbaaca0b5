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

/** Imports of Rust: `use` and paths that begin with `crate`, `self` or `super`; `mod x;` declares a file as a part of the program. */
const rust: ImportLanguage = {
  name: 'rust',
  languages: ['rust'],
  open: async project => new RustImports(project),
}

export default rust

const MODULE =
  /^[ \t]*(?:#\[path[ \t]*=[ \t]*"([^"\n]+)"\][ \t]*(?:\n[ \t]*)?)?(?:pub(?:\([^)\n]{0,200}\))?[ \t]+)?mod[ \t]+(?:r#)?(\w+)[ \t]*;/gm
const USE = /(?<![\w.])(pub(?:\([^)\n]{0,200}\))?[ \t\n]+)?use[ \t\n]+(?:::)?/g
/** What a tree of `use` does not have. */
const NO_TREE = /[^\w:{},*\s#]/g
const EXTERN = /^[ \t]*(?:pub[ \t]+)?extern[ \t]+crate[ \t]+(\w+)/gm
const PATH = /(?<![\w:.$])((?:crate|super)(?:::\w+)+)/g
const LIBRARY = new Set(['std', 'core', 'alloc', 'proc_macro', 'test'])
/** Paths that one `use` may name. */
const MOST_PATHS = 1000
/** Braces within braces of a tree whose paths are read. */
const MOST_DEPTH = 64

interface RustSite extends Site {
  path?: string
}

class RustImports implements ImportReader {
  readonly #project: Project
  readonly #sites = new Map<number, RustSite[]>()
  readonly #names = new NamePool()
  /** Crates of the repository by the name that code calls them, with the directory of their sources. */
  readonly #crates = new Map<string, string>()

  constructor(project: Project) {
    this.#project = project
    for (const path of project.paths) {
      if (path !== 'Cargo.toml' && !path.endsWith('/Cargo.toml')) continue
      const text = project.read(path) ?? ''
      const name = /^\[package\][^[]*?^name[ \t]*=[ \t]*"([^"\n]+)"/ms.exec(text)?.[1]
      const own = /^\[lib\][^[]*?^name[ \t]*=[ \t]*"([^"\n]+)"/ms.exec(text)?.[1]
      const folder = joinPath(getFolder(path), 'src')!
      for (const each of [name, own]) if (each !== undefined) this.#crates.set(each.replaceAll('-', '_'), folder)
    }
  }

  collect(file: number, text: string): void {
    const { code, withStrings } = blankSource('rust', text)
    const positions = new Positions(text)
    const sites: RustSite[] = []
    const add = (specifier: string, kind: Site['kind'], offset: number, path?: string) =>
      sites.push({
        specifier: this.#names.keep(specifier),
        kind,
        ...positions.at(offset),
        ...(path && { path: this.#names.keep(path) }),
      })
    for (const { 0: all, 1: path, 2: name, index } of withStrings.matchAll(MODULE)) {
      const offset = index + all.lastIndexOf('mod')
      if (code.startsWith('mod', offset)) add(name!, 'declare', offset, path)
    }
    const findEnd = makeFinder(code, NO_TREE)
    const rest: string[] = []
    let after = 0
    for (const { 0: head, 1: exported, index } of code.matchAll(USE)) {
      if (index < after) continue
      const from = index + head.length
      const end = findEnd(from)
      if (code[end] !== ';' || end === from) continue
      for (const path of listPaths(code.slice(from, end)))
        add(path, exported === undefined ? 'import' : 'reexport', index)
      rest.push(code.slice(after, index), code.slice(index, end + 1).replace(/[^\n]/g, ' '))
      after = end + 1
    }
    const withoutUse = rest.join('') + code.slice(after)
    for (const { 1: name, index } of code.matchAll(EXTERN)) add(name!, 'import', index)
    const seen = new Set<string>()
    for (const { 1: path, index } of withoutUse.matchAll(PATH)) {
      if (seen.has(path!)) continue
      seen.add(path!)
      add(path!, 'import', index)
    }
    if (sites.length > 0) this.#sites.set(file, sites)
  }

  resolve(every: Report): void {
    const report = skipOwn(every)
    for (const [file, sites] of this.#sites) {
      const own = this.#project.paths[file]!
      for (const { path, ...site } of sites) {
        const target =
          site.kind === 'declare' ? this.#findModule(own, site.specifier, path) : this.#find(own, site.specifier)
        if (target) report(file, site, target)
      }
    }
  }

  #findModule(own: string, name: string, path: string | undefined): Target {
    const folder = path === undefined ? moduleFolder(own) : getFolder(own)
    const places = path === undefined ? [`${name}.rs`, `${name}/mod.rs`] : [path]
    for (const place of places) {
      const file = this.#project.numbers.get(joinPath(folder, place) ?? '')
      if (file !== undefined) return { file }
    }
    return { state: 'missing', reason: `no file of the module ${name}` }
  }

  /** What a path means; undefined where it names something of the file itself. */
  #find(own: string, path: string): Target | undefined {
    const parts = path.split('::')
    const first = parts[0]!
    if (LIBRARY.has(first)) return { external: { name: first, kind: 'builtin' } }
    if (first === 'crate') return this.#findBelow(this.#rootOf(own), parts.slice(1), own)
    if (first === 'self') return this.#findBelow(moduleFolder(own), parts.slice(1), own)
    if (first === 'super') {
      let folder = moduleFolder(own)
      let at = 0
      for (; parts[at] === 'super'; at++) folder = getFolder(folder)
      return this.#findBelow(folder, parts.slice(at), own)
    }
    const crate = this.#crates.get(first)
    if (crate !== undefined) return this.#findBelow(crate, parts.slice(1), own)
    const local = this.#findBelow(moduleFolder(own), parts, own)
    if (local && 'file' in local && this.#project.paths[local.file] !== own && this.#isDeclared(own, first))
      return local
    // `use Shape::*`: an enumeration of the file, by the convention of names.
    if (/^[A-Z]/.test(first)) return undefined
    return { external: { name: first, kind: 'package' } }
  }

  #isDeclared(own: string, name: string): boolean {
    const file = this.#project.numbers.get(own)!
    return this.#sites.get(file)?.some(({ kind, specifier }) => kind === 'declare' && specifier === name) ?? false
  }

  /** The deepest module of a path that is a file; what follows are its items. */
  #findBelow(folder: string, parts: readonly string[], own: string): Target | undefined {
    const { numbers } = this.#project
    for (let end = parts.length; end > 0; end--) {
      const place = [folder, ...parts.slice(0, end)].filter(Boolean).join('/')
      const file = numbers.get(`${place}.rs`) ?? numbers.get(`${place}/mod.rs`)
      if (file !== undefined) return { file }
    }
    const root = ['lib.rs', 'main.rs', 'mod.rs'].map(name => numbers.get([folder, name].filter(Boolean).join('/')))
    const file = root.find(each => each !== undefined) ?? numbers.get(`${folder}.rs`)
    return file === undefined ? undefined : this.#project.paths[file] === own ? undefined : { file }
  }

  /** The directory of the sources of the crate that a file belongs to. */
  #rootOf(own: string): string {
    let folder = getFolder(own)
    for (let at = folder; ; at = getFolder(at)) {
      if (this.#project.numbers.has([at, 'Cargo.toml'].filter(Boolean).join('/'))) {
        folder = own.startsWith(joinPath(at, 'src')!) ? joinPath(at, 'src')! : getFolder(own)
        break
      }
      if (at === '') break
    }
    return folder
  }
}

/** The directory in which a file's modules lie: its own for lib.rs, main.rs and mod.rs, else the one with its name. */
function moduleFolder(path: string): string {
  return /(?:^|\/)(?:lib|main|mod)\.rs$/.test(path) ? getFolder(path) : path.replace(/\.rs$/, '')
}

/** The paths of a `use` tree: `a::{b, c::d}` is `a::b` and `a::c::d`. */
function listPaths(tree: string): string[] {
  const found: string[] = []
  const prefixes: string[] = []
  let current = ''
  const close = () => {
    if (found.length >= MOST_PATHS || prefixes.length > MOST_DEPTH) {
      current = ''
      return
    }
    const path = `${prefixes.join('')}${current}`
      .replace(/\s+/g, ' ')
      .replace(/ as \w+ ?$/, '')
      .replace(/[ #]/g, '')
      .replace(/::(?:\*|self)?$/, '')
    if (current.trim() !== '') found.push(path)
    current = ''
  }
  for (const character of tree) {
    if (character === '{') {
      prefixes.push(current.trim())
      current = ''
    } else if (character === ',') close()
    else if (character === '}') {
      close()
      prefixes.pop()
    } else current += character
  }
  close()
  return found
}
