import { readRegular, readSource } from '../../base/disk/read.ts'
import type { FileMetrics } from '../../base/records/file-metrics.ts'
import type { Finding } from '../../base/records/finding.ts'
import type { Listing, SkipReason, SourceFile } from '../../base/records/source-file.ts'
import { classify } from '../../base/text/classify.ts'
import { decode } from '../../base/text/decode.ts'
import { compileOwners } from '../../gate/change/agreement.ts'
import { OWNERS_PATHS } from '../../gate/change/settings-at.ts'
import type { Declared, Known, PolicyFacts, ReadText } from './facts.ts'
import { readGitFacts, readHistory } from './git-facts.ts'
import { findManifestFormat } from './manifests/manifest.ts'

/** Larger manifests are not read. */
const MOST_MANIFEST_BYTES = 4 << 20

/** Skipped entries that are no files of the repository. */
const NO_FILES = new Set<SkipReason>([
  'nested_repository',
  'submodule_absent',
  'submodule_changed',
  'version_control',
  'special',
  'vanished',
])

/** What a scan came to, or a stored run: what policies over findings and metrics are about. */
export interface Outcome {
  findings: readonly Finding[]
  metricsOf: (path: string) => FileMetrics | undefined
}

export interface Gathering {
  listing: Listing
  max_file_bytes: number
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** Asked once at most, when the first policy needs it. */
  outcome: () => Promise<Known<Outcome>>
}

/** The facts of a listing; each is found out once, when it is first asked for. */
export function gatherFacts({ listing, max_file_bytes, env, signal, outcome }: Gathering): PolicyFacts {
  const { root, files, skipped, branch, kind } = listing
  const now = /^\d+$/.test(env.SOURCE_DATE_EPOCH ?? '') ? Number(env.SOURCE_DATE_EPOCH) * 1000 : Date.now()
  const question = { root, branch, now, signal }
  const readText = (file: SourceFile): ReadText => {
    if (file.blob !== undefined) return { reason: 'it is not in a working tree' }
    const bytes = readSource(root, file, max_file_bytes)
    if (!(bytes instanceof Uint8Array)) return { reason: bytes.reason.replaceAll('_', ' ') }
    // A NUL alone makes no file binary: one in a source file would hide it from every policy.
    if (classify(bytes, file.language)?.shape === 'binary') return { reason: 'binary' }
    const decoded = decode(bytes, file.encoding)
    return 'text' in decoded ? decoded : { reason: 'undecodable' }
  }
  const noGit = { missing: 'the directory is no git repository' }
  const known = once(outcome)
  return {
    files,
    others: skipped.filter(({ reason }) => !NO_FILES.has(reason)).map(({ path }) => path),
    readText,
    owners: once(async () => readOwners(root)),
    declared: once(async () => readManifests(files, file => readText(file))),
    metrics: async () => mapKnown(await known(), ({ metricsOf }) => metricsOf),
    findings: async () => mapKnown(await known(), ({ findings }) => findings),
    git: once(async () => (kind === 'folder' ? noGit : readGitFacts(question))),
    history: once(async () => (kind === 'folder' ? noGit : readHistory(question))),
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= work()
    return made
  }
}

function mapKnown<T, R>(known: Known<T>, map: (value: T) => R): Known<R> {
  return 'missing' in known ? known : { value: map(known.value) }
}

function readOwners(root: string): Known<(path: string) => readonly string[]> {
  for (const path of OWNERS_PATHS) {
    const bytes = readRegular(`${root}/${path}`, 1 << 20)
    if (bytes instanceof Uint8Array) return { value: compileOwners(Buffer.from(bytes).toString('utf8')) }
  }
  // Without the file nobody owns anything, which is no lack of data.
  return { value: () => [] }
}

function readManifests(files: readonly SourceFile[], read: (file: SourceFile) => ReadText): Declared {
  const declared = {
    dependencies: [] as Declared['dependencies'][number][],
    manifests: [] as string[],
    unread: [] as Declared['unread'][number][],
  }
  for (const file of files) {
    const format = findManifestFormat(file.path)
    if (!format) continue
    const text = file.size > MOST_MANIFEST_BYTES ? { reason: 'too large' } : read(file)
    try {
      if ('reason' in text) throw new Error(text.reason)
      const found = format.read(text.text)
      declared.manifests.push(file.path)
      for (const each of found)
        declared.dependencies.push({ ...each, ecosystem: format.ecosystem, manifest: file.path })
    } catch (error) {
      declared.unread.push({ manifest: file.path, reason: `the manifest cannot be read: ${(error as Error).message}` })
    }
  }
  return declared
}
