import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Context } from '../base/context.ts'
import { EngineError } from '../base/errors.ts'
import { detectLanguage, isTestPath } from '../base/languages/languages.ts'
import type { DocumentChecker, DocumentVerdict, RuleCard } from '../base/records/document-check.ts'
import { combineForms } from '../base/records/forms.ts'
import { listKeys } from '../base/records/rule-ids.ts'
import type { Listing, SourceFile } from '../base/records/source-file.ts'
import { RuleSet } from '../detect/file/rule-set.ts'
import { registerGrammars } from '../detect/syntax/grammar.ts'
import type { Baseline } from '../findings/baseline.ts'
import { readBaseline } from '../findings/baseline-file.ts'
import { readSuppressions, type SuppressionEntry } from '../findings/suppression-file.ts'
import { type Config, listDirectoryConfigs, loadConfig } from '../sources/config/load.ts'
import { BASELINE_PATH } from '../sources/config/paths.ts'
import { BlobReader } from '../sources/repository/blobs.ts'
import { discover } from '../sources/repository/discover.ts'
import { type ActiveRules, selectActiveRules } from './active-rules.ts'
import { type FileReport, scanBatch, type Workplace } from './batch.ts'
import { addMuted } from './muted-rules.ts'
import { readLimits } from './search-files.ts'
import { signSettings } from './settings-signature.ts'
import { detect } from './stages/detect.ts'
import { judge } from './stages/judge.ts'
import { excludeNested } from './subject.ts'

/** All that a check needs, prepared once: reading it takes a hundred times as long as a check. */
interface Prepared {
  config: Config
  listing: Listing
  files: ReadonlyMap<string, SourceFile>
  skipped: ReadonlyMap<string, string>
  languages: Set<string>
  suppressions: readonly SuppressionEntry[]
  baseline: Baseline | undefined
  active: ActiveRules
  workplace: Workplace
  signature: string
}

/**
 * Judges texts against a repository's rules in a process that stays: packs, settings and the automaton over all rules are made once, and
 * made anew when a settings file changed. A check looks at one file and starts no process; the repository is listed when a file is met
 * that was not there before. Contributors (dependencies, architecture, other scanners) need the whole repository and have no part in it.
 */
export class ResidentChecker implements DocumentChecker {
  readonly root: string
  generation = 0
  readonly #env: Context['env']
  #prepared: Promise<Prepared> | undefined
  /** Paths on disk that a fresh listing does not have: git ignores them. */
  readonly #unlisted = new Set<string>()
  /** Languages of texts that no listed file has. */
  readonly #languages = new Set<string>()

  readonly #lists: boolean

  /** `root` is absolute, symlinks resolved; without `lists` its files are not listed, and each is taken by its name alone. */
  constructor(root: string, env: Context['env'], lists = true) {
    this.root = root
    this.#env = env
    this.#lists = lists
  }

  close(): void {
    this.#known?.workplace.reader.close()
    this.#forget()
  }

  reload(): void {
    this.#forget()
  }

  async refresh(path: string, signal: AbortSignal): Promise<boolean> {
    const before = this.generation
    const prepared = await this.#prepare(path, signal)
    if (signSettings(this.root, [...prepared.config.folders.keys()], path) !== prepared.signature) {
      this.#forget()
      await this.#prepare(path, signal)
    }
    return this.generation !== before
  }

  async check(path: string, text: string, signal: AbortSignal): Promise<DocumentVerdict> {
    await this.refresh(path, signal)
    const prepared = await this.#prepareFor(path, signal)
    const found = findFile(prepared, path, this.#unlisted.has(path))
    if (!('size' in found)) return { findings: [], notices: [], not_evaluated: [], state: found }
    const size = Buffer.byteLength(text)
    const file: SourceFile = { ...found, size }
    const { limits } = prepared.workplace
    if (size > limits.max_file_bytes)
      return { ...EMPTY, state: { reason: 'too_large', detail: `more than ${limits.max_file_bytes} bytes` } }
    const contents = { [path]: text }
    const live = () => !signal.aborted
    const reports = await scanBatch({ files: [file], contents }, { ...prepared.workplace, live, pause: setImmediate })
    signal.throwIfAborted()
    return judgeReports(prepared, file, contents, reports, signal)
  }

  describe(rule_id: string): RuleCard | undefined {
    const all = this.#known?.active.packs.flatMap(({ rules }) => rules) ?? []
    const keys = listKeys(rule_id)
    const forms = all.filter(({ id }) => keys.includes(id))
    if (forms.length === 0) return undefined
    const { id, title, remediation, cwe, references } = combineForms(forms)
    const weakness = cwe[0]?.match(/\d+/)?.[0]
    const href = references[0] ?? (weakness && `https://cwe.mitre.org/data/definitions/${weakness}.html`)
    return { id, title, remediation: remediation.trimEnd(), cwe, ...(href && { href }) }
  }

  #known: Prepared | undefined

  #forget(): void {
    this.#prepared = undefined
    this.#unlisted.clear()
    this.generation++
  }

