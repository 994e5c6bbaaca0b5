import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { readSource } from '../../base/disk/read.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import { classify } from '../../base/text/classify.ts'
import { decode } from '../../base/text/decode.ts'
import {
  type Candidate,
  findSites,
  listConstantCandidates,
  listReadCandidates,
  makeSites,
  type Sites,
} from '../../detect/constants/asks.ts'
import { findReferences, listProperties } from '../../detect/constants/module.ts'
import { findUses, listReaders, type Readers, type Use } from '../../detect/constants/uses.ts'
import { judgesValues, listSiteWords } from '../../detect/constants/value-rules.ts'
import { OneLine } from '../../detect/lexer/layout.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import type { Limits } from '../../detect/rules/file-outcome.ts'
import { parseTrees } from '../../detect/syntax/between.ts'
import { registerGrammars } from '../../detect/syntax/grammar.ts'
import { findAdapter } from '../../detect/taint/languages/adapters.ts'
import { addLibraries, findModel } from '../../detect/taint/models.ts'
import { computeGitName } from '../../sources/repository/git.ts'
import { TreeCollector } from '../collector.ts'
import { Targets } from '../cross-file/targets.ts'
import { ConstantIndex, type Defined, type IndexedFiles } from './constant-index.ts'
import type { Asked, ConstantMemory, LookedUp } from './memory.ts'
import { Trial } from './trial.ts'

/** What is known of all files in which values may stand. */
export interface ValueBasis extends Omit<IndexedFiles, 'targets'> {
  limits: Limits
}

/** Files whose names are looked up, in order. */
export interface ValueQuestion {
  basis: ValueBasis
  files: readonly SourceFile[]
}

/** What a file asks for, a digest of what that stands for, and what it came to. */
export interface FileAnswer {
  asked: Asked[]
  answers: string
  own: LookedUp
  /** The bytes are those that git knows by the file's name of content. */
  isVerified: boolean
}

/** What files came to, in their order; nothing of one that is not read. */
export interface ValueAnswer {
  files: (FileAnswer | undefined)[]
  /** What files define that were read for that. */
  defined: Defined[]
  /** Files that were not read for their constants, since too many were. */
  left: number
}

/** What is known of a language: what may stand before a value that is judged, and how programs read values. */
interface Known {
  sites: Sites
  readers: Readers
}

const NOTHING: LookedUp = { found: [], ambiguous: [] }

export function answerValues({ basis, files }: ValueQuestion, rules: readonly CompiledRule[]): Promise<ValueAnswer> {
  return new FileValues(basis, rules).perform(files)
}

/** Judges files as if values of other files stood in them. */
export class FileValues {
  readonly #basis: ValueBasis
  readonly #rules: readonly CompiledRule[]
  readonly #index: ConstantIndex
  readonly #languages = new Map<string, Known | undefined>()
  readonly #trial: Trial
  readonly #trees = new TreeCollector()
  readonly #signal: AbortSignal | undefined
  #properties: ReadonlySet<string> | undefined
  #parsed = 0

  /** Of the rules those are asked that judge values. `memory` is what the scan before has kept of definitions. */
  constructor(
    basis: ValueBasis,
    rules: readonly CompiledRule[],
    { memory, signal }: { memory?: ConstantMemory | undefined; signal?: AbortSignal } = {},
  ) {
    registerGrammars()
    this.#basis = basis
    this.#rules = rules.filter(judgesValues)
    const findKept = memory && ((file: SourceFile) => memory.findDefinitions(file))
    this.#index = new ConstantIndex({ ...basis, targets: new Targets(basis.code.keys()) }, findKept)
    this.#trial = new Trial(this.#rules, basis.limits)
    this.#signal = signal
  }

