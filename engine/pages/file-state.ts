import { createHash, type Hash } from 'node:crypto'
import { type BigIntStats, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Listing } from '../base/records/source-file.ts'

/**
 * Nanoseconds for which a file counts as just written: the clocks of file systems are coarse, and a second change within one tick, of the same
 * size, would not be seen. git calls such files racy.
 */
const JUST_WRITTEN = 2_000_000_000n
/** Entries of a directory beside the listing that are looked at. */
const MOST = 20_000
/** What changes there says nothing of what pages show of the code. */
const OWN_STATE = '.svc/local'

/**
 * The state of files on disk, to be made before they are listed or read: what is written from then on makes it unknown. It is told by path, inode, size and the times of the last change of content and of metadata, as git tells that a file is as it was.
 * A digest of it differs after every change, also one that keeps size and time of modification.
 */
export class FileState {
  readonly #hash: Hash = createHash('sha256')
  readonly #now = BigInt(Date.now()) * 1_000_000n
  #isSettled = true

  /** Adds what is no file: settings, a commit, a day. */
  add(value: unknown): this {
    this.#hash.update(`${JSON.stringify(value)}\n`)
    return this
  }

  /** Adds the files of a listing, what was left out of it, and `.svc` with what git ignores there. */
  addTree({ root, kind, files, skipped, git_sha, branch }: Listing): this {
    this.add([kind, git_sha, branch, skipped])
    for (const file of files) {
      const { path, raw, blob } = file
      this.add(file)
      if (blob === undefined)
        this.addFile(raw === undefined ? join(root, path) : Buffer.concat([Buffer.from(`${root}/`), raw]))
    }
    return this.addSettings(root)
  }

  /** Adds what lies in `.svc` of a repository, also what git ignores, but for what svc keeps there of this machine. */
  addSettings(root: string): this {
    return this.addDirectory(join(root, '.svc'), join(root, OWN_STATE))
  }

  /** Adds a file, a link or a directory; that there is none is a state too. */
  addFile(path: string | Buffer): this {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    this.#hash.update(`${path.toString('latin1')}\0${stats ? this.#describe(stats) : 'none'}\n`)
    return this
  }

  /** Adds all that is below a directory, but for one directory. One with more entries than can be looked at makes the state unknown. */
  addDirectory(path: string, except?: string): this {
    const open = [path]
    for (let seen = 0; open.length > 0; ) {
      const at = open.pop()!
      this.addFile(at)
      for (const entry of listEntries(at)) {
        const below = join(at, entry.name)
        if (below === except) continue
        if (++seen > MOST) this.#isSettled = false
        else if (entry.isDirectory()) open.push(below)
        else this.addFile(below)
      }
      if (!this.#isSettled) return this
    }
    return this
  }

  /** The digest; undefined where something was written just now, or could not be looked at. */
  digest(): string | undefined {
    return this.#isSettled ? this.#hash.digest('hex') : undefined
  }

  #describe({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): string {
    if (mtimeNs > this.#now - JUST_WRITTEN || ctimeNs > this.#now - JUST_WRITTEN) this.#isSettled = false
    return [dev, ino, mode, size, mtimeNs, ctimeNs].join(' ')
  }
}

function listEntries(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}