  /** As prepared, with the file among what is listed where it is new on disk, and its language among the languages. */
  async #prepareFor(path: string, signal: AbortSignal): Promise<Prepared> {
    let prepared = await this.#prepare(path, signal)
    const isKnown = prepared.files.has(path) || prepared.skipped.has(path) || this.#unlisted.has(path)
    if (this.#lists && !isKnown && existsSync(join(this.root, path))) {
      this.#forget()
      prepared = await this.#prepare(path, signal)
      if (!prepared.files.has(path) && !prepared.skipped.has(path)) this.#unlisted.add(path)
    }
    const language = detectLanguage(path)
    if (language !== null && !prepared.languages.has(language)) {
      this.#languages.add(language)
      this.#forget()
      prepared = await this.#prepare(path, signal)
    }
    return prepared
  }

  #prepare(path: string, signal: AbortSignal): Promise<Prepared> {
    if (!this.#prepared) {
      // Whoever asked first may go away; the others still wait for the same answer.
      const preparing = this.#read(path)
      this.#prepared = preparing
      preparing.catch(() => {
        if (this.#prepared === preparing) this.#prepared = undefined
      })
    }
    signal.throwIfAborted()
    return this.#prepared
  }

  async #read(path: string): Promise<Prepared> {
    const env = this.#env
    let config = await loadConfig(this.root, { env })
    const { signal } = new AbortController()
    const listing: Listing = this.#lists
      ? await discover(this.root, { exclude: config.scan_exclude, signal })
      : { root: this.root, kind: 'folder', files: [], skipped: [] }
    const nested = listDirectoryConfigs(listing.files.map(each => each.path))
    if (nested.length > 0) {
      config = await loadConfig(this.root, { env, files: nested })
      excludeNested(listing, config)
    }
    const signature = signSettings(this.root, [...config.folders.keys()], path)
    const [suppressions, baseline] = [await readSuppressions(this.root), readBaseline(this.root)]
    const active = await selectActiveRules(listing, config, this.root, this.#languages)
    registerGrammars()
    const prepared: Prepared = {
      config,
      listing,
      files: new Map(listing.files.map(file => [file.path, file])),
      skipped: new Map(listing.skipped.map(skip => [skip.path, skip.reason])),
      languages: new Set(active.languages),
      suppressions,
      baseline,
      active,
      signature,
      workplace: {
        rules: new RuleSet(addMuted(active.rules, active.languages), undefined, true),
        root: this.root,
        limits: readLimits(config),
        reader: new BlobReader(this.root),
      },
    }
    this.#known = prepared
    return prepared
  }
}

const EMPTY = { findings: [], notices: [], not_evaluated: [] }

/** The file as a scan would take it, or why it would not. A file that is not on disk yet is taken by its name alone. */
function findFile(
  { files, skipped, config, listing }: Prepared,
  path: string,
  isUnlisted: boolean,
): SourceFile | { reason: string; detail?: string } {
  if (path === BASELINE_PATH) return { reason: 'own_file' }
  const listed = files.get(path)
  if (listed) {
    // The text is the editor's: no encoding and no object of git says what it is.
    const { encoding: _encoding, blob: _blob, oid: _oid, ...file } = listed
    return file
  }
  const reason = skipped.get(path)
  // What is known of the content on disk says nothing of the text.
  if (reason !== undefined && !OF_CONTENT.has(reason)) return { reason }
  if (isUnlisted) return { reason: 'ignored', detail: 'by git' }
  const file: SourceFile = { path, size: 0, language: detectLanguage(path), in_test: isTestPath(path) }
  const alone: Listing = { ...listing, files: [file], skipped: [] }
  excludeNested(alone, config)
  return alone.files[0] ?? { reason: 'excluded' }
}

const OF_CONTENT: ReadonlySet<string> = new Set(['too_large', 'undecodable', 'binary', 'unreadable', 'vanished'])

async function judgeReports(
  { config, listing, suppressions, baseline, active }: Prepared,
  file: SourceFile,
  contents: Record<string, string>,
  reports: readonly FileReport[],
  signal: AbortSignal,
): Promise<DocumentVerdict> {
  const request = {
    listing: { ...listing, files: [file], skipped: [] },
    config,
    contents,
    scope: '1 open file',
    suppressions,
    ...(baseline && { baseline }),
    scanned: () => ({ reports, cache: { hits: 0, misses: 1 } }),
    now: () => new Date(),
  }
  const collected = { request, id: '', started: new Date(), ...active }
  const context = { emit: () => {}, signal }
  try {
    const detected = await detect(collected, context)
    const { findings, notices } = await judge(collected, detected, context)
    const state = detected.skipped[0] ?? detected.merge.partly[0]
    return {
      findings,
      notices,
      not_evaluated: detected.failures,
      ...(state && { state: { reason: state.reason, ...(state.detail !== undefined && { detail: state.detail }) } }),
    }
  } catch (error) {
    const skip = reports[0]?.skip
    if (!(error instanceof EngineError) || error.code !== 'NOTHING_TO_SCAN' || !skip) throw error
    return { ...EMPTY, state: { reason: skip.reason, ...(skip.detail !== undefined && { detail: skip.detail }) } }
  }
}
