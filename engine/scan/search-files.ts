import { SEVERITIES, type Severity } from '../base/records/finding.ts'
import type { SourceFile } from '../base/records/source-file.ts'
import { beginCounting, keepCounts } from '../base/spent.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import { computeIdentityKey } from '../sources/config/identity-key.ts'
import type { Config } from '../sources/config/load.ts'
import type { BatchLimits } from './batch.ts'
import type { ScanCache } from './cache.ts'
import type { KeptFiles } from './kept-files.ts'
import { forgetListing } from './listing-memory.ts'
import type { Merge } from './merge.ts'
import { addMuted } from './muted-rules.ts'
import { countJobs, cutBatches, isSmall } from './plan.ts'
import type { ScanContext, ScanRequest } from './request.ts'
import { type Batch, type BatchResult, runBatches, startRunner } from './runner.ts'
import { scanAlone, scanWithNotes } from './suspects.ts'

/** What looking into the files came to beside what `merge` was given. */
export interface Searched {
  /** How many files came from the cache. */
  counts: { hits: number; misses: number }
  /** The listed files: where what was kept did not hold, those are among them. */
  files: SourceFile[]
  /** The files that were taken over as they were. */
  kept?: KeptFiles
  cache?: ScanCache
}

/** New results beside those that were taken over as they were, from which on it is better to write the cache anew. */
const MANY_NEW = 200

/** Larger files are searched but not parsed: a parser takes seconds on them, and hand-written code is smaller. */
export const MAX_PARSE_BYTES = 4 << 20

/**
 * Runs the rules over the listed files and gives what they come to to `merge`: from the cache where nothing has changed that
 * decides it, in this thread where little is left, else on the pool.
 */
export async function searchFiles(
  request: ScanRequest,
  rules: readonly CompiledRule[],
  languages: ReadonlySet<string>,
  merge: Merge,
  { emit, signal, leftBehind, threads }: ScanContext,
): Promise<Searched> {
  const { listing, config, contents } = request
  const limits: BatchLimits = {
    ...readLimits(config),
    ...(request.explain_secrets && { explain_secrets: true }),
  }
  const cache = await openCache(request, rules, limits)
  const asIs = request.cache?.kept
  const kept = asIs && cache?.holds(asIs, request.cache!.memory!) ? asIs : undefined
  const listed = asIs && !kept ? asIs.withOthers(listing.files) : listing.files
  if (kept) cache!.giveKept(kept, merge)
  const files = cache ? listed.filter(file => !cache.give(file, merge)) : listed
  for (const finding of merge.findings) emit({ type: 'finding', finding })

  const total = listed.length + (kept?.count ?? 0)
  const known = total - files.length
  let done = known
  const tell = () => {
    const progress = { phase: 'scan', done, total, bytes: merge.bytes, findings: merge.findings.length }
    emit({ type: 'progress', progress })
  }
  const take = ({ reports, skips }: BatchResult) => {
    beginCounting('merge')
    for (const report of reports) cache?.put(report)
    for (const finding of merge.add(reports)) emit({ type: 'finding', finding })
    merge.skipped.push(...skips)
    keepCounts()
    if (reports.length === 0) return
    done += reports.length
    tell()
  }
  if (known > 0) tell()

  const setup = {
    rules: addMuted(rules, languages),
    limits,
    root: listing.root,
    measures: request.measures === true,
  }
  const asked = request.jobs ?? config.scan.jobs
  const batchOf = (own: SourceFile[]): Batch => ({
    files: own,
    ...(cache && { verify: true }),
    ...(contents === undefined ? {} : { contents }),
  })
  await scanWithNotes(request, files, async (trusted, suspects, notes) => {
    const guilty = await scanAlone(
      suspects.map(file => batchOf([file])),
      setup,
      signal,
      take,
    )
    const batches = cutBatches(trusted, asked ?? countJobs(undefined, Number.MAX_SAFE_INTEGER)).map(batchOf)
    if (batches.length === 0) return guilty
    const here = asked === undefined && isSmall(trusted)
    const jobs = here ? 'here' : countJobs(asked, batches.length)
    const noting = { ...setup, ...(notes !== undefined && { notes }) }
    const runner = await startRunner(noting, jobs, { signal, leftBehind })
    await runBatches(threads?.keep(runner) ?? runner, batches, take)
    return guilty
  })
  // What little is new beside what is kept is not worth writing all of it again; where it is much, the next scan does.
  if (!request.dry_run && !kept) cache?.save(request.cache!.keeps)
  if (!request.dry_run && kept && cache!.fresh > MANY_NEW) forgetListing(config.root)
  return { counts: { hits: known, misses: files.length }, files: listed, kept, cache }
}

/** What bounds the search of a file under a configuration. */
export function readLimits(config: Config): BatchLimits {
  const { max_file_bytes, rule_deadline_ms, file_deadline_ms } = config.scan
  return {
    max_file_bytes,
    rule_deadline_ms,
    file_deadline_ms,
    max_parse_bytes: MAX_PARSE_BYTES,
    secret_key: computeIdentityKey(config.root),
    severe: severeFor(config),
  }
}

/** The severities that no class or shape of a file hides: critical, high, and whatever fails the gate in any directory. */
function severeFor(config: Config): Severity[] {
  const failing = [config.gate, ...[...config.folders.values()].map(({ gate }) => gate)].flatMap(
    ({ fail_on }) => fail_on,
  )
  return SEVERITIES.filter(severity => severity === 'critical' || severity === 'high' || failing.includes(severity))
}

async function openCache(
  { cache, listing }: ScanRequest,
  rules: readonly CompiledRule[],
  limits: BatchLimits,
): Promise<ScanCache | undefined> {
  if (!cache) return undefined
  const { ScanCache } = await import('./cache.ts')
  return ScanCache.open(listing.root, { limits, rules }, cache.table, cache.seal)
}
