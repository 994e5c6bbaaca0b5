import { redactCredentials } from '../../base/text/credentials.ts'
import { type HttpOptions, openHttpClient } from '../../sources/http/client.ts'
import type { Advisory } from './advisory.ts'
import type { Epss, KnownExploited } from './exploits.ts'
import type { AdvisoryIndex } from './index-open.ts'
import type { PackageVersion } from './match.ts'
import type { OsvCache } from './osv-cache.ts'
import { fetchAdvisories, queryOsv } from './osv-client.ts'

/** What is known about one package: its advisories, or why nothing is known. */
export type Lookup = { advisories: Advisory[]; claimed: ReadonlySet<string> } | LookupFailure

export interface LookupFailure {
  failure: string
  /** The source works and has nothing to say of this package, or it failed. */
  reason: 'no_data' | 'source_failed'
}

/** Where the answer came from; for the user, who must know how old it is. */
export interface SourceInfo {
  kind: 'database' | 'api' | 'cache'
  /** The folder, file or address. */
  location: string
  /** The time of the newest record, or of the oldest answer that was used; ISO 8601. */
  as_of: string
  /** Answers of the cache that are older than allowed and were used since there was nothing newer. */
  stale: number
  /** Records of the database that could not be read. */
  faults: string[]
}

export interface Gathered {
  source: SourceInfo
  /** One for each package, in order. */
  lookups: Lookup[]
  findEpss(cve: string): Epss | undefined
  findKnownExploited(cve: string): KnownExploited | undefined
  /** Ends the use of the source; nothing can be found afterwards. */
  close(): void
}

/** Looks packages up in an indexed database. An ecosystem that the database has nothing of is a failure, never "no vulnerabilities". */
export function gatherFromIndex(index: AdvisoryIndex, location: string, packages: readonly PackageVersion[]): Gathered {
  const known = new Set(index.summary.ecosystems)
  const none: ReadonlySet<string> = new Set()
  const lookups = packages.map(({ ecosystem, name }): Lookup => {
    const isKnown = known.has(ecosystem) || known.has(ecosystem.split(':', 1)[0]!)
    if (!isKnown) return { failure: `the database has no advisories of ${ecosystem}`, reason: 'no_data' }
    return { advisories: index.findAdvisories(ecosystem, name), claimed: none }
  })
  const { newest, faults } = index.summary
  return {
    source: { kind: 'database', location, as_of: newest || index.built, stale: 0, faults },
    lookups,
    findEpss: cve => index.findEpss(cve),
    findKnownExploited: cve => index.findKnownExploited(cve),
    close: () => index.close(),
  }
}

/** What of an answer the cache can give without the API. */
function readCache(cache: OsvCache | undefined, one: PackageVersion): { found: Lookup; fetched: number } | undefined {
  const query = cache?.findQuery(one)
  if (!query) return undefined
  const advisories = query.ids.map(id => cache!.findAdvisory(id))
  if (advisories.includes(undefined)) return undefined
  return { found: { advisories: advisories as Advisory[], claimed: new Set(query.ids) }, fetched: query.fetched }
}

const NO_EXPLOITS = { findEpss: () => undefined, findKnownExploited: () => undefined, close: () => {} }

/**
 * Answers from the cache where they are young enough, and from the API for the rest; where the API fails, an older answer of the cache is
 * used and counted as stale.
 */
export async function gatherFromApi(
  baseUrl: string,
  packages: readonly PackageVersion[],
  {
    cache,
    mostAgeMs,
    now = Date.now(),
    onProgress,
    ...http
  }: HttpOptions & {
    cache: OsvCache | undefined
    mostAgeMs: number
    now?: number
    onProgress?: (done: number) => void
  },
): Promise<Gathered> {
  const lookups = new Array<Lookup>(packages.length)
  const kept = packages.map(one => readCache(cache, one))
  let oldest = now
  let stale = 0
  const asked: number[] = []
  const take = (i: number) => {
    lookups[i] = kept[i]!.found
    oldest = Math.min(oldest, kept[i]!.fetched)
  }
  for (const i of packages.keys())
    if (kept[i] && now - kept[i].fetched <= mostAgeMs) take(i)
    else asked.push(i)
  if (asked.length > 0) {
    const client = await openHttpClient(http)
    try {
      const fresh = await askApi(
        client,
        baseUrl,
        asked.map(i => packages[i]!),
        cache,
        now,
        onProgress,
      )
      for (const [at, lookup] of fresh.entries()) {
        const i = asked[at]!
        if (!('failure' in lookup) || !kept[i]) lookups[i] = lookup
        else {
          stale++
          take(i)
        }
      }
    } finally {
      await client.close()
    }
  }
  const kind = asked.length === 0 && packages.length > 0 ? 'cache' : 'api'
  return { source: describeSource(kind, baseUrl, oldest, stale), lookups, ...NO_EXPLOITS }
}

async function askApi(
  client: Awaited<ReturnType<typeof openHttpClient>>,
  baseUrl: string,
  packages: readonly PackageVersion[],
  cache: OsvCache | undefined,
  now: number,
  onProgress?: (done: number) => void,
): Promise<Lookup[]> {
  const answers = await queryOsv(client, baseUrl, packages, onProgress)
  const advisories = new Map<string, { advisory: Advisory } | { failure: string }>()
  const missing = new Set<string>()
  for (const answer of answers)
    for (const { id, modified } of 'refs' in answer ? answer.refs : []) {
      const known = cache?.findAdvisory(id, modified)
      if (known) advisories.set(id, { advisory: known })
      else missing.add(id)
    }
  for (const [id, fetched] of await fetchAdvisories(client, baseUrl, [...missing].sort())) advisories.set(id, fetched)
  const lookups = answers.map((answer): Lookup => {
    if ('failure' in answer) return { failure: answer.failure, reason: 'source_failed' }
    const found = answer.refs.map(({ id }) => advisories.get(id)!)
    const failed = found.find(one => 'failure' in one)
    // One advisory that cannot be fetched leaves the package not evaluated: what it says is not known.
    if (failed && 'failure' in failed) return { failure: failed.failure, reason: 'source_failed' }
    return {
      advisories: found.flatMap(one => ('advisory' in one ? [one.advisory] : [])),
      claimed: new Set(answer.refs.map(({ id }) => id)),
    }
  })
  cache?.write(() => {
    for (const one of advisories.values()) if ('advisory' in one) cache.keepAdvisory(one.advisory)
    for (const [i, lookup] of lookups.entries())
      if (!('failure' in lookup)) cache.keepQuery(packages[i]!, [...lookup.claimed], now)
  })
  return lookups
}

function describeSource(kind: SourceInfo['kind'], location: string, oldest: number, stale: number): SourceInfo {
  const as_of = Number.isFinite(oldest) ? new Date(oldest).toISOString() : ''
  return { kind, location: redactCredentials(location), as_of, stale, faults: [] }
}
