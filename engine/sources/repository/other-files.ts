import { detectLanguage, isTestPath } from '../../base/languages/languages.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import { BlobReader } from './blobs.ts'
import type { Change } from './changes.ts'
import type { Excludes } from './exclude.ts'
import { runGit } from './git.ts'

/** The files of a repository as they stand with a change: listed and read only where something asks for them. */
export class OtherFiles {
  readonly #root: string
  readonly #change: Change
  readonly #excluded: Excludes
  readonly #env: Record<string, string>
  #reader: BlobReader | undefined

  /** `root` is the top of the work tree; `env` names the index that a change is staged in. */
  constructor(root: string, change: Change, excluded: Excludes, env: Record<string, string>) {
    this.#root = root
    this.#change = change
    this.#excluded = excluded
    this.#env = env
  }

  /**
   * The regular files with these extensions (`.py`), tests and excluded ones left out, in the order of their paths. Those that are git's objects have
   * git's name of their content; of those of the working tree it is not known. Rejects where git fails.
   */
  async list(extensions: readonly string[], signal: AbortSignal): Promise<SourceFile[]> {
    const { files: changed, edits } = this.#change
    // A hook waits for this: of each extension the language is found out once.
    const languages = new Map(extensions.map(extension => [extension, detectLanguage(`x${extension}`)]))
    const find = (path: string) => languages.get(path.slice(path.lastIndexOf('.')))
    const objects = new Map<string, string | undefined>()
    const isOnDisk = this.#isOnDisk
    for (const { path, oid } of await this.#listObjects(extensions, signal))
      objects.set(path, isOnDisk ? undefined : oid)
    for (const { path, after } of edits) if (!after) objects.delete(path)
    for (const { path, blob } of changed) objects.set(path, blob)
    const files: SourceFile[] = []
    for (const [path, oid] of objects) {
      const language = find(path)
      if (!language || isTestPath(path) || this.#excluded(path)) continue
      files.push({ path, size: 0, language, in_test: false, ...(oid !== undefined && { blob: oid, oid }) })
    }
    return files.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** The regular files whose paths end so, for few endings: asks less of git than a listing. Undefined where git only lists all. */
  async find(endings: readonly string[], signal: AbortSignal): Promise<string[] | undefined> {
    if (!this.#isIndex) return undefined
    const patterns = endings.map(ending => `*${ending}`)
    const output =
      patterns.length === 0
        ? ''
        : await runGit(this.#root, ['ls-files', '-z', '--', ...patterns], { env: this.#env, signal })
    const changed = this.#change.files.map(({ path }) => path)
    const isFound = (path: string) => endings.some(ending => path === ending || path.endsWith(`/${ending}`))
    return [...new Set([...output.toString('utf8').split('\0'), ...changed])].filter(isFound)
  }

  /** The contents of files that are git's objects, by their paths; what is larger than `maxBytes` or not there is left out. */
  async read(files: readonly SourceFile[], maxBytes: number): Promise<Map<string, Uint8Array>> {
    const objects = files.filter(({ blob }) => blob !== undefined)
    this.#reader ??= new BlobReader(this.#root)
    const contents = await this.#reader.read(
      objects.map(({ blob }) => blob!),
      maxBytes,
    )
    return new Map(
      objects.flatMap(({ path }, index) => {
        const content = contents[index]
        return content instanceof Uint8Array ? [[path, content] as const] : []
      }),
    )
  }

  close(): void {
    this.#reader?.close()
    this.#reader = undefined
  }

  /** Whether the content after the change is that of the working tree. */
  get #isOnDisk(): boolean {
    const { scope, files } = this.#change
    return scope !== 'staged' && this.#change.head === undefined && files.every(({ blob }) => blob === undefined)
  }

  /** Whether the index has the paths as they are after the change. */
  get #isIndex(): boolean {
    return this.#change.scope === 'staged' || this.#isOnDisk
  }

  async #listObjects(extensions: readonly string[], signal: AbortSignal): Promise<{ path: string; oid: string }[]> {
    const { head = 'HEAD' } = this.#change
    const args = this.#isIndex
      ? ['ls-files', '-s', '-z', '--', ...extensions.map(extension => `*${extension}`)]
      : ['ls-tree', '-r', '-z', head]
    const output = await runGit(this.#root, args, { env: this.#env, signal })
    return output.toString('utf8').split('\0').flatMap(parseEntry)
  }
}

/** A regular file of an index without a conflict (`mode oid stage`) or of a tree (`mode type oid`), a tab, and its path. */
function parseEntry(line: string): { path: string; oid: string }[] {
  const tab = line.indexOf('\t')
  const [mode = '', second = '', third = ''] = line.slice(0, tab).split(' ')
  const path = line.slice(tab + 1)
  const oid = second === 'blob' ? third : third === '0' ? second : ''
  // A name that is no UTF-8, or is written otherwise for people, is not one that code calls.
  return tab > 0 && mode.startsWith('100') && oid !== '' && !/[\\\u{FFFD}]/u.test(path) ? [{ path, oid }] : []
}
