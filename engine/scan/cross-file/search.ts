import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { FlowStep } from '../../base/records/finding.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import { RuleSet } from '../../detect/file/rule-set.ts'
import { registerGrammars } from '../../detect/syntax/grammar.ts'
import { type Entry, mayHaveSource } from '../../detect/taint/cross-file.ts'
import type { Outcome } from '../../detect/taint/outside.ts'
import type { Checks } from '../../detect/taint/outside-checks.ts'
import { TreeCollector } from '../collector.ts'
import { FileFollower, NOTHING } from './file-follower.ts'
import type { SearchRequest } from './follow.ts'
import { LinkedFiles } from './linked.ts'
import type { Followed, Passed, Settled } from './memory.ts'
import { type Opened, openFile, readText } from './opened.ts'
import { type FreshName, formatPassed, GivingIndex, knowOutside } from './returns.ts'
import type { Targets } from './targets.ts'

/** Calls from file to file that are followed. */
export const MOST_HOPS = 4

/** Functions that input is followed into; a program that has more is reported as not followed. */
const MOST_ENTRIES = 4000

/** An entry into a file, with the way by which input came there. */
interface Way {
  target: SourceFile
  entry: Entry
  steps: FlowStep[]
}

/** A file whose own input was followed, or a function that input entered. */
export interface Node {
  file: SourceFile
  entry?: Entry
  /** The way by which input came there. */
  before: readonly FlowStep[]
  followed: Followed
  /** With what is known of other files, and the digest of that. */
  settled?: { digest: string; result: Settled }
  /** What it passes to others. */
  passed: Map<string, Passed>
}

/** What files came to, as plain data. */
export interface FollowedFiles {
  nodes: Omit<Node, 'passed'>[]
  /** Files that could not be parsed, with the reasons. */
  unparsed: ReadonlyMap<string, string>
  /** How much that was passed on was not followed. */
  left: number
}

/** Follows input through the files of a repository, step by step. */
export class CrossFileSearch {
  readonly #request: SearchRequest
  readonly #rules: RuleSet
  readonly #files: ReadonlyMap<string, SourceFile>
  readonly #linked: LinkedFiles
  readonly #targets: Targets
  readonly #follower: FileFollower
  readonly #nodes: Node[] = []
  readonly #roots = new Map<string, Node>()
  readonly #entered = new Map<string, Node | undefined>()
  readonly #giving = new GivingIndex()
  /** Names of giving functions that files have, by their paths. */
  readonly #mentioned = new Map<string, Set<string>>()
  #next: Way[] = []
  /** Of a part of a repository, the files that were asked about. */
  readonly #seen = new Map<string, SourceFile>()
  readonly #unparsed = new Map<string, string>()
  #left = 0
  readonly #trees = new TreeCollector()
  /** Text that was parsed since the last rest. */
  #parsed = 0

  constructor(request: SearchRequest) {
    registerGrammars()
    this.#request = request
    this.#rules = new RuleSet(request.rules)
    this.#files = new Map(request.files.map(file => [file.path, file]))
    this.#linked = new LinkedFiles(request, this.#files)
    this.#targets = this.#linked.targets
    this.#follower = new FileFollower(this.#rules, request.limits, this.#targets)
  }

  get hasNext(): boolean {
    return this.#next.length > 0
  }

  /** Notes where input of the file goes. */
  async open(file: SourceFile): Promise<void> {
    const { memory } = this.#request
    this.#seen.set(file.path, file)
    const known = memory?.find(file)
    if (known && (known.plain === undefined || known.plain === this.#linked.digestPlain(file))) {
      this.#addRoot(file, known)
      return
    }
    const opened = this.#read(file, (language, text) => mayHaveSource(this.#rules, language, text))
    let own = 'not' in opened ? NOTHING : this.#follower.list(file, opened)
    const plain = 'not' in opened ? undefined : this.#linked.digestPlain(file)
    if (plain !== undefined) own = { ...own, plain }
    if ('verified' in opened && opened.verified) memory?.keep(file, own)
    this.#addRoot(file, own)
    await this.#rest()
  }

  /** Looks for what calls functions that were found to give input; answers whether more of these may be found. */
  async spread(): Promise<boolean> {
    const fresh = this.#giving.takeFresh()
    if (fresh.length === 0) return false
    const digest = createHash('sha256').update(JSON.stringify(fresh)).digest('hex')
    for (const file of this.#request.part ? this.#seen.values() : this.#request.files) {
      this.#request.signal.throwIfAborted()
      const names = this.#listMentions(file, fresh, digest)
      if (names.length === 0) continue
      const mentioned = this.#mentioned.get(file.path) ?? new Set()
      for (const name of names) mentioned.add(name)
      this.#mentioned.set(file.path, mentioned)
      const node = this.#roots.get(file.path) ?? this.#addRoot(file, NOTHING, true)!
      this.#settleNode(node)
      this.#giving.add(file.path, node.settled?.result.giving ?? [])
      await this.#rest()
    }
    return true
  }

  /**
   * The files that come next, of a part of a repository only so many that not more than `most` are asked about; what is passed to others is counted
   * as not followed.
   */
  listNext(most: number): SourceFile[] {
    const next = new Map<string, SourceFile>()
    const kept = this.#next.filter(({ target }) => {
      const isNew = !this.#seen.has(target.path) && !next.has(target.path)
      if (isNew && this.#seen.size + next.size >= most) return false
      next.set(target.path, target)
      return true
    })
    this.#left += this.#next.length - kept.length
    this.#next = kept
    return [...next.values()]
  }

