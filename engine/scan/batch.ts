import { readSource } from '../base/disk/read.ts'
import { detectLanguageOfContent } from '../base/languages/languages.ts'
import type { PartlyScanned, Skip, SourceFile } from '../base/records/source-file.ts'
import { beginCounting, countPart, keepCounts } from '../base/spent.ts'
import { classify, type Shape } from '../base/text/classify.ts'
import { hasMixedEncodings } from '../base/text/decode.ts'
import { type ArchiveKind, detectArchiveKind, isArchive, MOST_ARCHIVE_BYTES } from '../detect/archive/kind.ts'
import { FileScan } from '../detect/file/file-scan.ts'
import type { RuleSet } from '../detect/file/rule-set.ts'
import type { Step } from '../detect/file/steps.ts'
import { runGuarded } from '../detect/file/watchdog.ts'
import type { FileInput, FileOutcome, Limits } from '../detect/rules/file-outcome.ts'
import type { BlobReader } from '../sources/repository/blobs.ts'
import { computeGitName } from '../sources/repository/git.ts'
import { locateNote } from './at-work.ts'
import { TreeCollector } from './collector.ts'
import type { Batch } from './runner.ts'

export interface BatchLimits extends Limits {
  max_file_bytes: number
}

/** Where a batch is scanned, and with what: the same for all batches but for `beat`. */
export interface Workplace {
  rules: RuleSet
  /** The repository on this machine. */
  root: string
  limits: BatchLimits
  /** The thread's own: starting git for each batch takes 10 ms. */
  reader: BlobReader
  /** Metrics of the files are counted. */
  measures?: boolean
  /** Where threads note the file that they are at with a native parser (see `AtWork`). Survives the process. */
  notes?: string | undefined
  /** Where the worker notes which file it is at: index, then seconds since the epoch. Survives the worker. */
  beat?: Int32Array
  /** Asked between files, and after each pause; false ends the batch early. */
  live?: () => boolean
  /** Lets what waits for this thread go first, before each step that no guard can break off: a newer text of the same file, of which `live` then tells. */
  pause?: () => Promise<void>
}

/** A file of a batch and what it came to; `skip` where nothing searched it, `partly` where only some detectors did. */
export interface FileReport {
  file: SourceFile
  language: string
  bytes: number
  outcome?: FileOutcome
  skip?: Skip
  partly?: Omit<PartlyScanned, 'path'>
  /** The bytes that were scanned are those that git knows by `file.oid`, so the result may be kept under that name. */
  verified: boolean
}

/** Of this thread: what one batch leaves behind, the next one frees. */
const trees = new TreeCollector()

interface Opened {
  report: FileReport
  scan?: FileScan
  archive?: { kind: ArchiveKind; bytes: Uint8Array }
  /** It is over the size limit, and searched piece by piece. */
  isLarge?: true
}

