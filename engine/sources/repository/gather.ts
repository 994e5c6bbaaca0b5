import { lstatSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { describeSpecialKind } from '../../base/disk/read.ts'
import { detectLanguage, isTestPath } from '../../base/languages/languages.ts'
import type { FileClass, KnownFile, Skip, SkipReason, SourceFile } from '../../base/records/source-file.ts'
import { type PathName, toSystemPath } from '../../base/text/path-name.ts'
import type { Marks } from './attributes.ts'
import type { Excludes } from './exclude.ts'
import type { KeptEntries } from './remembered.ts'

/** Entries looked at between two turns of the event loop; a few milliseconds of work. */
const TURN = 2048

type Content = Pick<SourceFile, 'encoding' | 'blob' | 'oid' | 'class'>

/** A symbolic link that is not on disk: where it leads is the content of git's object. */
export interface AbsentLink extends PathName {
  oid: string
}

/** What discovery has gathered so far, from one repository or folder and all that lies nested in it. */
export class Gathering {
  readonly files: SourceFile[] = []
  readonly skipped: Skip[] = []
  /** Symbolic links, judged when all files are known. */
  readonly links: PathName[] = []
  /** Symbolic links that are git's objects alone. */
  readonly absentLinks: AbsentLink[] = []
  /** Files that are listed all the same, though not among `files`. */
  kept: KeptEntries | undefined
  /** Absolute, symlinks resolved. */
  readonly root: string
  readonly excluded: Excludes
  readonly signal: AbortSignal | undefined
  /** A file whose content git knows by this name, where it was seen before; such a file is not looked at on the disk. */
  readonly known: (path: string, oid: string) => KnownFile | undefined
  #parents = new Map<string, boolean>()
  #looked = 0

  constructor(
    root: string,
    excluded: Excludes,
    signal: AbortSignal | undefined,
    known: Gathering['known'] = () => undefined,
  ) {
    this.known = known
    this.root = root
    this.excluded = excluded
    this.signal = signal
  }

  skip(path: string, reason: SkipReason, detail?: string): void {
    this.skipped.push(detail === undefined ? { path, reason } : { path, reason, detail })
  }

  /** Lets the event loop turn now and then, so that an abort is seen; call it once for each entry. */
  turn(): Promise<void> | undefined {
    if (++this.#looked % TURN !== 0) return undefined
    return setImmediate().then(() => this.signal?.throwIfAborted())
  }

  /** Whether the configuration excludes the file; then it is listed as skipped. */
  leavesOut(path: string): boolean {
    const isExcluded = this.excluded(path)
    if (isExcluded) this.skip(path, 'excluded')
    return isExcluded
  }

  /**
   * Takes one entry as it stands on disk now; `absent` is the reason to list where nothing stands there, `oid` git's name
   * of the content where git has just looked and found the file unchanged. With `looks`, the disk is asked for its size all the same.
   */
  addFromDisk(
    name: PathName,
    marks?: Marks,
    { absent = 'vanished', oid, looks }: { absent?: 'vanished' | 'sparse'; oid?: string; looks?: boolean } = {},
  ): void {
    if (this.leavesOut(name.path)) return
    const known = oid === undefined || looks ? undefined : this.known(name.path, oid)
    if (known !== undefined) {
      this.#list(name, known, { ...contentOf(marks), oid })
      return
    }
    if (!this.#hasRealParents(name)) {
      this.skip(name.path, 'symlink', 'a parent directory is a symbolic link')
      return
    }
    try {
      const stats = lstatSync(toSystemPath(this.root, name), { throwIfNoEntry: false })
      if (stats === undefined) this.skip(name.path, absent)
      else if (stats.isFile()) this.add(name, stats.size, { ...contentOf(marks), oid })
      else if (stats.isSymbolicLink()) this.links.push(name)
      else if (stats.isDirectory()) this.skip(name.path, 'vanished', 'a directory exists in its place')
      else this.skip(name.path, 'special', describeSpecialKind(stats))
    } catch (error) {
      this.skip(name.path, 'unreadable', getErrorCode(error))
    }
  }

  /**
   * Takes one entry that is not on disk as git's object. Its size is 0 until whoever reads the file asks git for it, except where it is known
   * from before; of a link, git has only the target, which is nothing to scan.
   */
  addFromObject(name: PathName, { oid, isLink }: { oid: string; isLink: boolean }, marks?: Marks): void {
    if (this.leavesOut(name.path)) return
    if (isLink) {
      this.absentLinks.push({ ...name, oid })
      return
    }
    const content = { ...contentOf(marks), oid, blob: oid }
    const known = this.known(name.path, oid)
    if (known === undefined) this.add(name, 0, content)
    else this.#list(name, known, content)
  }

  /** Lists a file for scanning. */
  add(name: PathName, size: number, content: Content = {}): void {
    this.#list(name, { size, language: detectLanguage(name.path), in_test: isTestPath(name.path) }, content)
  }

  #list({ path, raw }: PathName, { size, language, in_test }: KnownFile, content: Content): void {
    const { encoding, blob, oid } = content
    const file: SourceFile =
      oid === undefined ? { path, size, language, in_test } : { path, size, language, in_test, oid }
    if (raw !== undefined) file.raw = raw
    if (encoding !== undefined) file.encoding = encoding
    if (blob !== undefined) file.blob = blob
    if (content.class !== undefined) file.class = content.class
    this.files.push(file)
  }

  /**
   * Whether every folder above the entry is a folder. A folder of the index that was replaced by a link would lead the
   * reading out of the root, and the system follows it without a word.
   */
  #hasRealParents(name: PathName): boolean {
    const end = name.path.lastIndexOf('/')
    if (end === -1) return true
    const folder = name.path.slice(0, end)
    const known = this.#parents.get(folder)
    if (known !== undefined) return known
    const above: PathName = name.raw === undefined ? { path: folder } : parentName(folder, name.raw)
    const real = this.#hasRealParents(above) && !isLink(toSystemPath(this.root, above))
    this.#parents.set(folder, real)
    return real
  }
}

/** The class that attributes give a file: generated code is also somebody else's where both are set. */
export function classify(marks: Marks | undefined): { class?: FileClass } {
  if (marks?.generated) return { class: 'generated' }
  return marks?.vendored ? { class: 'vendored' } : {}
}

function contentOf(marks: Marks | undefined): Content {
  if (!marks) return {}
  return { ...(marks.encoding !== undefined && { encoding: marks.encoding }), ...classify(marks) }
}

/** The system's code of a failed call, for a person who knows `EACCES`. */
export function getErrorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error'
}

/** Sorts by path, in code unit order; costs nothing where the order holds already. */
export function sortByPath(entries: { path: string }[]): void {
  for (let at = 1; at < entries.length; at++) {
    if (entries[at - 1]!.path > entries[at]!.path) {
      entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
      return
    }
  }
}

function parentName(path: string, raw: Uint8Array): PathName {
  return { path, raw: raw.subarray(0, raw.lastIndexOf(0x2f)) }
}

function isLink(path: string | Buffer): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  } catch {
    // Not to be looked at: the entry's own lstat fails the same way and is listed with the reason.
    return false
  }
}
