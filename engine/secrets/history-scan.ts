import type { Context } from '../base/context.ts'
import type { NotEvaluated } from '../base/records/run.ts'
import type { PartlyScanned, Skip } from '../base/records/source-file.ts'
import { applySuppressions } from '../findings/suppression.ts'
import { addDays } from '../findings/suppression-list.ts'
import { Merge } from '../scan/merge.ts'
import { countJobs, cutBatches } from '../scan/plan.ts'
import { type BatchResult, runBatches, startRunner } from '../scan/runner.ts'
import { MAX_PARSE_BYTES } from '../scan/search-files.ts'
import { computeIdentityKey } from '../sources/config/identity-key.ts'
import type { Config } from '../sources/config/load.ts'
import { loadBuiltinPacks } from '../sources/packs/load.ts'
import { compileExcludes } from '../sources/repository/exclude.ts'
import {
  type Commit,
  type HistoricBlob,
  listBlobsAtHead,
  listHistoricBlobs,
  readSizes,
  toSourceFiles,
} from './history.ts'
import type { Found } from './secret.ts'

export interface HistoryScan {
  /** One a secret and path: where it first came in. */
  findings: Found[]
  blobs: number
  commits: number
  bytes: number
  skipped: Skip[]
  partly: PartlyScanned[]
  not_evaluated: NotEvaluated[]
  /** The clone lacks the older part of the history. */
  shallow: boolean
}

/** Looks at every content that any commit brought, once each, on the asked number of threads. */
export async function scanHistory(
  root: string,
  config: Config,
  { jobs, explain }: { jobs?: number; explain: boolean },
  context: Context,
): Promise<HistoryScan> {
  const { signal, emit } = context
  const rules = loadBuiltinPacks().find(({ id }) => id === 'secrets')!.rules
  const [{ blobs: every, commits, shallow }, atHead] = await Promise.all([
    listHistoricBlobs(root, context),
    listBlobsAtHead(root),
  ])
  const excluded = compileExcludes(config.scan_exclude)
  const blobs = every.filter(({ path }) => !excluded(path))
  const byName = new Map<string, HistoricBlob>(blobs.map(blob => [`${blob.oid}/${blob.path}`, blob]))
  const files = toSourceFiles(
    blobs,
    await readSizes(
      root,
      blobs.map(({ oid }) => oid),
    ),
  )
  const limits = {
    max_file_bytes: config.scan.max_file_bytes,
    rule_deadline_ms: config.scan.rule_deadline_ms,
    file_deadline_ms: config.scan.file_deadline_ms,
    max_parse_bytes: MAX_PARSE_BYTES,
    secret_key: computeIdentityKey(root),
    explain_secrets: explain,
  }
  const merge = new Merge(rules, new Map(), () => true)
  let done = 0
  const take = ({ reports, skips }: BatchResult) => {
    merge.skipped.push(...skips)
    if (reports.length === 0) return
    merge.add(reports)
    for (const { file, outcome } of reports) if (!outcome?.matches.length) merge.ignores.delete(file.path)
    // Of a long history only what was found is kept.
    merge.files.length = 0
    done += reports.length
    emit({
      type: 'progress',
      progress: { phase: 'scan', done, total: files.length, bytes: merge.bytes, findings: merge.findings.length },
    })
  }
  const threads = countJobs(jobs, Number.MAX_SAFE_INTEGER)
  const batches = cutBatches(files, threads).map(own => ({ files: own }))
  const here = batches.length <= 1 && jobs === undefined
  const setup = { rules, languages: [], limits, root }
  const runner = await startRunner(setup, here ? 'here' : countJobs(jobs, batches.length), { signal })
  await runBatches(runner, batches, take)
  const order = new Map(blobs.map(({ oid }, index) => [oid, index]))
  const today = addDays(new Date())
  const judged = applySuppressions(merge.findings, merge.ignores, [], { today, whole: false }).findings
  const findings = firstOfEach(
    judged.map((finding): Found & { order: number } => {
      const { oid, path, commit } = byName.get(nameOf(finding.file, byName))!
      const file = path + finding.file.slice(oid.length + 1 + path.length)
      return { ...finding, file, ...placeIn(commit), at_head: atHead.has(oid), order: order.get(oid)! }
    }),
  )
  const pathOf = (name: string) => byName.get(name)?.path ?? name
  const skipped = merge.skipped.map(skip => ({ ...skip, path: pathOf(skip.path) }))
  for (const { path } of every) if (excluded(path)) skipped.push({ path, reason: 'excluded' })
  const partly = merge.partly.map(file => ({ ...file, path: pathOf(file.path) }))
  const not_evaluated = merge.notEvaluated.map(each => ({ ...each, file: pathOf(each.file!) }))
  return { findings, blobs: blobs.length, commits, bytes: merge.bytes, skipped, partly, not_evaluated, shallow }
}

function placeIn({ sha, author, date }: Commit): Pick<Found, 'commit' | 'author' | 'date'> {
  return { commit: sha, author, date }
}

/** The name of the blob that a finding is in: of one in an archive, what stands before an exclamation mark. */
function nameOf(file: string, byName: ReadonlyMap<string, HistoricBlob>): string {
  if (byName.has(file)) return file
  let at = file.indexOf('!')
  while (!byName.has(file.slice(0, at))) at = file.indexOf('!', at + 1)
  return file.slice(0, at)
}

/**
 * Of the many versions of a file that hold a secret, the first; it is still at HEAD where any of them is. Whether a comment covers it, the
 * last one says.
 */
function firstOfEach(findings: readonly (Found & { order: number })[]): Found[] {
  const first = new Map<string, Found & { order: number }>()
  const alive = new Set<string>()
  for (const finding of [...findings].sort((a, b) => a.order - b.order || a.line - b.line || a.column - b.column)) {
    const key = `${finding.fingerprint}\0${finding.file}`
    const known = first.get(key)
    if (known) Object.assign(known, { status: finding.status, suppression: finding.suppression })
    else first.set(key, { ...finding })
    if (finding.at_head) alive.add(finding.fingerprint)
  }
  return [...first.values()].map(({ order: _, ...finding }) => ({
    ...finding,
    at_head: alive.has(finding.fingerprint),
  }))
}
