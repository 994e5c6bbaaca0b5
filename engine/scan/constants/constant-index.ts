import { posix } from 'node:path'
import { readSource } from '../../base/disk/read.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import { decode } from '../../base/text/decode.ts'
import type { Definition } from '../../detect/constants/definition.ts'
import { listModuleValues } from '../../detect/constants/module.ts'
import { listConstants, mayGiveValue } from '../../detect/constants/program.ts'
import { listSettings, type SettingsKind } from '../../detect/constants/settings.ts'
import type { Use } from '../../detect/constants/uses.ts'
import { computeGitName } from '../../sources/repository/git.ts'
import type { Target, Targets } from '../cross-file/targets.ts'
import { findSettingsKind } from './names.ts'

/** A value with the file in which it stands. */
export interface Located extends Definition {
  path: string
}

/** What a file defines. */
export interface Defined {
  file: SourceFile
  definitions: readonly Definition[]
}

/** What a name stands for: one value; several, of which nobody can tell which holds; or nothing that is known. */
export type Answer = readonly Located[]

/** Files that are read for their constants; those of a repository that has more are not looked up. */
const MOST_FILES = 400

/** Names within a constant that are looked up: those of maps and inner classes. */
const MOST_INNER = 2

/** Larger files hold data. */
const MOST_BYTES = 512 << 10

/** What the index is made of. */
export interface IndexedFiles {
  root: string
  /** Files of code, by path. */
  code: ReadonlyMap<string, SourceFile>
  /** Files of settings. */
  settings: readonly SourceFile[]
  /** Directories that are projects of their own, the root among them. */
  projects: ReadonlySet<string>
  targets: Targets
  /** Files of Terraform's modules, by directory. */
  modules: ReadonlyMap<string, readonly SourceFile[]>
}

/** The constants of a repository by their names. A file is read when something of it is first asked for. */
export class ConstantIndex {
  readonly #files: IndexedFiles
  readonly #findKept: (file: SourceFile) => readonly Definition[] | undefined
  readonly #texts: Texts
  /** By file and name, whether the file may define it. */
  readonly #asked = new Map<string, boolean>()
  readonly #byPath = new Map<string, ReadonlyMap<string, Located>>()
  readonly #settings = new Map<'environment' | 'settings', ReadonlyMap<string, Located[]>>()
  #read = 0
  #parsed = 0
  #fresh: Defined[] = []
  /** Files that were not read, since too many were. */
  left = 0

  /** `findKept` answers what a file defined in the scan before. */
  constructor(
    files: IndexedFiles,
    findKept: (file: SourceFile) => readonly Definition[] | undefined = () => undefined,
  ) {
    this.#files = files
    this.#findKept = findKept
    this.#texts = new Texts(files.root)
  }

  /** What files of code define that were read since this was asked last, where git has a name for their content. */
  takeFresh(): Defined[] {
    const fresh = this.#fresh
    this.#fresh = []
    return fresh
  }

  get hasSettings(): boolean {
    return this.#files.settings.length > 0
  }

  /** How much text was parsed since this was asked last. */
  takeParsed(): number {
    const parsed = this.#parsed
    this.#parsed = 0
    return parsed
  }

  /** What stands under a name that a file of the language uses. */
  resolve(from: string, language: string, { kind, name }: Pick<Use, 'kind' | 'name'>): Answer {
    if (kind === 'module') return uniteValues(this.#findModuleValues(from, name))
    const found = kind === 'program' ? this.#findConstants(from, language, name) : this.#findSettings(from, kind, name)
    return uniteValues(found)
  }

  #findConstants(from: string, language: string, name: string): Located[] {
    const out: Located[] = []
    for (const { path, names } of this.#findTargets(from, language, name)) {
      const file = this.#files.code.get(path)
      if (!file || path === from) continue
      if (!this.#mayDefine(file, names)) continue
      const own = this.#readFile(file, text => listConstants(file.language!, text))
      const found = listKeys(names)
        .map(key => own.get(key))
        .find(each => each !== undefined)
      if (found) out.push(found)
    }
    return out
  }

  /** Whether the text of a file gives one of the names a fixed value; most names are those of functions and types, and nothing is parsed for them. */
  #mayDefine(file: SourceFile, names: readonly string[]): boolean {
    const [last = '', before = ''] = names.toReversed()
    const wanted = last === 'value' ? before : last
    if (!/^\w+$/.test(wanted)) return false
    const key = `${file.path}\0${wanted}`
    let known = this.#asked.get(key)
    if (known === undefined) {
      const text = this.#byPath.has(file.path) ? undefined : this.#texts.read(file)
      known = text === undefined || mayGiveValue(file.language!, text, wanted)
      this.#asked.set(key, known)
    }
    return known
  }

