import { EngineError } from '../base/errors.ts'
import type { Run } from '../base/records/run.ts'
import type { Listing, SourceFile } from '../base/records/source-file.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import { assignShard } from './assign-shard.ts'
import type { FileReport } from './batch.ts'
import type { Identity } from './shard.ts'
import type { ShardEntry, StoredShard } from './shard-folder.ts'

const WORDS: Record<keyof Identity, string> = {
  tool_version: 'another version of svc',
  engine: 'another build of svc',
  git_sha: 'another commit',
  scope: 'another part of the repository',
  config: 'another configuration',
  rules: 'other rules',
}

const AGAIN = 'Scan every shard again, of one commit and with one configuration.'

/** CONFLICT where the shards are not the parts of one scan, each there once. */
export function checkComplete(shards: readonly StoredShard[]): void {
  const [first] = shards
  if (!first) throw new EngineError('INPUT_INVALID', 'No shard is named.')
  const { count } = first.shard
  const byIndex = new Map<number, StoredShard>()
  for (const each of shards) {
    if (each.shard.count !== count) {
      throw new EngineError(
        'CONFLICT',
        `${each.folder} is one of ${each.shard.count} shards, but ${first.folder} is one of ${count}.`,
        { hint: 'Name the shards of one scan only.' },
      )
    }
    const twin = byIndex.get(each.shard.index)
    if (twin) {
      throw new EngineError(
        'CONFLICT',
        `Shard ${each.shard.index} of ${count} is present twice: ${twin.folder} and ${each.folder}.`,
        { hint: 'Name each shard once.' },
      )
    }
    byIndex.set(each.shard.index, each)
    const other = differing(first.identity, each.identity)
    if (other) {
      const values = `${short(each.identity[other])}, not ${short(first.identity[other])}`
      throw new EngineError('CONFLICT', `${each.folder} is of ${WORDS[other]} than ${first.folder}: ${values}.`, {
        hint: AGAIN,
      })
    }
  }
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter(index => !byIndex.has(index))
  if (missing.length > 0) {
    const which =
      missing.length === 1 ? `Shard ${missing[0]} of ${count} is` : `Shards ${missing.join(', ')} of ${count} are`
    throw new EngineError('CONFLICT', `${which} missing.`, {
      hint: `Scan ${missing.length === 1 ? 'it' : 'them'} with \`svc scan --shard ${missing[0]}/${count}\`, then merge all ${count}.`,
    })
  }
}

/**
 * What the files of the listing came to, from shards that are complete. CONFLICT where the shards are not of this checkout,
 * with the first file that tells.
 */
export function mergeReports(
  shards: readonly StoredShard[],
  listing: Listing,
  identity: Identity,
  rules: readonly CompiledRule[],
): { reports: FileReport[]; cache: Run['cache'] } {
  const [{ identity: theirs, shard, folder }] = shards as [StoredShard]
  const other = differing(identity, theirs)
  if (other) {
    const values = `${short(theirs[other])} there, ${short(identity[other])} here`
    throw new EngineError('CONFLICT', `The shards are of ${WORDS[other]} than this checkout: ${values}.`, {
      hint: 'Merge in a checkout of the commit that was scanned, with the configuration that it was scanned with.',
    })
  }
  const indexes = new Map(rules.map(({ id }, index) => [id, index]))
  const known = new Map<string, { entry: ShardEntry; from: StoredShard }>()
  for (const from of shards) {
    for (const entry of from.entries) {
      if (assignShard(entry.path, shard.count) !== from.shard.index || known.has(entry.path))
        throw unlike(`${from.folder} has ${entry.path}, which is not one of its files`)
      known.set(entry.path, { entry, from })
    }
  }
  const reports = listing.files.map(file => {
    const found = known.get(file.path)
    if (!found) throw unlike(`${file.path} is in this checkout and in no shard`)
    known.delete(file.path)
    const { entry, from } = found
    const isSame = entry.size === file.size && (!entry.oid || !file.oid || entry.oid === file.oid)
    if (!isSame) throw unlike(`${file.path} differs between this checkout and ${from.folder}`)
    return reportOf(file, entry, indexes)
  })
  for (const [path, { from }] of known) throw unlike(`${path} is in ${from.folder} and not in this checkout`)
  const cache = shards.reduce(
    (sum, each) => ({ hits: sum.hits + each.cache.hits, misses: sum.misses + each.cache.misses }),
    { hits: 0, misses: 0 },
  )
  return { reports, cache }

  function unlike(what: string): EngineError {
    const hint = 'Merge in a checkout of the same commit, without files that other steps created.'
    return new EngineError(
      'CONFLICT',
      `The shards (${folder} first) and this checkout contain different files: ${what}.`,
      { hint },
    )
  }
}

function reportOf(file: SourceFile, entry: ShardEntry, indexes: ReadonlyMap<string, number>): FileReport {
  const {
    language,
    bytes,
    skip,
    partly,
    pass,
    matches = [],
    failures = [],
    ignores = [],
    silenced,
    excluded,
    releases,
  } = entry
  const report: FileReport = { file, language, bytes, verified: false }
  if (skip) report.skip = skip
  if (partly) report.partly = partly
  if (!pass) return report
  const numbered = <T extends { rule: string }>(items: readonly T[]) =>
    items.map(item => ({ ...item, rule: indexes.get(item.rule)! }))
  report.outcome = { pass, matches: numbered(matches), failures: numbered(failures), ignores, parsed: false }
  if (silenced) report.outcome.silenced = numbered(silenced)
  if (excluded) report.outcome.excluded = numbered(excluded)
  if (releases) report.outcome.releases = releases
  return report
}

function differing(a: Identity, b: Identity): keyof Identity | undefined {
  return (Object.keys(WORDS) as (keyof Identity)[]).find(key => a[key] !== b[key])
}

function short(value: string | undefined): string {
  if (value === undefined) return 'none'
  return /^[0-9a-f]{40,}$/.test(value) ? value.slice(0, 12) : value
}
