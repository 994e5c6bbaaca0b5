import type { Listing } from '../../base/records/source-file.ts'
import type { Config } from '../../sources/config/load.ts'
import { compareDigests } from '../drift/compare.ts'
import { parseDigest } from '../drift/confirmed.ts'
import { CodeMeasure } from '../drift/measure.ts'
import type { RequirementSet } from '../requirements/model.ts'
import { readRequirements } from '../requirements/read.ts'
import { buildMatrix, type ResolvedLinks, resolveLinks } from './build.ts'
import { type NamedHistory, readNamedHistory } from './history.ts'
import { RequirementIndex } from './ids.ts'
import { groupLinks } from './links.ts'
import type { TraceMatrix } from './matrix.ts'
import { type ReadTags, readTags } from './read-tags.ts'
import { readTestRuns } from './test-runs.ts'

export interface TraceRequest {
  config: Config
  listing: Pick<Listing, 'root' | 'files' | 'kind'>
  signal: AbortSignal
  onProgress?: (done: number, total: number) => void
  /** Contents in place of those on disk. */
  contents?: ReadonlyMap<string, Uint8Array>
  /** Requirements in place of the repository's own. */
  set?: RequirementSet
}

/** The requirements of a repository with what its files and their globs link. */
export interface LinkedRequirements {
  set: RequirementSet
  tags: ReadTags
  resolved: ResolvedLinks
}

/** Reads requirements and links, without git and without runs of tests. */
export async function readLinks(request: TraceRequest): Promise<LinkedRequirements> {
  const { config, listing, signal } = request
  return linkRequirements(request.set ?? (await readRequirements(listing, config, signal)), request)
}

async function linkRequirements(
  set: RequirementSet,
  { config, listing, signal, onProgress, contents }: TraceRequest,
): Promise<LinkedRequirements> {
  const tags = await readTags(listing, { maxBytes: config.scan.max_file_bytes, contents, signal, onProgress })
  return { set, tags, resolved: resolveLinks({ set, listing, tags }) }
}

/** Traces the requirements of a repository to code, tests, their last run and controls. Without requirements the matrix is empty. */
export async function traceRequirements(request: TraceRequest): Promise<TraceMatrix> {
  const { config, listing, signal } = request
  const set = await readRequirements(listing, config, signal)
  // git works while files are read.
  const asked: Promise<NamedHistory> =
    listing.kind === 'git' && set.requirements.length > 0
      ? readNamedHistory(listing.root, new RequirementIndex(set), signal)
      : Promise.resolve({ commits: [], branches: [] })
  // Awaited below; until then a failure is nobody's.
  asked.catch(() => {})
  const { tags, resolved } = await linkRequirements(set, request)
  const paths = listing.files.map(({ path }) => path)
  const runs = await readTestRuns(listing.root, paths, config.requirements.test_results)
  const suspicions = await findSuspicions({ set, tags, resolved }, request)
  const { require_links } = config.requirements
  return buildMatrix({ set, listing, tags, resolved, history: await asked, runs, require_links, suspicions })
}

/** Why requirements are suspect: their words or the linked code changed since they were confirmed. Imports are left to `svc drift-scan`. */
async function findSuspicions({ set, resolved }: LinkedRequirements, { config, listing, signal }: TraceRequest) {
  const measure = new CodeMeasure(listing, config.scan.max_file_bytes)
  const links = groupLinks(resolved.links)
  const found = new Map<string, string>()
  for (const requirement of set.byId.values()) {
    if (!requirement.confirmed || requirement.status === 'obsolete') continue
    signal.throwIfAborted()
    const confirmed = parseDigest(requirement.confirmed.digest)
    if (!confirmed) {
      found.set(requirement.id, 'its confirmation has a digest that svc did not write')
      continue
    }
    const now = await measure.measure(requirement, links.get(requirement.id) ?? [], { confirmed })
    const places = confirmed.places.filter(({ kind }) => kind !== 'import')
    const first = compareDigests({ ...confirmed, places }, now)[0]
    if (first) found.set(requirement.id, `${first.message.replace(/\.$/, '')} (confirmed ${requirement.confirmed.at})`)
  }
  return found
}
