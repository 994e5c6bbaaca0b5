import { readSource } from '../../base/disk/read.ts'
import type { ControlRef, Finding, FlowStep } from '../../base/records/finding.ts'
import { computeFingerprint } from '../../base/records/fingerprint.ts'
import { resolveRuleId } from '../../base/records/rule-ids.ts'
import type { Notice } from '../../base/records/run.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import { classify } from '../../base/text/classify.ts'
import { decode } from '../../base/text/decode.ts'
import { Positions } from '../../base/text/positions.ts'
import { formatCount } from '../../base/text/words.ts'
import { locateMatches } from '../../detect/file/places.ts'
import { RuleSet } from '../../detect/file/rule-set.ts'
import { OneLine } from '../../detect/lexer/layout.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import type { Trees } from '../../detect/rules/detector.ts'
import type { Limits } from '../../detect/rules/file-outcome.ts'
import type { Match } from '../../detect/rules/match.ts'
import { parseTrees } from '../../detect/syntax/between.ts'
import { registerGrammars } from '../../detect/syntax/grammar.ts'
import { type Entry, followEntries, listHandovers, mayHaveSource } from '../../detect/taint/cross-file.ts'
import type { Handover } from '../../detect/taint/handovers.ts'
import { computeGitName } from '../../sources/repository/git.ts'
import { toFinding } from '../merge.ts'
import type { CrossFileMemory, Followed, Passed } from './memory.ts'
import { CROSS_FILE_LANGUAGES, Targets } from './targets.ts'

/** Calls from file to file that are followed. */
const MOST_HOPS = 4

/** Functions that input is followed into; a program that has more is reported as not followed. */
const MOST_ENTRIES = 4000

/** What is followed: the code of a repository, with the rules that are on. */
export interface CrossFileRequest {
  root: string
  /** Files of languages that call each other. */
  files: readonly SourceFile[]
  /** Rules that follow values, with those that are off (`addMuted`). */
  rules: readonly CompiledRule[]
  limits: Limits
  controls: ReadonlyMap<string, ControlRef[]>
  /** Whether a rule is on for a path. */
  applies(rule: string, path: string): boolean
  /** What files came to in the scan before; left out where nothing is to be taken from it or kept. */
  memory?: CrossFileMemory
  signal: AbortSignal
}

/** What was found, and where input was not followed to the end; what rules found in files that they exclude is counted apart. */
export interface CrossFileResult {
  findings: Finding[]
  excluded: { rule: string; file: string; lines: number[] }[]
  notices: Notice[]
}

/** An entry into a file, with the way by which input came there. */
interface Way {
  target: SourceFile
  entry: Entry
  steps: FlowStep[]
}

/** A file as it is analyzed. */
interface Opened {
  language: string
  text: string
  trees: Trees
  /** The bytes are those that git knows by `SourceFile.oid`, so what they come to may be kept under that name. */
  verified: boolean
}

/** Why a file was not analyzed: nothing in it asks for that; it is not read, which the search of its rules says; or it cannot be parsed. */
type NotOpened = { not: 'wanted'; verified: boolean } | { not: 'read' } | { not: 'parsed' }

/**
 * What reaches a sink in another file than it comes from: input is followed through calls of functions whose file their names lead to. What
 * lies within one file is not reported again. Bounded by counts, so that the same repository comes to the same on every machine.
 */
export async function followAcrossFiles(request: CrossFileRequest): Promise<CrossFileResult> {
  const search = new CrossFileSearch(request)
  for (const file of request.files) {
    request.signal.throwIfAborted()
    // Timers and signals have their turn.
    if (search.open(file)) await new Promise(resolve => setImmediate(resolve))
  }
  for (let hop = 0; hop < MOST_HOPS && search.hasNext; hop++) {
    request.signal.throwIfAborted()
    search.enter()
  }
  return search.conclude()
}

/** Whether a file is one whose calls are followed: code of the repository's own that is read from the disk. */
export function isFollowed({ language, in_test, class: file_class, blob }: SourceFile): boolean {
  const isOwn = !in_test && file_class === undefined && blob === undefined
  return isOwn && language !== null && CROSS_FILE_LANGUAGES.includes(language)
}

