import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { ignoreUnreadable, readLinked } from '../base/disk/own-folder.ts'
import { EngineError, toEngineError } from '../base/errors.ts'
import type { Notice, Run } from '../base/records/run.ts'
import type { PartlyScanned, Skip } from '../base/records/source-file.ts'
import type { Excluded, FileOutcome, Silence } from '../detect/rules/file-outcome.ts'
import type { ReleaseFacts } from '../detect/rules/release-facts.ts'
import { CACHE_KEY_VARIABLE, type Seal } from '../sources/state/cache-seal.ts'
import { makeOut } from '../sources/store/layout.ts'
import type { Shard } from './assign-shard.ts'
import type { FileReport } from './batch.ts'
import type { Identity, ScannedShard } from './shard.ts'

const FORMAT = 4
/** What a shard is sealed as. */
const PURPOSE = 'shard'
const MANIFEST = 'shard.json'
const CONTENT = 'files.jsonl'
const BUFFER = 1 << 20
/** The largest result of a shard that is read. */
const MOST_BYTES = 0x7fffffff

type Named<T extends { rule: number }> = Omit<T, 'rule'> & { rule: string }

/** A file of a shard as it is stored: what it is known by, and what it came to with rules by their ids. */
export interface ShardEntry {
  path: string
  size: number
  oid?: string
  language: string
  bytes: number
  skip?: Skip
  partly?: Omit<PartlyScanned, 'path'>
  pass?: FileOutcome['pass']
  matches?: Named<FileOutcome['matches'][number]>[]
  failures?: Named<FileOutcome['failures'][number]>[]
  ignores?: FileOutcome['ignores']
  silenced?: Named<Silence>[]
  excluded?: Named<Excluded>[]
  releases?: ReleaseFacts
}

/** A stored shard, read and found whole. */
export interface StoredShard {
  /** Where it was read from, as it was named. */
  folder: string
  shard: Shard
  identity: Identity
  cache: Run['cache']
  entries: ShardEntry[]
  /** Sealed with the key that is known here; else nobody can say whether it was changed on the way. */
  isSealed: boolean
}

interface Manifest {
  format: number
  id: string
  started_at: string
  finished_at: string
  shard: Shard
  identity: Identity
  /** Files in all shards, and in this one. */
  listed: number
  files: number
  cache: Run['cache']
  /** SHA-256 of the content file, in hex. */
  sha256: string
}

/** The manifest as it is stored: with the seal over all of it, and so over the content, where there was a key. */
type Sealed = Manifest & { seal?: { key_id: string; signature: string } }

/** Writes `<out>/shard-<i>-of-<n>/`, in the place of an earlier one, by way of a temporary name; answers the folder. DISK where the disk refuses. */
export function writeShard(out: string, scanned: ScannedShard, seal: Seal | undefined): string {
  const { id, started_at, finished_at, shard, identity, listed, cache, reports } = scanned
  const folder = join(out, `shard-${shard.index}-of-${shard.count}`)
  const temporary = `${folder}.${process.pid}.tmp`
  try {
    makeOut(out)
    rmSync(temporary, { recursive: true, force: true })
    mkdirSync(temporary)
    const sha256 = writeEntries(join(temporary, CONTENT), scanned)
    const files = reports.length
    const manifest: Manifest = {
      format: FORMAT,
      id,
      started_at,
      finished_at,
      shard,
      identity,
      listed,
      files,
      cache,
      sha256,
    }
    const sealed: Sealed = { ...manifest }
    if (seal) sealed.seal = { key_id: seal.key_id, signature: seal.sign(PURPOSE, digestOf(manifest)) }
    writeFileSync(join(temporary, MANIFEST), `${JSON.stringify(sealed, null, 1)}\n`)
    rmSync(folder, { recursive: true, force: true })
    renameSync(temporary, folder)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    throw toEngineError(error)
  }
  return folder
}

function writeEntries(path: string, { reports, rules }: ScannedShard): string {
  const hash = createHash('sha256')
  const file = openSync(path, 'wx')
  try {
    let buffer = ''
    const flush = () => {
      const bytes = Buffer.from(buffer)
      hash.update(bytes)
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
      buffer = ''
    }
    const named = <T extends { rule: number }>(items: readonly T[]) =>
      items.map(item => ({ ...item, rule: rules[item.rule]!.id }))
    for (const report of reports) {
      buffer += `${JSON.stringify(entryOf(report, named))}\n`
      if (buffer.length >= BUFFER) flush()
    }
    flush()
    return hash.digest('hex')
  } finally {
    closeSync(file)
  }
}