  async perform(files: readonly SourceFile[]): Promise<ValueAnswer> {
    const answers: ValueAnswer['files'] = []
    for (const file of files) {
      this.#signal?.throwIfAborted()
      answers.push(this.#open(file))
      await this.#rest()
    }
    return { files: answers, defined: this.#index.takeFresh(), left: this.#index.left }
  }

  /** Finds what files came to in the scan before, where all that they ask for stands for the same. */
  async findKnown(files: readonly SourceFile[], memory: ConstantMemory): Promise<Map<SourceFile, LookedUp>> {
    const known = new Map<SourceFile, LookedUp>()
    for (const file of files) {
      this.#signal?.throwIfAborted()
      const found = memory.find(file, asked => this.#digestAnswers(file, asked))
      if (found) known.set(file, found)
      await this.#rest()
    }
    return known
  }

  /** After each file for which text was parsed, timers and signals have their turn. */
  async #rest(): Promise<void> {
    const parsed = this.#parsed + this.#index.takeParsed()
    this.#parsed = 0
    if (parsed === 0) return
    await this.#trees.parsed(parsed)
    await setImmediate()
  }

  #open(file: SourceFile): FileAnswer | undefined {
    const read = this.#read(file)
    if (!read) return undefined
    const { text, isVerified } = read
    const make = (asked: Asked[], own: LookedUp) => ({
      asked,
      answers: this.#digestAnswers(file, asked),
      own,
      isVerified,
    })
    if (file.language === 'hcl') {
      this.#properties ??= listProperties(this.#rules)
      const uses = findReferences(text, this.#properties)
      const asked = uses.map(({ kind, name }) => ({ kind, name }))
      // What nothing in the module tells is counted.
      const open = asked.filter(each => this.#index.resolve(file.path, 'hcl', each).length === 0).length
      return make(asked, { ...this.#judge(file, text, uses), open })
    }
    const language = this.#know(file.language!)
    const candidates = language ? this.#listCandidates(file, text, language) : []
    const uses = candidates.length > 0 ? this.#listUses(file, text, language!, candidates) : []
    const own = uses.length > 0 ? this.#judge(file, text, uses) : NOTHING
    return make(
      [...candidates, ...uses].map(({ kind, name }) => ({ kind, name })),
      own,
    )
  }

  /** The text of a file; what is too large to parse, minified or not text is not read: the search of its rules lists it. */
  #read(file: SourceFile): { text: string; isVerified: boolean } | undefined {
    const { root, limits } = this.#basis
    const bytes = readSource(root, file, limits.max_parse_bytes)
    if (!(bytes instanceof Uint8Array) || classify(bytes, file.language!)) return undefined
    const decoded = decode(bytes, file.encoding)
    if (!('text' in decoded)) return undefined
    return { text: decoded.text, isVerified: file.oid !== undefined && file.oid === computeGitName(bytes, file.oid) }
  }

  #know(language: string): Known | undefined {
    if (this.#languages.has(language)) return this.#languages.get(language)
    const own = this.#rules.filter(({ languages }) => languages.includes(language))
    const words = listSiteWords(own)
    const base = findModel(language)
    const taught = new Set(own.flatMap(rule => ('libraries' in rule && rule.libraries) || []))
    const model =
      base &&
      addLibraries(
        base,
        [...taught].filter(({ languages }) => languages.includes(language)),
      )
    const readers = model && listReaders(model)
    const known = words.size > 0 && readers ? { sites: makeSites(language, words), readers } : undefined
    this.#languages.set(language, known)
    return known
  }

  /** What the file asks for, as its text looks. */
  #listCandidates({ path, language }: SourceFile, text: string, { sites, readers }: Known): Candidate[] {
    const candidates = listConstantCandidates(language!, text, sites)
    if (this.#index.hasSettings && !findSites(text, sites).next().done)
      candidates.push(...listReadCandidates(text, readers))
    return candidates.filter(each => this.#index.resolve(path, language!, each).length > 0)
  }

  #listUses({ language }: SourceFile, text: string, { readers }: Known, candidates: readonly Candidate[]): Use[] {
    this.#parsed += text.length
    const trees = parseTrees(language!, text, new OneLine(language!))
    if ('reason' in trees) return []
    const module = findAdapter(language!)!.lower(trees.bare, text)
    return findUses(
      module,
      { text, language: language! },
      readers,
      candidates.map(({ at }) => at),
    )
  }

  /** What the rules say of a file with the values in place. */
  #judge(file: SourceFile, text: string, uses: readonly Use[]): LookedUp {
    const answers = uses.map(use => ({ use, values: this.#index.resolve(file.path, file.language!, use) }))
    const certain = answers.flatMap(({ use, values: [at, ...others] }) =>
      at && others.length === 0 ? { use, at } : [],
    )
    const open = answers.filter(({ values }) => values.length > 1)
    if (certain.length === 0 && open.length === 0) return NOTHING
    this.#parsed += text.length
    const trial = this.#trial.begin(file, text)
    const found = certain.length === 0 ? [] : trial.findBy(certain)
    const ambiguous = open
      .filter(({ use, values }) => values.some(at => trial.findBy([{ use, at }]).length > 0))
      .map(({ use, values }) => ({ name: use.name, paths: [...new Set(values.map(({ path }) => path))].sort() }))
    return { found, ambiguous }
  }

  #digestAnswers({ path, language }: SourceFile, asked: readonly Asked[]): string {
    if (asked.length === 0) return ''
    const answers = asked.map(each => this.#index.resolve(path, language!, each))
    return createHash('sha256').update(JSON.stringify(answers)).digest('hex')
  }
}
