import { createHash } from 'node:crypto'
import { join, posix } from 'node:path'
import { readRegular } from '../../base/disk/read.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import type { SearchRequest } from './follow.ts'
import { IncludedFunctions, type Links, mayInclude, readLinks } from './includes.ts'
import { readText } from './opened.ts'
import { Targets } from './targets.ts'

/** The largest composer.json that is read, and the files that are taken from one. */
const MOST_MANIFEST = 1 << 20
const MOST_AUTOLOADED = 100

/** Finds the files that calls lead to, those of included files among them: what files include is read where it is asked for, or known from the scan before. */
export class LinkedFiles {
  readonly targets: Targets
  readonly #request: Omit<SearchRequest, 'signal' | 'rules' | 'files'>
  readonly #files: ReadonlyMap<string, SourceFile>
  readonly #included: IncludedFunctions
  readonly #links = new Map<string, Links>()
  readonly #autoloaded = new Map<string, readonly string[]>()
  readonly #digests = new Map<string, string>()

  constructor(request: Omit<SearchRequest, 'signal' | 'rules' | 'files'>, files: ReadonlyMap<string, SourceFile>) {
    this.#request = request
    this.#files = files
    this.#included = new IncludedFunctions(
      path => this.#findLinks(path),
      (from, include) => this.targets.findIncluded(from, include),
      path => this.#listAutoloaded(path),
    )
    this.targets = new Targets(files.keys(), path => this.#included.of(path))
  }

  /** The files that a file includes itself. */
  listIncluded(path: string): string[] {
    return this.#included.list(path)
  }

  /** The digest of the functions that a file may call by their names alone; undefined in a language that has no such. */
  digestPlain({ path, language }: SourceFile): string | undefined {
    if (!mayInclude(language)) return undefined
    let digest = this.#digests.get(path)
    if (digest === undefined) {
      const functions = [...this.#included.of(path)].sort(([a], [b]) => (a < b ? -1 : 1))
      digest = createHash('sha256').update(JSON.stringify(functions)).digest('hex')
      this.#digests.set(path, digest)
    }
    return digest
  }

  #findLinks(path: string): Links | undefined {
    const file = this.#files.get(path)
    if (!file || !mayInclude(file.language)) return undefined
    const known = this.#links.get(path)
    if (known) return known
    const { memory, root, limits, contents } = this.#request
    let links = memory?.findLinks(file)
    if (!links) {
      const read = readText(root, file, limits, contents)
      if (!read) return undefined
      links = readLinks(file.language!, read.text)
      if (read.verified) memory?.keepLinks(file, links)
    }
    this.#links.set(path, links)
    return links
  }

  /** Files that Composer loads whenever it is used (`autoload.files`), by the nearest composer.json. */
  #listAutoloaded(path: string): readonly string[] {
    const file = this.#files.get(path)
    // Of what is not on disk the manifest that stands there tells nothing.
    if (file?.language !== 'php' || file.blob !== undefined) return []
    for (let dir = posix.dirname(path); ; dir = posix.dirname(dir)) {
      const files = this.#readManifest(dir)
      if (files.length > 0 || dir === '.') return files
    }
  }

  #readManifest(dir: string): readonly string[] {
    const known = this.#autoloaded.get(dir)
    if (known) return known
    const bytes = readRegular(join(this.#request.root, dir, 'composer.json'), MOST_MANIFEST)
    const files = bytes instanceof Uint8Array ? listAutoloadedFiles(Buffer.from(bytes).toString('utf8')) : []
    const found = files.map(each => posix.join(dir, each)).filter(each => this.#files.has(each))
    this.#autoloaded.set(dir, found)
    return found
  }
}

/** The paths below `autoload.files` of a manifest; none of one that is not as Composer wants it. */
function listAutoloadedFiles(text: string): string[] {
  let manifest: { autoload?: { files?: unknown } } | null
  try {
    manifest = JSON.parse(text) as typeof manifest
  } catch {
    return []
  }
  const files = manifest?.autoload?.files
  if (!Array.isArray(files)) return []
  return files.filter(each => typeof each === 'string').slice(0, MOST_AUTOLOADED)
}