  /** Files that a name leads to, with the names in them; of `settings.tls.verify` a file may define no more than `settings`. */
  #findTargets(from: string, language: string, name: string): Target[] {
    const parts = name.split('.')
    for (let cut = 0; cut <= MOST_INNER && cut < parts.length - 1; cut++) {
      const rest = parts.slice(parts.length - cut)
      const found = this.#files.targets.find(from, language, parts.slice(0, parts.length - cut).join('.'))
      if (found.length > 0) return found.map(({ path, names }) => ({ path, names: [...names, ...rest] }))
    }
    return []
  }

  /** What the module's other files say of a variable or local; what a file of variables sets comes before a default. */
  #findModuleValues(from: string, name: string): Located[] {
    const own = (this.#files.modules.get(posix.dirname(from)) ?? []).filter(({ path }) => path !== from)
    const list = (sets: boolean) =>
      own
        .filter(({ path }) => path.endsWith('.tfvars') === sets)
        .flatMap(file => this.#readFile(file, text => listModuleValues(text, sets)).get(name) ?? [])
    const set = name.startsWith('var.') ? list(true) : []
    return set.length > 0 ? set : list(false)
  }

  #findSettings(from: string, kind: 'environment' | 'settings', name: string): Located[] {
    let all = this.#settings.get(kind)
    if (!all) {
      all = this.#readSettings(kind)
      this.#settings.set(kind, all)
    }
    // What another project of the repository sets is not this one's.
    return (all.get(name) ?? []).filter(({ path }) => isBelow(from, this.#findProject(path)))
  }

  #readSettings(kind: 'environment' | 'settings'): ReadonlyMap<string, Located[]> {
    const out = new Map<string, Located[]>()
    for (const file of this.#files.settings) {
      const own = findSettingsKind(file.path)
      if (own === undefined || !isOfKind(own, kind)) continue
      for (const [name, found] of this.#readFile(file, text => listSettings(own, text))) {
        const known = out.get(name)
        if (known) known.push(found)
        else out.set(name, [found])
      }
    }
    return out
  }

  #readFile(file: SourceFile, list: (text: string) => Definition[]): ReadonlyMap<string, Located> {
    const { path } = file
    const known = this.#byPath.get(path)
    if (known) return known
    const own = new Map<string, Located>()
    const differing = new Set<string>()
    for (const each of this.#listDefinitions(file, list)) {
      const before = own.get(each.name)
      // One file that says two things, as documents of YAML do for profiles, says nothing.
      if (before && before.value !== each.value) differing.add(each.name)
      own.set(each.name, { ...each, path })
    }
    for (const name of differing) own.delete(name)
    this.#byPath.set(path, own)
    return own
  }

  #listDefinitions(file: SourceFile, list: (text: string) => Definition[]): readonly Definition[] {
    const kept = this.#findKept(file)
    if (kept) return kept
    if (this.#read >= MOST_FILES) {
      this.left++
      return []
    }
    this.#read++
    const text = this.#texts.read(file)
    if (text === undefined) return []
    this.#parsed += text.length
    const found = list(text)
    if (this.#texts.isVerified(file)) this.#fresh.push({ file, definitions: found })
    return found
  }

  #findProject(path: string): string {
    let directory = posix.dirname(path)
    while (directory !== '.' && !this.#files.projects.has(directory)) directory = posix.dirname(directory)
    return directory
  }
}

/** Each value once. */
function uniteValues(found: readonly Located[]): Answer {
  return [...new Map(found.map(each => [JSON.stringify(each.value), each])).values()]
}

/** Texts that are held at the same time. */
const MOST_TEXTS = 200

/** The texts of files, the last ones held. */
class Texts {
  readonly #root: string
  readonly #held = new Map<string, { text: string | undefined; verified: boolean }>()

  constructor(root: string) {
    this.#root = root
  }

  read(file: SourceFile): string | undefined {
    return this.#hold(file).text
  }

  /** Whether the bytes that were read are those that git knows by the file's name of content. */
  isVerified(file: SourceFile): boolean {
    return this.#hold(file).verified
  }

  #hold(file: SourceFile): { text: string | undefined; verified: boolean } {
    const known = this.#held.get(file.path)
    if (known) return known
    const bytes = readSource(this.#root, file, MOST_BYTES)
    const decoded = bytes instanceof Uint8Array ? decode(bytes, file.encoding) : undefined
    const made =
      bytes instanceof Uint8Array && decoded && 'text' in decoded
        ? { text: decoded.text, verified: file.oid !== undefined && file.oid === computeGitName(bytes, file.oid) }
        : { text: undefined, verified: false }
    if (this.#held.size >= MOST_TEXTS) this.#held.delete(this.#held.keys().next().value!)
    this.#held.set(file.path, made)
    return made
  }
}

/** Names that a value may have in its file: of a class within another it is named by the inner one, and of a member of an enumeration by its value. */
function listKeys(names: readonly string[]): string[] {
  const own = names.at(-1) === 'value' ? [names, names.slice(0, -1)] : [names]
  return own.flatMap(each => [each.join('.'), ...(each.length > 2 ? [each.slice(-2).join('.')] : [])])
}

function isOfKind(kind: SettingsKind | undefined, asked: 'environment' | 'settings'): boolean {
  return asked === 'environment' ? kind === 'dotenv' : kind === 'properties' || kind === 'yaml'
}

function isBelow(path: string, directory: string): boolean {
  return directory === '.' || path.startsWith(`${directory}/`)
}