class CrossFileSearch {
  readonly #request: CrossFileRequest
  readonly #rules: RuleSet
  readonly #files: ReadonlyMap<string, SourceFile>
  readonly #targets: Targets
  #next: Way[] = []
  readonly #entered = new Set<string>()
  readonly #exhausted = new Map<string, string[]>()
  readonly #unparsed = new Map<string, string>()
  #left = 0
  readonly #findings: Finding[] = []
  readonly #excluded: CrossFileResult['excluded'] = []

  constructor(request: CrossFileRequest) {
    registerGrammars()
    this.#request = request
    this.#rules = new RuleSet(request.rules)
    this.#files = new Map(request.files.map(file => [file.path, file]))
    this.#targets = new Targets(this.#files.keys())
  }

  get hasNext(): boolean {
    return this.#next.length > 0
  }

  /** Notes where input of the file goes; answers whether it had to be analyzed. */
  open(file: SourceFile): boolean {
    const { memory } = this.#request
    const known = memory?.find(file)
    if (known) {
      this.#take(file, known, [])
      return false
    }
    const opened = this.#read(
      file,
      (language, text) =>
        this.#targets.mayCall(file.path, language, text) && mayHaveSource(this.#rules, language, text),
    )
    const own = 'not' in opened ? NOTHING : this.#listPassed(file, opened)
    if ('verified' in opened && opened.verified) memory?.keep(file, own)
    this.#take(file, own, [])
    return true
  }

  /** Follows what was passed, file by file. */
  enter(): void {
    const byFile = new Map<SourceFile, Way[]>()
    for (const way of this.#next) {
      const own = byFile.get(way.target)
      if (own) own.push(way)
      else byFile.set(way.target, [way])
    }
    this.#next = []
    for (const [file, ways] of byFile) this.#enterFile(file, ways)
  }

  conclude(): CrossFileResult {
    const notices = [...this.#exhausted].map(([file, names]): Notice => {
      const detail = `taint analysis did not follow all calls of other files in ${listNames(names)}: limit reached`
      return { kind: 'calls_not_followed', file, detail }
    })
    for (const [file, reason] of this.#unparsed)
      notices.push({
        kind: 'calls_not_followed',
        file,
        detail: `taint analysis did not follow calls of other files: ${reason}`,
      })
    const left = this.#left + this.#next.length
    if (left > 0) {
      const detail = `taint analysis did not follow ${formatCount(left, 'call')} from file to file: limit reached`
      notices.push({ kind: 'calls_not_followed', file: '.', detail })
    }
    return { findings: this.#findings, excluded: this.#excluded, notices }
  }

  #enterFile(file: SourceFile, ways: readonly Way[]): void {
    const { memory } = this.#request
    const unknown = ways.filter(({ steps, entry }) => {
      const known = memory?.find(file, entry)
      if (known) this.#take(file, known, steps)
      return !known
    })
    const isNamed = (text: string): boolean => unknown.some(({ entry: { names } }) => text.includes(names.at(-1) ?? ''))
    if (unknown.length === 0) return
    const opened = this.#read(file, (_, text) => isNamed(text))
    const all = 'not' in opened ? unknown.map(() => NOTHING) : this.#followInto(file, opened, unknown)
    const mayKeep = 'verified' in opened && opened.verified
    all.forEach((followed, index) => {
      const { entry, steps } = unknown[index]!
      if (mayKeep) memory?.keep(file, followed, entry)
      this.#take(file, followed, steps)
    })
  }

  /** A file's trees. What is too large to parse, minified or not text is not read: the search of its rules lists it. */
  #read(file: SourceFile, isWanted: (language: string, text: string) => boolean): Opened | NotOpened {
    const { root, limits } = this.#request
    const language = file.language!
    const bytes = readSource(root, file, limits.max_parse_bytes)
    if (!(bytes instanceof Uint8Array) || classify(bytes, language)) return { not: 'read' }
    const decoded = decode(bytes, file.encoding)
    if (!('text' in decoded)) return { not: 'read' }
    const { text } = decoded
    const verified = file.oid !== undefined && file.oid === computeGitName(bytes, file.oid)
    if (!isWanted(language, text)) return { not: 'wanted', verified }
    const trees = parseTrees(language, text, new OneLine(language))
    if (!('reason' in trees)) return { language, text, trees, verified }
    this.#unparsed.set(file.path, trees.detail ?? trees.reason)
    return { not: 'parsed' }
  }

  #listPassed(file: SourceFile, { language, text, trees }: Opened): Followed {
    const leads = (name: string): boolean => this.#targets.leads(file.path, language, name)
    const { handovers, exhausted } = listHandovers(this.#rules, language, trees.bare, text, leads)
    const positions = new Positions(text)
    const passed = handovers.filter(({ callee }) => leads(callee)).map(each => toPassed(positions, each))
    return { matches: [], excluded: [], passed, exhausted }
  }

  #followInto(file: SourceFile, { language, text, trees }: Opened, ways: readonly Way[]): Followed[] {
    const positions = new Positions(text)
    const entries = ways.map(({ entry }) => entry)
    return followEntries(this.#rules, language, trees.bare, text, entries).map(({ matches, handovers, exhausted }) => {
      const input = { path: file.path, language, in_test: file.in_test, bytes: new Uint8Array() }
      const found = { raw: matches, text, root: trees.whole }
      const located =
        matches.length === 0 ? { matches: [] } : locateMatches(this.#rules, input, this.#request.limits, found)
      return {
        matches: located.matches,
        excluded: located.excluded ?? [],
        passed: handovers.map(each => toPassed(positions, each)),
        exhausted,
      }
    })
  }

  /** Takes what a file came to: findings, and what is passed on. */
  #take(file: SourceFile, { matches, excluded, passed, exhausted }: Followed, before: readonly FlowStep[]): void {
    for (const { rule, lines } of excluded)
      this.#excluded.push({ rule: this.#rules.rules[rule]!.id, file: file.path, lines })
    if (exhausted.length > 0) this.#exhausted.set(file.path, exhausted)
    for (const match of matches) this.#report(file, match, before)
    for (const each of passed) this.#pass(file, each, before)
  }

  #report(file: SourceFile, match: Match, before: readonly FlowStep[]): void {
    const { path, in_test } = file
    const rule = this.#rules.rules[match.rule]!
    if (!this.#request.applies(rule.id, path)) return
    const finding = toFinding(rule, match, { path, language: file.language!, in_test }, this.#request.controls)
    // Apart from the identities of what the search of the file itself found.
    const fingerprint = computeFingerprint(rule.id, path, `from another file: ${match.fingerprint}`, 0)
    const flow = [...before, ...finding.flow!]
    this.#findings.push({ ...finding, id: `F-${fingerprint.slice(0, 12)}`, fingerprint, flow })
  }

  /** Input that a file passes on enters the file that has the function. */
  #pass({ path: from, language }: SourceFile, passed: Passed, before: readonly FlowStep[]): void {
    const { callee, position, name, input, steps } = passed
    for (const { path, names } of this.#targets.find(from, language!, callee)) {
      const entry: Entry = { names, position, input, ...(name !== undefined && { name }) }
      const key = JSON.stringify([path, entry])
      if (path === from || this.#entered.has(key)) continue
      if (this.#entered.size >= MOST_ENTRIES) {
        this.#left++
        continue
      }
      this.#entered.add(key)
      const way = [...before, ...steps.map(step => ({ file: from, ...step }))]
      this.#next.push({ target: this.#files.get(path)!, entry, steps: way })
    }
  }
}

const NOTHING: Followed = { matches: [], excluded: [], passed: [], exhausted: [] }

function toPassed(positions: Positions, { callee, position, name, input, flow, start, end }: Handover): Passed {
  const called = callee.slice(callee.lastIndexOf('/') + 1)
  const steps = [...flow, { start, end, label: `passed to ${called}` }].map(({ label, ...place }) => {
    const [from, to] = [positions.at(place.start), positions.at(place.end)]
    return { line: from.line, column: from.column, end_line: to.line, end_column: to.column, label }
  })
  return { callee, position, input, steps, ...(name !== undefined && { name }) }
}

/** Functions that are named at most. */
const NAMED = 5

function listNames(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return `${names.slice(0, NAMED).join(', ')}${more}`
}

/** Those of the findings that no rule has at the same place already, each place once. */
export function dropKnown(findings: readonly Finding[], known: readonly Finding[]): Finding[] {
  const places = new Set(known.map(formatPlace))
  return findings.filter(finding => {
    const place = formatPlace(finding)
    if (places.has(place)) return false
    places.add(place)
    return true
  })
}

function formatPlace({ rule_id, file, line, column }: Finding): string {
  return JSON.stringify([resolveRuleId(rule_id), file, line, column])
}
