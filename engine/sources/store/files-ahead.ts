import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder, removeTemporary } from '../../base/disk/temporary.ts'
import { openWriter, type Writer } from './duckdb.ts'
import { type FilesOnBase, writeOnBase } from './files-on-base.ts'

/**
 * The table of a run's files, written on the database's own thread while the rest of the run is still made: after a small change it takes
 * longer than all else that is stored. It stands in a temporary folder until the run has one.
 */
export class FilesAhead {
  readonly files: FilesOnBase
  /** The database that writes the table, for the other tables of the run. It is closed by `remove`. */
  readonly writer: Promise<Writer>
  readonly #folder: string
  readonly #written: Promise<unknown>

  /** Begins to write at once. What fails is told by `copyTo`. */
  constructor(files: FilesOnBase) {
    this.files = files
    this.#folder = makeTemporaryFolder('svc-files-')
    this.writer = openWriter()
    this.#written = this.writer.then(({ connection }) => writeOnBase(connection, files, this.#folder, this.#path))
    this.#written.catch(() => {})
  }

  /** Copies the table to its place in a run once it is written; answers whether there was one to copy. Throws what that place refuses with. */
  async copyTo(path: string): Promise<boolean> {
    const isWritten = await this.#written.then(
      () => true,
      () => false,
    )
    // What clears the place of temporary files may have taken it while the run waited.
    if (!isWritten || !existsSync(this.#path)) return false
    copyFileSync(this.#path, path)
    return true
  }

  /** Ends the writing and removes the table where it stands, whatever became of the run. */
  async remove(): Promise<void> {
    await this.#written.catch(() => {})
    await this.writer.then(
      ({ close }) => close(),
      () => {},
    )
    removeTemporary(this.#folder)
  }

  get #path(): string {
    return join(this.#folder, 'files.parquet')
  }
}
