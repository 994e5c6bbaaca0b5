import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { readSource } from '../../base/disk/read.ts'
import type { Finding, FlowStep } from '../../base/records/finding.ts'
import type { Notice } from '../../base/records/run.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import { classify } from '../../base/text/classify.ts'
import { decode } from '../../base/text/decode.ts'
import { formatCount } from '../../base/text/words.ts'
import { type Candidate, listConstantCandidates, listReadCandidates, makeSites } from '../../detect/constants/asks.ts'
import { findReferences, listProperties } from '../../detect/constants/module.ts'
import { findUses, listReaders, type Readers, type Use } from '../../detect/constants/uses.ts'
import { listSiteWords } from '../../detect/constants/value-rules.ts'
import { OneLine } from '../../detect/lexer/layout.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import { parseTrees } from '../../detect/syntax/between.ts'
import { registerGrammars } from '../../detect/syntax/grammar.ts'
import { findAdapter } from '../../detect/taint/languages/adapters.ts'
import { addLibraries, findModel } from '../../detect/taint/models.ts'
import { computeGitName } from '../../sources/repository/git.ts'
import { TreeCollector } from '../collector.ts'
import { toFinding } from '../merge.ts'
import type { WholeRepository } from '../whole-repository.ts'
import { ConstantIndex, type IndexedFiles } from './constant-index.ts'
import type { Asked, FoundByValue, LookedUp } from './memory.ts'
import { Trial } from './trial.ts'

/** What is looked up: names in files of code, for rules that judge values. */
export interface LookUpRequest extends IndexedFiles, WholeRepository {
  /** Files whose names are looked up, in order. */
  files: readonly SourceFile[]
  /** Rules that judge values. */
  rules: readonly CompiledRule[]
}

/** What was found by values that stand elsewhere, and what could not be told. */
export interface LookUpResult {
  findings: Finding[]
  notices: Notice[]
}

/** A value of another file is what it says as long as nobody changes it there; one of a file of settings may be replaced when the program runs. */
const CONFIDENCE = { program: 0.9, environment: 0.7, settings: 0.8, module: 0.8 }

/**
 * What rules that judge values find where the value stands in another file: each file that may use one is judged once more as if the values
 * stood in it. Bounded by counts, so that the same repository comes to the same on every machine.
 */
export async function lookUpValues(request: LookUpRequest): Promise<LookUpResult> {
  const search = new ValueSearch(request)
  const trees = new TreeCollector()
  for (const file of request.files) {
    request.signal.throwIfAborted()
    search.open(file)
    const parsed = search.takeParsed()
    if (parsed === 0) continue
    await trees.parsed(parsed)
    // Timers and signals have their turn.
    await setImmediate()
  }
  return search.conclude()
}

/** What is known of a language: what may stand before a value that is judged, and how programs read values. */
interface Known {
  sites: RegExp
  readers: Readers
}

const NOTHING: LookedUp = { found: [], ambiguous: [] }

class ValueSearch {
  readonly #request: LookUpRequest
  readonly #index: ConstantIndex
  readonly #languages = new Map<string, Known | undefined>()
  readonly #trial: Trial
  readonly #findings: Finding[] = []
  #properties: ReadonlySet<string> | undefined
  /** References in resources that nothing tells the value of. */
  readonly #open = { count: 0, files: [] as string[] }
  #parsed = 0
  readonly #ambiguous = new Map<string, Set<string>>()

  constructor(request: LookUpRequest) {
    registerGrammars()
    this.#request = request
    this.#index = new ConstantIndex(request)
    this.#trial = new Trial(request.rules, request.limits)
  }

  /** How much text was parsed since this was asked last. */
  takeParsed(): number {
    const parsed = this.#parsed + this.#index.takeParsed()
    this.#parsed = 0
    return parsed
  }

  /** Looks up the names of a file. */
  open(file: SourceFile): void {
    const { memory } = this.#request
    const answer = (asked: readonly Asked[]) => this.#digestAnswers(file, asked)
    const known = memory?.find(file, answer)
    if (known) {
      this.#take(file, known)
      return
    }
    const text = this.#read(file)
    if (text === undefined) return
    if (file.language === 'hcl') {
      this.#openModule(file, text, answer)
      return
    }
    const language = this.#know(file.language!)
    const candidates = language ? this.#listCandidates(file, text.text, language) : []
    const uses = candidates.length > 0 ? this.#listUses(file, text.text, language!, candidates) : []
    const own = uses.length > 0 ? this.#judge(file, text.text, uses) : NOTHING
    const asked = [...candidates, ...uses].map(({ kind, name }) => ({ kind, name }))
    if (text.verified) memory?.keep(file, asked, answer(asked), own)
    this.#take(file, own)
  }