  /** Notes which functions of a file give input, of a part of a repository: nothing of the file's own input is followed. */
  openGiving(file: SourceFile): void {
    if (this.#seen.has(file.path)) return
    this.#seen.set(file.path, file)
    let followed = this.#request.part?.known?.find(file)
    if (!followed) {
      const opened = this.#read(file, (language, text) => mayHaveSource(this.#rules, language, text))
      followed = 'trees' in opened ? this.#follower.list(file, opened) : NOTHING
    }
    this.#giving.add(file.path, followed.giving ?? [])
  }

  /** Files that a file includes itself. */
  listIncluded({ path }: SourceFile): SourceFile[] {
    return this.#linked.listIncluded(path).map(each => this.#files.get(each)!)
  }

  /** Whether a file may call a function of another, by the names in its text. */
  mayCall(file: SourceFile): boolean {
    const { root, limits, contents } = this.#request
    const read = readText(root, file, limits, contents)
    return read !== undefined && this.#targets.mayCall(file.path, file.language!, read.text)
  }

  /** How much that was passed on was not followed. */
  get left(): number {
    return this.#left
  }

  /** How many files were asked about. */
  get seen(): number {
    return this.#seen.size
  }

  /** Follows what was passed, file by file. */
  async enter(): Promise<void> {
    const byFile = new Map<SourceFile, Way[]>()
    for (const way of this.#next) {
      const own = byFile.get(way.target)
      if (own) own.push(way)
      else byFile.set(way.target, [way])
    }
    this.#next = []
    for (const [file, ways] of byFile) {
      this.#request.signal.throwIfAborted()
      this.#enterFile(file, ways)
      await this.#rest()
    }
  }

  /** What is passed on by more calls than are followed is counted. */
  dropNext(): void {
    this.#left += this.#next.length
    this.#next = []
  }

  /** Takes what functions return to those that call them, the last ones first, and what is passed on for that. */
  async settle(): Promise<void> {
    for (const node of [...this.#nodes].reverse()) {
      this.#request.signal.throwIfAborted()
      this.#settleNode(node)
      await this.#rest()
    }
  }

  conclude(): FollowedFiles {
    return {
      nodes: this.#nodes.map(({ passed: _, ...node }) => node),
      unparsed: this.#unparsed,
      left: this.#left,
    }
  }

  #addRoot(file: SourceFile, followed: Followed, isKept = false): Node | undefined {
    const { passed, giving = [], exhausted } = followed
    if (passed.length + giving.length + exhausted.length === 0 && !isKept) return undefined
    const node: Node = { file, before: [], followed, passed: new Map() }
    this.#nodes.push(node)
    this.#roots.set(file.path, node)
    this.#giving.add(file.path, giving)
    for (const each of passed) this.#pass(node, each)
    return node
  }

  #enterFile(file: SourceFile, ways: readonly Way[]): void {
    const { memory, part } = this.#request
    const known = ways.map(({ entry }) => memory?.find(file, entry) ?? part?.known?.find(file, entry))
    const unknown = ways.filter((_, index) => !known[index])
    let made: Followed[] = []
    if (unknown.length > 0) {
      const isNamed = (text: string) => unknown.some(({ entry: { names } }) => text.includes(names.at(-1) ?? ''))
      const opened = this.#read(file, (_, text) => isNamed(text))
      const other: Followed = 'not' in opened && opened.not === 'wanted' ? { ...NOTHING, isAbsent: true } : NOTHING
      const entries = unknown.map(({ entry }) => entry)
      made = 'not' in opened ? entries.map(() => other) : this.#follower.enter(file, opened, entries)
      if ('verified' in opened && opened.verified)
        made.forEach((followed, index) => {
          memory?.keep(file, followed, entries[index])
        })
    }
    // In the order in which they were entered, whatever of them was known.
    ways.forEach(({ entry, steps }, index) => {
      const followed = known[index] ?? made.shift()!
      const node: Node = { file, entry, before: steps, followed, passed: new Map() }
      this.#nodes.push(node)
      this.#entered.set(keyOf(file.path, entry), node)
      for (const each of followed.passed) this.#pass(node, each)
    })
  }

