import { randomBytes } from 'node:crypto'
import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { readRegular } from '../base/disk/read.ts'
import { EngineError } from '../base/errors.ts'
import { classify } from '../base/text/classify.ts'
import { isWideText } from '../base/text/decode.ts'
import { type Resolved, resolveInProject } from './project-path.ts'

/** A larger file is not rewritten. */
const MOST_BYTES = 64 << 20

/** A new content that waits beside its file under a temporary name. */
export interface Prepared {
  /** Puts it in place in one step; CONFLICT, and nothing has changed, where the file is no longer the one that was read. */
  commit(): void
  /** Takes the temporary file away again; nothing happens after a commit. */
  discard(): void
}

/**
 * A regular text file of the project, open for replacement. Its folder is held open, so that whoever swaps a folder on the
 * way for a symbolic link meanwhile does not lead the writing elsewhere (where the system lets a folder be reached by its
 * descriptor; elsewhere its path is checked again before the write). Close it.
 */
export class ProjectFile {
  /** As it was read. */
  readonly bytes: Uint8Array
  readonly #path: string
  readonly #folder: Folder
  readonly #name: Buffer
  readonly #stats: BigIntStats

  /**
   * Opens a file by its path from `root`, as {@link resolveInProject} judges it. INPUT_INVALID for a folder, a pipe, a
   * device, binary data, a file above 64 MiB.
   */
  constructor(root: string, path: string, options: { links: boolean }) {
    const resolved = resolveInProject(root, path, options)
    this.#path = path
    this.#name = Buffer.from(resolved.name)
    this.#folder = new Folder(path, resolved)
    try {
      const place = this.#folder.at(this.#name)
      this.#stats = statsOf(path, place)
      this.bytes = readText(path, place)
    } catch (error) {
      this.#folder.close()
      throw error
    }
  }

  /** Writes a new content beside the file: mode kept, owner kept where the system allows. DISK where it refuses the write. */
  prepare(bytes: Uint8Array): Prepared {
    const path = this.#path
    const temporary = this.#folder.at(
      Buffer.concat([
        Buffer.from('.'),
        this.#name.subarray(0, 200),
        Buffer.from(`.${randomBytes(6).toString('hex')}.tmp`),
      ]),
    )
    let waiting = true
    const discard = () => {
      if (waiting) rmSync(temporary, { force: true })
      waiting = false
    }
    try {
      writeNew(temporary, bytes, this.#stats)
    } catch (error) {
      discard()
      throw diskError(path, error)
    }
    return {
      discard,
      commit: () => {
        try {
          this.#folder.check()
          const place = this.#folder.at(this.#name)
          if (!isSame(lstatSync(place, { bigint: true, throwIfNoEntry: false }), this.#stats)) {
            throw new EngineError('CONFLICT', `${JSON.stringify(path)} was modified by another process meanwhile.`, {
              hint: 'Check the file and try again.',
            })
          }
          renameSync(temporary, place)
          waiting = false
        } catch (error) {
          discard()
          throw diskError(path, error)
        }
      },
    }
  }

  /** Writes a new content in one step: readers see the old one or the new. */
  replace(bytes: Uint8Array): void {
    this.prepare(bytes).commit()
  }

  close(): void {
    this.#folder.close()
  }
}

/** Whether this system reaches an open folder by its descriptor. */
const BY_DESCRIPTOR = existsSync('/proc/self/fd')

/** An open folder; where the system allows, it is reached by its descriptor, and its path no longer matters. */
class Folder {
  readonly #path: string
  readonly #place: Buffer
  readonly #descriptor: number

  constructor(path: string, { folder }: Resolved) {
    this.#path = path
    this.#place = Buffer.from(folder)
    this.#descriptor = openFolder(path, this.#place)
    try {
      this.#compare(BY_DESCRIPTOR ? this.#way() : this.#place)
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** The path of an entry. */
  at(name: Buffer): Buffer {
    return Buffer.concat([BY_DESCRIPTOR ? this.#way() : this.#place, Buffer.from('/'), name])
  }

  /** To be called before a write: PATH_ESCAPES where paths lead elsewhere than they did. */
  check(): void {
    if (!BY_DESCRIPTOR) this.#compare(this.#place)
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #compare(way: Buffer): void {
    if (realpathOrNothing(way)?.equals(this.#place)) return
    throw new EngineError(
      'PATH_ESCAPES',
      `${JSON.stringify(this.#path)} was replaced by a link to another location meanwhile.`,
    )
  }

  #way(): Buffer {
    return Buffer.from(`/proc/self/fd/${this.#descriptor}`)
  }
}

function openFolder(path: string, place: Buffer): number {
  try {
    return openSync(place, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new EngineError('CONFLICT', `The directory of ${JSON.stringify(path)} cannot be opened: ${code}.`, {
      cause: error,
    })
  }
}

function realpathOrNothing(place: Buffer): Buffer | undefined {
  try {
    return realpathSync.native(place, 'buffer')
  } catch {
    return undefined
  }
}

function statsOf(path: string, place: Buffer): BigIntStats {
  const stats = lstatSync(place, { bigint: true, throwIfNoEntry: false })
  if (!stats) throw new EngineError('NOT_FOUND', `There is no file ${JSON.stringify(path)} in the project.`)
  return stats
}

function readText(path: string, place: Buffer): Uint8Array {
  const content = readRegular(place, MOST_BYTES)
  const say = (what: string) => new EngineError('INPUT_INVALID', `${JSON.stringify(path)} ${what}.`)
  if (!(content instanceof Uint8Array)) {
    const { reason, detail } = content
    if (reason === 'vanished') throw say(detail === undefined ? 'has vanished' : 'is a directory')
    throw say(`cannot be changed: ${detail ?? reason.replaceAll('_', ' ')}`)
  }
  // A text with a NUL in it is for scanning, and not for changing.
  if (classify(content, null) || (content.subarray(0, 8192).includes(0) && !isWideText(content))) throw say('is binary')
  return content
}

function writeNew(place: Buffer, bytes: Uint8Array, { mode, uid, gid }: BigIntStats): void {
  const file = openSync(place, 'wx', 0o600)
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
    try {
      fchownSync(file, Number(uid), Number(gid))
    } catch {
      // Only the superuser may give files away; anybody else's new file is simply theirs.
    }
    fchmodSync(file, Number(mode) & 0o7777)
  } finally {
    closeSync(file)
  }
}

function isSame(now: BigIntStats | undefined, then: BigIntStats): boolean {
  return (
    now !== undefined &&
    now.ino === then.ino &&
    now.dev === then.dev &&
    now.size === then.size &&
    now.mtimeNs === then.mtimeNs &&
    now.ctimeNs === then.ctimeNs
  )
}

function diskError(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof EngineError || code === undefined) return error
  return new EngineError('DISK', `${JSON.stringify(path)} cannot be written: ${code}.`, { cause: error })
}
