import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { readOwn } from '../base/disk/own-folder.ts'
import { CACHE_FOLDER, makeCacheFolder } from './cache-folder.ts'

/** Notes begin so: `at-work-<process>-<scan>-<thread>`, each the path of the file that the thread is at, as JSON, in the first line. */
const PREFIX = 'at-work-'
/** Paths that are remembered at most; a scan that ends early leaves one a thread. */
const MOST_SUSPECTS = 64
const MOST_NOTE_BYTES = 1 << 20

/** Scans of this process that are under way, by the beginning of their notes' names. */
const underWay = new Set<string>()

/** The note that this thread has open. */
let open: { notes: string; descriptor: number | undefined } | undefined

/**
 * Notes, where threads keep theirs (`notes` of a batch), that this one is about to look into a file with code that cannot be trusted to come
 * back: a crash in a native parser ends the whole process, and this is then all that is left of it. It costs one write of some bytes;
 * a disk that refuses it leaves no note, and is no reason not to scan.
 */
export function locateNote(notes: string, path: string): void {
  if (open?.notes !== notes) open = begin(notes)
  if (open.descriptor === undefined) return
  try {
    writeSync(open.descriptor, Buffer.from(`${JSON.stringify(path)}\n`), 0, undefined, 0)
  } catch {
    // said above
  }
}

function begin(notes: string): NonNullable<typeof open> {
  if (open?.descriptor !== undefined) closeSync(open.descriptor)
  try {
    return { notes, descriptor: openSync(`${notes}-${threadId}`, 'w') }
  } catch {
    return { notes, descriptor: undefined }
  }
}

/** What scans before left in a folder by ending in the middle, and the notes of the scan that begins. */
export class AtWork {
  readonly #folder: string
  readonly #left: string[]
  /** Files that threads were at when a process ended: perhaps the cause, perhaps not; it may have been killed. */
  readonly suspects: ReadonlySet<string>
  /** To be handed to every batch; undefined where nothing may be written. */
  readonly notes: string | undefined

  private constructor(folder: string, left: string[], suspects: ReadonlySet<string>, notes: string | undefined) {
    this.#folder = folder
    this.#left = left
    this.suspects = suspects
    this.notes = notes
  }

  /** Begins a scan of the repository at `root`; with `isDry` nothing is written. */
  static begin(root: string, isDry: boolean): AtWork {
    const folder = join(root, CACHE_FOLDER)
    const left = notesIn(folder).filter(name => !isUnderWay(name))
    const suspects = new Set(left.flatMap(name => pathsIn(join(folder, name))).slice(0, MOST_SUSPECTS))
    if (isDry) return new AtWork(folder, left, suspects, undefined)
    const name = `${PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`
    try {
      makeCacheFolder(root)
    } catch {
      return new AtWork(folder, left, suspects, undefined)
    }
    underWay.add(name)
    return new AtWork(folder, left, suspects, join(folder, name))
  }

  /**
   * The scan has come to its end: its notes go, and so do those of before. `still` are the suspects to be remembered: those that have proved to be
   * the cause, and those that this scan did not come upon.
   */
  end(still: readonly string[]): void {
    if (this.notes === undefined) return
    const name = basename(this.notes)
    underWay.delete(name)
    // A thread's own descriptor ends with it. One that is open here would have a network file system keep the file under another name.
    if (open?.notes === this.notes) {
      if (open.descriptor !== undefined) closeSync(open.descriptor)
      open = undefined
    }
    try {
      const own = notesIn(this.#folder).filter(each => each.startsWith(`${name}-`))
      for (const each of [...own, ...this.#left]) rmSync(join(this.#folder, each), { force: true })
      if (still.length > 0) writeFileSync(`${this.notes}-left`, still.map(path => `${JSON.stringify(path)}\n`).join(''))
    } catch {
      // A note too many costs a file a process of its own.
    }
  }
}

function notesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => name.startsWith(PREFIX))
  } catch {
    return []
  }
}

/** The paths of a note; a thread overwrites the first line, so that what is behind it may be the end of an older one. */
function pathsIn(file: string): string[] {
  try {
    const lines = String(readOwn(file, MOST_NOTE_BYTES) ?? '').split('\n')
    return (file.endsWith('-left') ? lines : lines.slice(0, 1)).flatMap(line => {
      if (line === '') return []
      const path: unknown = JSON.parse(line)
      return typeof path === 'string' ? [path] : []
    })
  } catch {
    return []
  }
}

/** Whether the scan that a note is of may still run: it is another process that lives, or a scan of this one. */
function isUnderWay(name: string): boolean {
  const [, pid = '', scan = '', thread] = /^at-work-(\d+)-([0-9a-f]+)-(\w+)$/.exec(name) ?? []
  if (thread === undefined || thread === 'left') return false
  if (Number(pid) === process.pid) return underWay.has(`${PREFIX}${pid}-${scan}`)
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
