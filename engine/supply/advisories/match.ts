import { type Advisory, type Affected, normalizeName } from './advisory.ts'
import { findFixedVersions, judgeVersion } from './ranges.ts'

/** What is to be matched: a package in one version. */
export interface PackageVersion {
  ecosystem: string
  name: string
  version: string
}

/** One vulnerability of a package, by all advisories that are about it. */
export interface Match {
  /** The id that it is shown by: GitHub's, else another database's, else the CVE. */
  id: string
  /** Every other id of it, sorted. */
  aliases: string[]
  /** The advisory of the id first. */
  advisories: Advisory[]
  /** What they say of this package. */
  entries: Affected[]
  /** Versions that are said to be fixed and newer than the package's; the least first. */
  fixed: string[]
}

export interface MatchResult {
  matches: Match[]
  /** Ids of advisories about the package whose ranges cannot be compared with its version: unknown, never clean. */
  unknown: string[]
}

/**
 * The vulnerabilities of a package among advisories about it. `claimed` are ids that a database has matched itself: they are kept where our
 * own comparison knows nothing. Withdrawn advisories are none.
 */
export function matchPackage(
  { ecosystem, name, version }: PackageVersion,
  advisories: readonly Advisory[],
  claimed: ReadonlySet<string> = new Set(),
): MatchResult {
  const wanted = normalizeName(ecosystem, name)
  const found: { advisory: Advisory; entries: Affected[] }[] = []
  const unknown: string[] = []
  for (const advisory of advisories) {
    if (advisory.withdrawn !== undefined) continue
    const entries = advisory.affected.filter(
      entry => isEcosystem(entry.ecosystem, ecosystem) && normalizeName(ecosystem, entry.name) === wanted,
    )
    const verdicts = entries.map(entry => judgeVersion(entry, version))
    // What a database has matched itself is kept, unless each of its entries says otherwise of this version.
    const isKnown = verdicts.length > 0 && verdicts.every(verdict => verdict === 'unaffected')
    if (verdicts.includes('affected') || (claimed.has(advisory.id) && !isKnown)) found.push({ advisory, entries })
    else if (verdicts.includes('unknown')) unknown.push(advisory.id)
  }
  const matches = groupByAlias(found).map(group => makeMatch(group, version))
  const known = new Set(matches.flatMap(({ id, aliases }) => [id, ...aliases]))
  return {
    matches: matches.sort((a, b) => compareIds(a.id, b.id)),
    unknown: unknown.filter(id => !known.has(id)).sort(),
  }
}

/** An entry of `Debian` holds for `Debian:12`, the reverse does not. */
function isEcosystem(advised: string, actual: string): boolean {
  return advised === actual || actual.startsWith(`${advised}:`)
}

type Found = { advisory: Advisory; entries: Affected[] }

/** Advisories that share an id or an alias are about the same vulnerability. */
function groupByAlias(found: readonly Found[]): Found[][] {
  const groups: { names: Set<string>; members: Found[] }[] = []
  for (const one of found) {
    const names = new Set([one.advisory.id, ...one.advisory.aliases])
    const members = [one]
    for (let at = groups.length - 1; at >= 0; at--) {
      const group = groups[at]!
      if (![...names].some(name => group.names.has(name))) continue
      for (const name of group.names) names.add(name)
      members.push(...group.members)
      groups.splice(at, 1)
    }
    groups.push({ names, members })
  }
  return groups.map(({ members }) => members)
}

function makeMatch(group: readonly Found[], version: string): Match {
  const sorted = [...group].sort((a, b) => compareIds(a.advisory.id, b.advisory.id))
  const names = new Set(sorted.flatMap(({ advisory }) => [advisory.id, ...advisory.aliases]))
  const { id } = sorted[0]!.advisory
  names.delete(id)
  const entries = sorted.flatMap(one => one.entries)
  return {
    id,
    aliases: [...names].sort(),
    advisories: sorted.map(({ advisory }) => advisory),
    entries,
    fixed: findFixedVersions(entries, version),
  }
}

/** MAL first, then GitHub's ids, then those of other databases, CVE last; by text among equals. */
function compareIds(first: string, second: string): number {
  return rankId(first) - rankId(second) || (first < second ? -1 : first > second ? 1 : 0)
}

function rankId(id: string): number {
  if (id.startsWith('MAL-')) return 0
  if (id.startsWith('GHSA-')) return 1
  return id.startsWith('CVE-') ? 3 : 2
}