function entryOf(
  { file, language, bytes, outcome, skip, partly }: FileReport,
  named: <T extends { rule: number }>(items: readonly T[]) => Named<T>[],
): ShardEntry {
  const entry: ShardEntry = { path: file.path, size: file.size, language, bytes }
  if (file.oid !== undefined) entry.oid = file.oid
  if (skip) entry.skip = skip
  if (partly) entry.partly = partly
  if (!outcome) return entry
  entry.pass = outcome.pass
  if (outcome.matches.length > 0) entry.matches = named(outcome.matches)
  if (outcome.failures.length > 0) entry.failures = named(outcome.failures)
  if (outcome.ignores.length > 0) entry.ignores = outcome.ignores
  if (outcome.silenced) entry.silenced = named(outcome.silenced)
  if (outcome.excluded) entry.excluded = named(outcome.excluded)
  if (outcome.releases) entry.releases = outcome.releases
  return entry
}

/**
 * The shards in these folders: each is one, or holds some as its own folders. NOT_FOUND where a folder has none,
 * STORE_UNREADABLE where one is damaged.
 */
export function readShards(folders: readonly { path: string; named: string }[], seal: Seal | undefined): StoredShard[] {
  return folders.flatMap(({ path, named }) => {
    if (existsSync(join(path, MANIFEST))) return [readShard(path, named, seal)]
    const below = existsSync(path) ? readdirSync(path, { withFileTypes: true }) : []
    const found = below
      .filter(entry => entry.isDirectory() && existsSync(join(path, entry.name, MANIFEST)))
      .map(({ name }) => name)
      .sort()
    if (found.length === 0) {
      throw new EngineError('NOT_FOUND', `No shard in ${named}.`, {
        hint: '`svc scan --shard i/n` writes out/shard-<i>-of-<n>; pass these directories, or their parent directory.',
      })
    }
    return found.map(name => readShard(join(path, name), join(named, name), seal))
  })
}

function readShard(path: string, named: string, seal: Seal | undefined): StoredShard {
  const { seal: sealed, ...manifest } = manifestOf(path, named)
  const isSealed = sealed !== undefined && sealed.key_id === seal?.key_id
  if (isSealed && !seal!.verify(PURPOSE, digestOf(manifest), sealed.signature))
    throw damaged(named, 'it was modified since it was sealed')
  if (!isSealed && seal?.isGiven) throw notSealed(named)
  const content = ignoreUnreadable(() => readLinked(join(path, CONTENT), MOST_BYTES))
  if (!content) throw damaged(named, `${CONTENT} cannot be read`)
  if (createHash('sha256').update(content).digest('hex') !== manifest.sha256)
    throw damaged(named, `${CONTENT} differs from what was written`)
  const lines = content.toString('utf8').split('\n').slice(0, -1)
  const entries = lines.map(line => JSON.parse(line) as ShardEntry)
  const { shard, identity, cache } = manifest
  return { folder: named, shard, identity, cache, entries, isSealed }
}

function digestOf(manifest: Manifest): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
}

function manifestOf(path: string, named: string): Sealed {
  let manifest: Sealed
  try {
    manifest = JSON.parse(String(readLinked(join(path, MANIFEST)))) as Sealed
  } catch (error) {
    throw damaged(named, `${MANIFEST} is not JSON`, error)
  }
  if (manifest?.format !== FORMAT)
    throw new EngineError('CONFLICT', `The shard in ${named} was written by another version of svc.`, {
      hint: 'Scan all shards again with one version.',
    })
  return manifest
}

function notSealed(named: string): EngineError {
  return new EngineError('CONFLICT', `The shard in ${named} is not sealed with ${CACHE_KEY_VARIABLE}.`, {
    hint: `Set the same ${CACHE_KEY_VARIABLE} on the machine that scans it, and scan it again.`,
  })
}

/** What a run says of shards that anybody could have changed on the way; none where each is sealed. */
export function listShardNotices(stored: readonly StoredShard[]): Notice[] {
  const open = stored.filter(({ isSealed }) => !isSealed).map(({ folder }) => folder)
  if (open.length === 0) return []
  const which = open.length === 1 ? 'this shard is' : `${open.length} shards are`
  const detail = `${which} not authenticated: a modification during the transfer would not be detected. Set the same ${CACHE_KEY_VARIABLE} on all machines.`
  return [{ kind: 'shards_not_authenticated', file: open[0]!, detail }]
}

function damaged(named: string, what: string, cause?: unknown): EngineError {
  return new EngineError('STORE_UNREADABLE', `The shard in ${named} is damaged: ${what}.`, {
    hint: 'Scan that shard again, or fetch it again from its storage.',
    cause,
  })
}