/** Detection over one batch, the same in a worker and in the main thread. */
export async function scanBatch(batch: Batch, workplace: Workplace): Promise<FileReport[]> {
  const { rules, limits, reader, notes, live = () => true } = workplace
  const beat = (index: number) => {
    if (!workplace.beat) return
    Atomics.store(workplace.beat, 0, index)
    Atomics.store(workplace.beat, 1, Math.floor(Date.now() / 1000))
  }
  beat(0)
  beginCounting()
  const blobs = await readBlobs(batch, limits, rules.searchesAnyContent, reader)
  const note = (index: number, step: Step) => {
    if (notes !== undefined && step.parses) locateNote(notes, batch.files[index]!.path)
  }
  const texts = new BatchTexts(batch.files, limits, live, file => open(workplace, batch, file, blobs))
  // All texts under one guard, since it costs; then what no guard can break off, file by file, so that trees are freed between.
  runGuarded(() => {
    const step = texts.next()
    beat(texts.at)
    if (step) note(texts.at, step)
    return step
  }, limits.rule_deadline_ms)

  const { opened } = texts
  for (let index = 0; index < opened.length; index++) {
    const { report, scan, archive, isLarge } = opened[index]!
    opened[index] = { report }
    if (!(scan || archive || isLarge) || !live()) continue
    beat(index)
    if (archive) {
      const { scanArchive } = await import('../detect/archive/scan.ts')
      Object.assign(report, await scanArchive(rules, report.file, archive, limits))
      continue
    }
    if (isLarge) {
      const { scanOversized } = await import('./oversized.ts')
      const beating = () => {
        beat(index)
        return live()
      }
      await scanOversized(report, { ...workplace, live: beating }, batch.verify === true)
      for (const state of [report.skip, report.partly]) if (state) Object.assign(state, said(report))
      continue
    }
    if (!scan) continue
    for (const step of scan) {
      if (workplace.pause) {
        await workplace.pause()
        if (!live()) break
      }
      note(index, step)
      step.run()
    }
    if (!live() && workplace.pause) continue
    const { outcome } = scan
    if (outcome.skip) report.skip = { path: report.file.path, ...outcome.skip, ...said(report) }
    else report.outcome = outcome
    if (outcome.parsed && workplace.pause) trees.answered(report.bytes)
    else if (outcome.parsed) await trees.parsed(report.bytes)
  }
  keepCounts()
  return opened.map(({ report }) => report)
}

/** The textual steps of a batch, file by file: each is opened, and then its texts are searched. Like those of a file (`FileScan`), any may be broken off. */
class BatchTexts {
  readonly opened: Opened[] = []
  readonly #files: readonly SourceFile[]
  readonly #limits: BatchLimits
  readonly #live: () => boolean
  readonly #open: (file: SourceFile) => Opened
  /** Of the file that was opened last, while it has steps. */
  #current: FileScan | undefined
  /** How often it was tried to open the file that comes next. */
  #attempts = 0

  constructor(
    files: readonly SourceFile[],
    limits: BatchLimits,
    live: () => boolean,
    openFile: (file: SourceFile) => Opened,
  ) {
    this.#files = files
    this.#limits = limits
    this.#live = live
    this.#open = openFile
  }

  /** The index of the file that the step given last is of. */
  get at(): number {
    return this.#current ? this.opened.length - 1 : Math.min(this.opened.length, this.#files.length - 1)
  }

  next(): Step | undefined {
    for (;;) {
      const step = this.#current?.next()
      if (step?.stage === 'text') return step
      this.#current = undefined
      const file = this.#files[this.opened.length]
      // A rule that was broken off in the last file leaves nothing to go on with.
      if (!file || !this.#live()) return undefined
      if (this.#attempts < 2) return this.#opening(file)
      this.#take({ report: unread(file) })
    }
  }

  /** What is in proportion to a file's size, and waits for the disk, has the time of a file when that of a rule was too short. */
  #opening(file: SourceFile): Step {
    const alone_ms = this.#attempts === 0 ? undefined : this.#limits.file_deadline_ms
    const run = () => {
      this.#attempts++
      this.#take(this.#open(file))
    }
    return { stage: 'text', alone_ms, run }
  }

  #take(opened: Opened): void {
    this.#attempts = 0
    this.#current = opened.scan
    this.opened.push(opened)
  }
}