  /** Judges the references of a file of Terraform; what nothing in the module tells is counted. */
  #openModule(
    file: SourceFile,
    { text, verified }: { text: string; verified: boolean },
    answer: (asked: readonly Asked[]) => string,
  ): void {
    this.#properties ??= listProperties(this.#request.rules)
    const uses = findReferences(text, this.#properties)
    const isOpen = ({ kind, name }: Asked) => this.#index.resolve(file.path, 'hcl', { kind, name }).length === 0
    const own = { ...this.#judge(file, text, uses), open: uses.filter(isOpen).length }
    if (verified)
      this.#request.memory?.keep(
        file,
        uses.map(({ kind, name }) => ({ kind, name })),
        answer(uses.map(({ kind, name }) => ({ kind, name }))),
        own,
      )
    this.#take(file, own)
  }

  conclude(): LookUpResult {
    const notices: Notice[] = []
    if (this.#open.count > 0) {
      const detail = `${formatCount(this.#open.count, 'value')} of resources not evaluated in ${formatCount(this.#open.files.length, 'file')} (${this.#open.files.slice(0, NAMED).join(', ')}${this.#open.files.length > NAMED ? ', …' : ''}): variables and locals without a plain value in the module`
      notices.push({ kind: 'values_not_looked_up', file: '.', detail })
    }
    if (this.#ambiguous.size > 0) {
      const names = [...this.#ambiguous].map(([name, paths]) => `${name} (${[...paths].join(', ')})`)
      const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
      notices.push({
        kind: 'values_not_looked_up',
        file: '.',
        detail: `${formatCount(names.length, 'name')} not evaluated: files give different values for ${names.slice(0, NAMED).join(', ')}${more}`,
      })
    }
    if (this.#index.left > 0)
      notices.push({
        kind: 'values_not_looked_up',
        file: '.',
        detail: `constants of ${formatCount(this.#index.left, 'file')} not looked up: limit reached`,
      })
    return { findings: this.#findings, notices }
  }

  /** The text of a file; what is too large to parse, minified or not text is not read: the search of its rules lists it. */
  #read(file: SourceFile): { text: string; verified: boolean } | undefined {
    const { root, limits } = this.#request
    const bytes = readSource(root, file, limits.max_parse_bytes)
    if (!(bytes instanceof Uint8Array) || classify(bytes, file.language!)) return undefined
    const decoded = decode(bytes, file.encoding)
    if (!('text' in decoded)) return undefined
    return { text: decoded.text, verified: file.oid !== undefined && file.oid === computeGitName(bytes, file.oid) }
  }

  #know(language: string): Known | undefined {
    if (this.#languages.has(language)) return this.#languages.get(language)
    const own = this.#request.rules.filter(({ languages }) => languages.includes(language))
    const words = [...listSiteWords(own)]
    const base = findModel(language)
    const taught = new Set(own.flatMap(rule => ('libraries' in rule && rule.libraries) || []))
    const model =
      base &&
      addLibraries(
        base,
        [...taught].filter(({ languages }) => languages.includes(language)),
      )
    const readers = model && listReaders(model)
    const known = words.length > 0 && readers ? { sites: makeSites(language, words), readers } : undefined
    this.#languages.set(language, known)
    return known
  }

  /** What the file asks for, as its text looks. */
  #listCandidates({ path, language }: SourceFile, text: string, { sites, readers }: Known): Candidate[] {
    const candidates = listConstantCandidates(language!, text, sites)
    sites.lastIndex = 0
    if (this.#index.hasSettings && sites.test(text)) candidates.push(...listReadCandidates(text, readers))
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

  #take(file: SourceFile, { found, ambiguous, open = 0 }: LookedUp): void {
    if (open > 0) {
      this.#open.count += open
      this.#open.files.push(file.path)
    }
    for (const each of found) this.#report(file, each)
    for (const { name, paths } of ambiguous) {
      const known = this.#ambiguous.get(name) ?? new Set<string>()
      for (const path of paths) known.add(path)
      this.#ambiguous.set(name, known)
    }
  }

  #report({ path, language, in_test }: SourceFile, { match, values }: FoundByValue): void {
    const rule = this.#request.rules[match.rule]!
    if (!this.#request.applies(rule.id, path)) return
    const finding = toFinding(rule, match, { path, language: language!, in_test }, this.#request.controls)
    const flow = values.flatMap(({ at, use }): FlowStep[] => [
      {
        file: at.path,
        line: at.line,
        column: at.column,
        end_line: at.line,
        end_column: at.end_column,
        label: `value of ${at.name}`,
      },
      { file: path, ...use, label: `read as ${at.name}` },
    ])
    const { line, column, end_line, end_column } = match
    const confidence = Math.min(finding.confidence, ...values.map(({ kind }) => CONFIDENCE[kind]))
    const { fix: _, ...unfixed } = finding
    this.#findings.push({
      ...unfixed,
      confidence,
      deterministic: false,
      flow: [...flow, { file: path, line, column, end_line, end_column, label: 'used here' }],
    })
  }
}

/** Names that are listed at most. */
const NAMED = 5

/** Those of the findings whose value is not reported where it stands, by a rule of the same weakness. */
export function dropReportedValues(findings: readonly Finding[], known: readonly Finding[]): Finding[] {
  const reported = new Map<string, string[]>()
  for (const { file, line, cwe } of known) {
    const key = JSON.stringify([file, line])
    const before = reported.get(key)
    if (before) before.push(...cwe)
    else reported.set(key, [...cwe])
  }
  return findings.filter(({ flow, cwe }) => {
    const [first] = flow!
    const own = reported.get(JSON.stringify([first!.file, first!.line]))
    return !own?.some(name => cwe.includes(name))
  })
}