  #settleNode(node: Node): void {
    const { file, entry, passed } = node
    const mentioned = (entry ? undefined : this.#mentioned.get(file.path)) ?? new Set<string>()
    const outcomeOf = (each: Passed) => this.#outcomeOf(file, each)
    const giving = { index: this.#giving, mentioned }
    const known = knowOutside(file.path, file.language!, [...passed.values()], outcomeOf, giving, this.#targets)
    if (!known) return
    const digest = `${known.digest}${this.#linked.digestPlain(file) ?? ''}`
    if (digest === node.settled?.digest) return
    const { memory } = this.#request
    let result = memory?.findSettled(file, digest, entry)
    if (!result) {
      const opened = this.#read(file, () => true)
      if ('not' in opened) return
      result = this.#follower.settle(file, opened, known, entry)
      if (opened.verified) memory?.keepSettled(file, digest, result, entry)
    }
    node.settled = { digest, result }
    for (const each of result.passed) this.#pass(node, each)
  }

  /** What comes out of what a file passes; undefined where one of the functions that it may be is not known. */
  #outcomeOf({ path: from, language }: SourceFile, passed: Passed): { outcome?: Outcome; checks?: Checks } {
    const found: Pick<Followed, 'returned' | 'checks'>[] = []
    for (const { path, names } of this.#targets.find(from, language!, passed.callee)) {
      const node = this.#entered.get(keyOf(path, toEntry(names, passed)))
      if (!node) return {}
      const { isAbsent, returned, checks } = node.settled?.result ?? node.followed
      if (!isAbsent) found.push({ ...(returned && { returned }), ...(checks && { checks }) })
    }
    const [first, ...others] = found
    if (!first) return {}
    if (others.length === 0)
      return { ...(first.returned && { outcome: first.returned }), ...(first.checks && { checks: first.checks }) }
    const known = found.flatMap(({ returned }) => returned ?? [])
    return known.length < found.length ? {} : { outcome: { ways: known.flatMap(({ ways }) => ways) } }
  }

  /** Which of the names the file's text has, and names what has the function. */
  #listMentions(file: SourceFile, fresh: readonly FreshName[], digest: string): readonly string[] {
    const { root, limits, memory } = this.#request
    const known = memory?.findMentions(file, digest)
    if (known) return known
    const read = readText(root, file, limits, this.#request.contents)
    if (!read) return []
    const { text, verified } = read
    const isNamed = ({ name, owners }: FreshName) => text.includes(name) && owners.some(owner => text.includes(owner))
    const found = fresh.filter(isNamed).map(({ name }) => name)
    const calls = found.length > 0 && this.#targets.mayCall(file.path, file.language!, text) ? found : []
    if (verified) memory?.keepMentions(file, digest, calls)
    return calls
  }

  #read(
    file: SourceFile,
    isWanted: (language: string, text: string) => boolean,
  ): Opened | { not: string; verified?: boolean } {
    const { root, limits, contents } = this.#request
    const opened = openFile(root, file, limits, isWanted, contents)
    if ('reason' in opened) this.#unparsed.set(file.path, opened.reason)
    if ('trees' in opened) this.#parsed += opened.text.length
    return opened
  }

  /** After each file that was parsed, timers and signals have their turn, and its trees are freed. */
  async #rest(): Promise<void> {
    if (this.#parsed === 0) return
    await this.#trees.parsed(this.#parsed)
    this.#parsed = 0
    await setImmediate()
  }

  /** Input that a file passes on enters the file that has the function. */
  #pass(node: Node, passed: Passed): void {
    const known = formatPassed(passed)
    if (node.passed.has(known)) return
    node.passed.set(known, passed)
    const { path: from, language } = node.file
    for (const { path, names } of this.#targets.find(from, language!, passed.callee)) {
      const entry = toEntry(names, passed)
      const key = keyOf(path, entry)
      if (path === from || this.#entered.has(key)) continue
      if (this.#entered.size >= MOST_ENTRIES) {
        this.#left++
        continue
      }
      this.#entered.set(key, undefined)
      this.#next.push({ target: this.#files.get(path)!, entry, steps: [...node.before, ...passed.steps] })
    }
  }
}

function toEntry(names: string[], { position, name, isMade, input }: Passed): Entry {
  return { names, position, input, ...(name !== undefined && { name }), ...(isMade && { isMade }) }
}

function keyOf(path: string, entry: Entry): string {
  return JSON.stringify([path, entry])
}
