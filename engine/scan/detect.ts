import type { Context } from '../context.ts'
import type { CompiledRule } from '../rules/rule-set.ts'
import { identityKey } from '../secrets/search/identity-key.ts'
import type { BatchLimits, FileReport } from './batch.ts'
import type { ScanCache } from './cache.ts'
import type { Merge } from './merge.ts'
import { cutBatches, isSmall, jobsFor } from './plan.ts'
import type { ScanRequest } from './scan.ts'

/** Larger files are searched but not parsed: a parser takes seconds on them, and hand-written code is smaller. */
export const MAX_PARSE_BYTES = 4 << 20

/**
 * Runs the rules over the listed files and gives what they come to to `merge`: from the cache where nothing has changed that
 * decides it, in this thread where little is left, else on the pool. Answers how many files came from the cache.
 */
export async function detect(
  request: ScanRequest,
  rules: readonly CompiledRule[],
  languages: ReadonlySet<string>,
  merge: Merge,
  { emit, signal }: Pick<Context, 'emit' | 'signal'>,
): Promise<{ hits: number; misses: number }> {
  const { listing, config, contents } = request
  const limits: BatchLimits = {
    max_file_bytes: config.scan.max_file_bytes,
    rule_deadline_ms: config.scan.rule_deadline_ms,
    file_deadline_ms: config.scan.file_deadline_ms,
    max_parse_bytes: MAX_PARSE_BYTES,
    secret_key: identityKey(config.root),
    ...(request.explain_secrets && { explain_secrets: true }),
  }
  const cache = await openCache(request, rules, limits)
  const files = cache ? listing.files.filter(file => !cache.give(file, merge)) : listing.files
  for (const finding of merge.findings) emit({ type: 'finding', finding })

  const total = listing.files.length
  const known = total - files.length
  let done = known
  const tell = () => {
    const progress = { phase: 'scan', done, total, bytes: merge.bytes, findings: merge.findings.length }
    emit({ type: 'progress', progress })
  }
  const take = (reports: readonly FileReport[]) => {
    for (const report of reports) cache?.put(report)
    for (const finding of merge.add(reports)) emit({ type: 'finding', finding })
    done += reports.length
    tell()
  }
  if (known > 0) tell()

  const asked = request.jobs ?? config.scan.jobs
  const cut = cutBatches(files, asked ?? jobsFor(undefined, Number.MAX_SAFE_INTEGER))
  const batches = cut.map(own => ({
    root: listing.root,
    files: own,
    ...(cache && { verify: true }),
    ...(contents === undefined ? {} : { contents }),
  }))
  if (asked === undefined && isSmall(files)) {
    const { scanHere } = await import('./here.ts')
    await scanHere(rules, batches, limits, signal, take, skip => merge.skipped.push(skip))
  } else if (batches.length > 0) {
    const { runBatches } = await import('./pool.ts')
    const options = { jobs: jobsFor(asked, batches.length), rules, languages: [...languages], limits, signal }
    await runBatches(batches, options, take, skip => merge.skipped.push(skip))
  }
  if (!request.dry_run) cache?.save(request.cache!.keeps)
  return { hits: known, misses: files.length }
}

async function openCache(
  { cache, listing }: ScanRequest,
  rules: readonly CompiledRule[],
  limits: BatchLimits,
): Promise<ScanCache | undefined> {
  if (!cache) return undefined
  const { ScanCache } = await import('./cache.ts')
  return ScanCache.open(listing.root, { limits, rules }, cache.table)
}
