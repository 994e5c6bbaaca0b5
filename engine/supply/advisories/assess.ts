import { SEVERITIES } from '../../base/records/finding.ts'
import type { Component, Inventory } from '../inventory/component.ts'
import { listOrderedEcosystems } from '../versions/orders.ts'
import { type Affected, normalizeName } from './advisory.ts'
import type { Gathered, Lookup } from './gather.ts'
import { isExpired, type VulnIgnore } from './ignores.ts'
import { IGNORES_PATH } from './locations.ts'
import { type Match, matchPackage, type PackageVersion } from './match.ts'
import { makePathFinder, type PathFinder } from './paths.ts'
import { compileProducts } from './products.ts'
import { loadCalculator, rateAdvisories } from './severity.ts'
import { findStatement, type VexStatement } from './vex.ts'
import type { NotEvaluatedPackages, Reachability, Vulnerability, VulnerabilityReport } from './vulnerability.ts'

/** A component that can be looked up. */
export interface Subject {
  component: Component
  query: PackageVersion
}

/** Packages of a reason that are named; all are counted. */
const MOST_NAMED = 10

/** The components that can be compared with advisories, and the others by their reasons. */
export function selectSubjects(components: readonly Component[]): {
  subjects: Subject[]
  left: NotEvaluatedPackages[]
} {
  const covered = new Set(listOrderedEcosystems())
  const left = new LeftOut()
  const subjects: Subject[] = []
  for (const component of components) {
    const { ecosystem, name, version } = component
    if (!covered.has(ecosystem.split(':', 1)[0]!))
      left.add('ecosystem_not_covered', `OSV has no advisories of ${ecosystem}`, component)
    else if (version === undefined) left.add('no_version', 'no lock file says the version', component)
    else if (isMovingTag(ecosystem, version))
      left.add('not_comparable', 'the version is a tag that moves, a branch or a commit', component)
    else subjects.push({ component, query: { ecosystem, name, version } })
  }
  return { subjects, left: left.list() }
}

/** A GitHub Action by `v4` or a commit: which release that is, nothing here says. */
function isMovingTag(ecosystem: string, version: string): boolean {
  return ecosystem === 'GitHub Actions' && !/^v?\d+\.\d+\.\d+/.test(version)
}

export interface AssessOptions {
  ignores: readonly VulnIgnore[]
  vex: readonly VexStatement[]
  now: number
  /** Names of the repository, for VEX products that are images or repositories. */
  names?: readonly string[]
  /** Whether the code imports a component; unknown where absent. */
  findReachability?: (component: Component) => Reachability
}

/** A report, and what the advisories say by component and id: to try other versions of a package. */
export interface Assessment {
  report: VulnerabilityReport
  findEntries(vulnerability: Pick<Vulnerability, 'component' | 'id'>): readonly Affected[]
  /** Ids of the components that could not be looked up, or not compared with every advisory. */
  unknown: ReadonlySet<string>
}

/** Puts together what is known: pure but for the time, and loading the CVSS calculator where something was found. */
export async function assessInventory(
  inventory: Inventory,
  { subjects, left }: ReturnType<typeof selectSubjects>,
  { source, lookups, ...exploits }: Gathered,
  options: AssessOptions,
): Promise<Assessment> {
  const reasons = new LeftOut(left)
  const found: { component: Component; match: Match }[] = []
  const notKnown = new Set<string>()
  let evaluated = 0
  for (const [i, { component, query }] of subjects.entries()) {
    const lookup: Lookup = lookups[i]!
    if ('failure' in lookup) {
      reasons.add(lookup.reason, lookup.failure, component)
      notKnown.add(component.id)
      continue
    }
    const { matches, unknown } = matchPackage(query, lookup.advisories, lookup.claimed)
    if (unknown.length === 0) evaluated++
    else {
      reasons.add('not_comparable', 'advisories whose ranges cannot be compared with the version', component)
      notKnown.add(component.id)
    }
    for (const match of matches) found.push({ component, match })
  }
  const notices: string[] = []
  const vulnerabilities = await describeAll(found, inventory, exploits, options, notices)
  const open = vulnerabilities.filter(({ status }) => status === 'open')
  const entries = new Map(found.map(({ component, match }) => [`${component.id}\0${match.id}`, match.entries]))
  const report: VulnerabilityReport = {
    generated_at: new Date(options.now).toISOString(),
    vulnerable_count: new Set(open.map(({ component }) => component)).size,
    total_dependencies: inventory.components.length,
    evaluated,
    by_severity: countSeverities(open),
    vulnerabilities,
    not_evaluated: reasons.list(),
    unread_manifests: inventory.manifests.flatMap(({ file, state, detail, line }) =>
      state === 'failed' || state === 'unsupported'
        ? [{ file, state, detail: detail ?? '', ...(line !== undefined && { line }) }]
        : [],
    ),
    manifests: inventory.manifests.length,
    source,
    notices,
  }
  return { report, findEntries: ({ component, id }) => entries.get(`${component}\0${id}`) ?? [], unknown: notKnown }
}

