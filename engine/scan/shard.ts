import { createHash } from 'node:crypto'
import { getEngineDigest } from '../base/disk/assets.ts'
import { EngineError } from '../base/errors.ts'
import type { FileMetrics } from '../base/records/file-metrics.ts'
import { countBySeverity, type Finding, type SeverityCounts } from '../base/records/finding.ts'
import type { Run } from '../base/records/run.ts'
import type { Listing, SourceFile } from '../base/records/source-file.ts'
import { VERSION } from '../base/version.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import { computeConfigDigest } from '../sources/config/digest.ts'
import type { Settings } from '../sources/config/schema.ts'
import { makeRunId } from '../sources/store/run-id.ts'
import { selectActiveRules } from './active-rules.ts'
import { assignShard, type Shard } from './assign-shard.ts'
import type { FileReport } from './batch.ts'
import type { KnownResults } from './cache.ts'
import { Merge } from './merge.ts'
import type { ScanContext, ScanRequest } from './request.ts'
import { searchFiles } from './search-files.ts'
import { removeBaseline } from './stages/collect.ts'
import { refuseEmptyScan } from './tally.ts'

const MOST_SHARDS = 1000

/** Reads `i/n`. INPUT_INVALID for anything else. */
export function parseShard(text: string): Shard {
  const [, index, count] = (/^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? []).map(Number)
  if (!index || !count || index > count || count > MOST_SHARDS) {
    throw new EngineError(
      'INPUT_INVALID',
      `--shard must be i/n with i from 1 to n and n at most ${MOST_SHARDS}, but is ${JSON.stringify(text)}.`,
      {
        hint: 'The second of four jobs scans --shard 2/4.',
      },
    )
  }
  return { index, count }
}

/** What must be the same for shards to be parts of one scan. */
export interface Identity {
  tool_version: string
  /** Digest of the built program. */
  engine: string
  git_sha?: string
  scope: string
  /** Digest of the configuration, without what decides only how fast a scan is and what is kept of it. */
  config: string
  /** Digest of the active rules. */
  rules: string
}

/** The identity of a scan with these rules. */
export function computeIdentity(
  { listing, config, scope }: Pick<ScanRequest, 'listing' | 'config' | 'scope'>,
  rules: readonly CompiledRule[],
): Identity {
  const folders = new Map([...config.folders].map(([folder, settings]) => [folder, deciding(settings)]))
  return {
    tool_version: VERSION,
    engine: getEngineDigest(),
    ...(listing.git_sha === undefined ? {} : { git_sha: listing.git_sha }),
    scope,
    config: computeConfigDigest({ ...deciding(config), folders }),
    rules: createHash('sha256').update(JSON.stringify(rules)).digest('hex'),
  }
}

function deciding(settings: Settings): Partial<Settings> {
  const { history: _, scan, ...others } = settings
  const { jobs: __, ...limits } = scan
  return { ...others, scan: limits }
}

/** What a shard's files came to, before anything is judged. */
export interface ScannedShard {
  id: string
  started_at: string
  finished_at: string
  shard: Shard
  identity: Identity
  rules: readonly CompiledRule[]
  /** One for each file of the shard. */
  reports: readonly FileReport[]
  /** Files in all shards. */
  listed: number
  cache: Run['cache']
  /** Of all findings, those that will be held back included. */
  by_severity: SeverityCounts
}

/** Keeps what files came to as it is. */
class Collecting extends Merge {
  readonly reports: FileReport[] = []

  override add(reports: readonly FileReport[]): Finding[] {
    for (const report of reports) this.reports.push(report)
    return super.add(reports)
  }

  override addPlain(file: SourceFile, language: string, pass: FileMetrics): void {
    const outcome = { pass, matches: [], failures: [], ignores: [], parsed: false }
    this.reports.push({ file, language, bytes: file.size, outcome, verified: true })
    super.addPlain(file, language, pass)
  }
}

/**
 * Scans the shard's part of the listed files. Packs are chosen by the whole listing, so that every shard has the rules that
 * one scan would have. Nothing is judged: that needs all shards. NOTHING_TO_SCAN where no file is listed at all; a shard
 * alone may have none.
 */
export async function scanShard(asked: ScanRequest, shard: Shard, context: ScanContext): Promise<ScannedShard> {
  const listing = removeBaseline(asked.listing)
  const started = asked.now()
  const id = makeRunId(started)
  if (listing.files.length === 0) throw refuseEmptyScan(listing.skipped)
  const { languages, selection, rules, applies } = await selectActiveRules(listing, asked.config)
  const own = await measureObjects(
    listing.root,
    listing.files.filter(({ path }) => assignShard(path, shard.count) === shard.index),
    context.signal,
  )
  context.emit({ type: 'started', run_id: id, files: own.length })
  const merge = new Collecting(rules, selection.controls, applies)
  const part = {
    ...asked,
    listing: { ...listing, files: own },
    scope: 'shard',
    cache: stillListed(asked.cache, listing),
  }
  const { counts: cache } = await searchFiles(part, rules, languages, merge, context)
  const reported = new Set(merge.reports.map(({ file }) => file.path))
  const givenUp = new Map(merge.skipped.map(skip => [skip.path, skip]))
  for (const file of own) {
    const skip = givenUp.get(file.path)
    if (skip && !reported.has(file.path))
      merge.reports.push({ file, language: file.language ?? 'text', bytes: file.size, skip, verified: false })
  }
  return {
    id,
    started_at: started.toISOString(),
    finished_at: asked.now().toISOString(),
    shard,
    identity: computeIdentity(asked, rules),
    rules,
    reports: merge.reports,
    listed: listing.files.length,
    cache,
    by_severity: countBySeverity(merge.findings),
  }
}

/** The files with the sizes of those that git has as objects alone. REPO_UNREADABLE where an object is not there: nothing of it would be found. */
async function measureObjects(root: string, files: SourceFile[], signal: AbortSignal): Promise<SourceFile[]> {
  const blobs = files.flatMap(({ blob }) => blob ?? [])
  if (blobs.length === 0) return files
  const { readObjectSizes } = await import('../sources/repository/object-sizes.ts')
  const sizes = await readObjectSizes(root, blobs, signal)
  return files.map(file => (file.blob === undefined ? file : { ...file, size: sizes.get(file.blob)! }))
}

/** A shard's cache keeps what it has of other shards' files, but not of files that have gone. */
function stillListed(cache: KnownResults | undefined, { files }: Listing): KnownResults | undefined {
  if (!cache) return undefined
  const listed = new Set(files.map(({ path }) => path))
  return { ...cache, keeps: path => listed.has(path) }
}