function open(
  { rules, root, limits, measures }: Workplace,
  batch: Batch,
  file: SourceFile,
  blobs: Map<string, Uint8Array | Skip>,
): Opened {
  const sent = batch.contents?.[file.path]
  const kind = rules.searchesAnyContent ? detectArchiveKind(file.path) : undefined
  const content =
    sent !== undefined
      ? new TextEncoder().encode(sent)
      : (blobs.get(file.path) ?? countPart('read', () => readSource(root, file, mostBytes(kind, limits))))
  if (!(content instanceof Uint8Array)) {
    const report = { file, language: file.language ?? 'text', bytes: file.size, verified: false }
    const isLarge = content.reason === 'too_large' && kind === undefined && rules.searchesAnyContent
    return isLarge ? { report, isLarge } : { report: { ...report, skip: content } }
  }
  const language = file.language ?? detectLanguageOfContent(file.path, content) ?? 'text'
  const report: FileReport = {
    file,
    language,
    bytes: content.length,
    verified: batch.verify === true && file.oid !== undefined && file.oid === computeGitName(content, file.oid),
  }
  if (kind !== undefined && isArchive(kind, content)) return { report, archive: { kind, bytes: content } }
  const shape = classify(content, language)
  if (shape?.shape === 'binary') {
    const skip: Skip = { path: file.path, reason: 'binary', detail: shape.detail, ...said(report) }
    return { report: { ...report, skip } }
  }
  const partly = partlyScanned(file, content, shape, limits)
  if (partly) report.partly = { ...partly, ...said(report) }
  const input: FileInput = { path: file.path, language, in_test: file.in_test, bytes: content }
  if (file.encoding !== undefined) input.encoding = file.encoding
  if (file.class !== undefined) input.class = file.class
  if (measures) input.measured = true
  if (shape) input.reach = 'severe_text'
  else if (file.class !== undefined) input.reach = 'severe'
  return { report, scan: new FileScan(rules, input, limits) }
}

/** The language of a file that its name does not tell, for whoever sees only that it was not searched by everything. */
function said({ file, language }: FileReport): Pick<Skip, 'language'> {
  return file.language === null && language !== 'text' ? { language } : {}
}

/** What git LFS leaves in the place of a file (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md). */
const LFS_POINTER = Buffer.from('version https://git-lfs.github.com/spec/')
const LONGEST_POINTER = 1024

/** Why not every rule searches the file, whose bytes are text; undefined where every one does. */
function partlyScanned(
  file: SourceFile,
  content: Uint8Array,
  shape: Shape | undefined,
  { severe = ['critical', 'high'] }: BatchLimits,
): FileReport['partly'] {
  if (hasMixedEncodings(content))
    return { reason: 'mixed_encoding', detail: 'UTF-16 by its byte order mark, with single-byte text' }
  if (shape) return { reason: 'minified', detail: shape.detail }
  const isPointer = content.length <= LONGEST_POINTER && LFS_POINTER.equals(content.subarray(0, LFS_POINTER.length))
  if (isPointer) return { reason: 'lfs_pointer', detail: 'the content is in git LFS' }
  if (file.class === undefined) return undefined
  return { reason: file.class, detail: `searched for secrets and by rules of severity ${severe.join(', ')}` }
}

/** A file that the disk did not give in time. */
function unread(file: SourceFile): FileReport {
  const skip: Skip = { path: file.path, reason: 'timed_out', detail: 'timed out while reading it' }
  return { file, language: file.language ?? 'text', bytes: file.size, skip, verified: false }
}

/** An archive is small beside what is in it, which has limits of its own. */
function mostBytes(kind: ArchiveKind | undefined, { max_file_bytes }: BatchLimits): number {
  return kind === undefined ? max_file_bytes : Math.max(max_file_bytes, MOST_ARCHIVE_BYTES)
}

/** Contents that are in git only (bare clone, index), read in one go before the guarded part. The reader is its thread's: starting git for each batch takes 10 ms. */
async function readBlobs(
  { files }: Batch,
  limits: BatchLimits,
  opensArchives: boolean,
  reader: BlobReader,
): Promise<Map<string, Uint8Array | Skip>> {
  const wanted = files.filter(file => file.blob !== undefined)
  const found = new Map<string, Uint8Array | Skip>()
  if (wanted.length === 0) return found
  try {
    const contents = await Promise.all(
      wanted.map(async ({ path, blob }) => {
        const kind = opensArchives ? detectArchiveKind(path) : undefined
        return (await reader.read([blob!], mostBytes(kind, limits)))[0]!
      }),
    )
    contents.forEach((content, index) => {
      const { path } = wanted[index]!
      found.set(path, content instanceof Uint8Array ? content : { path, ...content })
    })
  } catch (error) {
    // git itself failed: no file of the batch is to blame, and none was read.
    for (const { path } of wanted) found.set(path, { path, reason: 'unreadable', detail: (error as Error).message })
  }
  return found
}