async function describeAll(
  found: readonly { component: Component; match: Match }[],
  inventory: Inventory,
  exploits: Pick<Gathered, 'findEpss' | 'findKnownExploited'>,
  options: AssessOptions,
  notices: string[],
): Promise<Vulnerability[]> {
  const { ignores, vex, now, findReachability = () => 'unknown' } = options
  for (const entry of ignores)
    if (isExpired(entry, now))
      notices.push(
        `${IGNORES_PATH}:${entry.line}: the entry for ${entry.id} expired on ${entry.expires} and has no effect.`,
      )
  const valid = ignores.filter(entry => !isExpired(entry, now))
  const used = new Set<VulnIgnore>()
  const vulnerabilities: Vulnerability[] = []
  if (found.length > 0) {
    const calculator = await loadCalculator()
    const finder = makePathFinder(inventory)
    const isWithin = compileProducts(inventory, finder, options.names ?? [])
    for (const { component, match } of found) {
      const one = describeMatch(component, match, rateAdvisories(match.advisories, match.entries, calculator), finder)
      one.reachability = findReachability(component)
      Object.assign(one, findExploits(one, exploits))
      const ids = [one.id, ...one.aliases]
      const ignore = valid.find(
        entry =>
          ids.some(id => isSameId(id, entry.id)) && (entry.package === undefined || isSameName(one, entry.package)),
      )
      if (ignore) used.add(ignore)
      dismiss(
        one,
        ignore,
        vex.length === 0
          ? undefined
          : findStatement(vex, { ids, purl: component.purl, isWithin: product => isWithin(component, product) }),
      )
      vulnerabilities.push(one)
    }
  }
  for (const entry of valid)
    if (!used.has(entry))
      notices.push(`${IGNORES_PATH}:${entry.line}: the entry for ${entry.id} fits no vulnerability.`)
  return vulnerabilities.sort(compareVulnerabilities)
}

/** Ids are the same in any case; those of GitHub are written in small letters as often as not. */
function isSameId(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** Names are compared as their registry does. */
function isSameName({ ecosystem, package: name }: Vulnerability, stated: string): boolean {
  return normalizeName(ecosystem, name) === normalizeName(ecosystem, stated)
}

function describeMatch(
  component: Component,
  { id, aliases, advisories, fixed }: Match,
  rating: ReturnType<typeof rateAdvisories>,
  finder: PathFinder,
): Vulnerability {
  const [first] = advisories
  const published = advisories.flatMap(one => one.published ?? []).sort()[0]
  const informational = advisories.every(one => one.informational !== undefined) ? first!.informational : undefined
  return {
    id,
    aliases,
    summary: advisories.find(({ summary }) => summary !== '')?.summary ?? '',
    ...rating,
    cwe: [...new Set(advisories.flatMap(({ cwe }) => cwe))].sort(),
    references: [...new Set(advisories.flatMap(({ references }) => references))].slice(0, 5),
    ...(published !== undefined && { published }),
    modified: advisories
      .map(({ modified }) => modified)
      .sort()
      .at(-1)!,
    ecosystem: component.ecosystem,
    package: component.name,
    version: component.version!,
    ...(component.purl !== undefined && { purl: component.purl }),
    component: component.id,
    direct: component.direct,
    scope: component.scope,
    locations: component.locations,
    paths: finder.findPaths(component.id),
    fixed_versions: fixed,
    reachability: 'unknown',
    ...(advisories.some(one => one.id.startsWith('MAL-')) && { malicious: true as const }),
    ...(informational !== undefined && { informational }),
    status: 'open',
  }
}

function findExploits(
  { id, aliases }: Vulnerability,
  { findEpss, findKnownExploited }: Pick<Gathered, 'findEpss' | 'findKnownExploited'>,
): Pick<Vulnerability, 'epss' | 'known_exploited'> {
  const cves = [id, ...aliases].filter(one => one.startsWith('CVE-'))
  const epss = cves.flatMap(cve => findEpss(cve) ?? []).sort((a, b) => b.score - a.score)[0]
  const known = cves.flatMap(cve => findKnownExploited(cve) ?? [])[0]
  return {
    ...(epss && { epss: { score: epss.score, percentile: epss.percentile } }),
    ...(known && {
      known_exploited: {
        date_added: known.date_added,
        ...(known.due_date !== undefined && { due_date: known.due_date }),
        ransomware: known.ransomware,
      },
    }),
  }
}

function dismiss(one: Vulnerability, ignore: VulnIgnore | undefined, statement: VexStatement | undefined): void {
  if (statement?.status === 'affected' || statement?.status === 'under_investigation') one.vex_status = statement.status
  if (ignore) {
    one.status = 'dismissed'
    one.dismissal = {
      by: 'ignore',
      status: 'ignored',
      reason: ignore.reason,
      file: IGNORES_PATH,
      line: ignore.line,
      ...(ignore.expires !== undefined && { expires: ignore.expires }),
    }
  } else if (statement?.status === 'not_affected' || statement?.status === 'fixed') {
    one.status = 'dismissed'
    one.dismissal = { by: 'vex', status: statement.status, reason: statement.justification, file: statement.file }
  }
}

const ORDER = ['critical', 'high', 'unknown', 'medium', 'low', 'info'] as const

/** Open before dismissed, then by severity (unknown after high: it may be anything), package and id. */
function compareVulnerabilities(a: Vulnerability, b: Vulnerability): number {
  return (
    Number(a.status === 'dismissed') - Number(b.status === 'dismissed') ||
    ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity) ||
    compareTexts(a.package, b.package) ||
    compareTexts(a.component, b.component) ||
    compareTexts(a.id, b.id)
  )
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function countSeverities(open: readonly Vulnerability[]): VulnerabilityReport['by_severity'] {
  const counts = Object.fromEntries(
    [...SEVERITIES, 'unknown'].map(one => [one, 0]),
  ) as VulnerabilityReport['by_severity']
  for (const { severity } of open) counts[severity]++
  return counts
}

/** Collects what could not be evaluated by reason and detail. */
class LeftOut {
  readonly #groups = new Map<string, NotEvaluatedPackages>()

  constructor(before: readonly NotEvaluatedPackages[] = []) {
    for (const group of before)
      this.#groups.set(`${group.reason}\0${group.detail}`, { ...group, packages: [...group.packages] })
  }

  add(reason: NotEvaluatedPackages['reason'], detail: string, { name, version, ecosystem }: Component): void {
    const key = `${reason}\0${detail}`
    const group = this.#groups.get(key) ?? { reason, detail, count: 0, packages: [] }
    this.#groups.set(key, group)
    group.count++
    if (group.packages.length < MOST_NAMED)
      group.packages.push(`${name}${version === undefined ? '' : `@${version}`} (${ecosystem})`)
  }

  list(): NotEvaluatedPackages[] {
    return [...this.#groups.values()].sort(
      (a, b) => compareTexts(a.reason, b.reason) || compareTexts(a.detail, b.detail),
    )
  }
}
