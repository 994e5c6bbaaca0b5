import { type LicenseTree, readLicense } from './expression.ts'
import { classifyLicense, KINDS, type LicenseKind } from './kinds.ts'

/** `licenses.policy` of the configuration: ids, ids with a star at the end, expressions with an exception, or kinds. */
export interface LicensePolicy {
  allow: readonly string[]
  deny: readonly string[]
  review: readonly string[]
}

/** What a policy says of a dependency. `unknown`: its license is not known, and the policy does not name `unknown`. */
export type PolicyVerdict = 'allowed' | 'review' | 'denied' | 'unknown'

/** The best first. */
const ORDER: readonly PolicyVerdict[] = ['allowed', 'review', 'unknown', 'denied']

interface Matcher {
  exact: Set<string>
  prefixes: string[]
  kinds: Set<string>
}

/** The policy, ready to judge with; undefined where it has no entry. */
export interface CompiledPolicy {
  allow: Matcher
  deny: Matcher
  review: Matcher
  isAllowList: boolean
  /** Entries that are neither a license, a kind nor a pattern, each with its list. */
  unknownEntries: { list: keyof LicensePolicy; entry: string }[]
}

export function compilePolicy(policy: LicensePolicy): CompiledPolicy | undefined {
  if (policy.allow.length + policy.deny.length + policy.review.length === 0) return undefined
  const unknownEntries: CompiledPolicy['unknownEntries'] = []
  const compile = (list: keyof LicensePolicy): Matcher => {
    const matcher: Matcher = { exact: new Set(), prefixes: [], kinds: new Set() }
    for (const entry of policy[list]) {
      const kind = KINDS.find(one => one === entry.toLowerCase())
      const read = readLicense(entry)
      if (kind !== undefined) matcher.kinds.add(kind)
      else if (entry.toLowerCase() === 'copyleft')
        for (const one of KINDS) if (one.endsWith('-copyleft')) matcher.kinds.add(one)
      if (kind !== undefined || entry.toLowerCase() === 'copyleft') continue
      if (/^[\w.-]+\*$/.test(entry)) matcher.prefixes.push(entry.slice(0, -1).toLowerCase())
      else if ('tree' in read && 'license' in read.tree) matcher.exact.add(nameLicense(read.tree))
      else unknownEntries.push({ list, entry })
    }
    return matcher
  }
  const compiled = { allow: compile('allow'), deny: compile('deny'), review: compile('review') }
  return { ...compiled, isAllowList: policy.allow.length > 0, unknownEntries }
}

function nameLicense({ license, exception }: { license: string; exception?: string }): string {
  return `${license}${exception === undefined ? '' : ` WITH ${exception}`}`.toLowerCase()
}

/** How exactly a list names a license: by its id 3, by a pattern 2, by its kind 1, not at all 0. */
function rateMatch({ exact, prefixes, kinds }: Matcher, license: string, full: string, kind: LicenseKind): number {
  if (exact.has(full)) return 4
  if (exact.has(license)) return 3
  if (prefixes.some(prefix => license.startsWith(prefix))) return 2
  return kinds.has(kind) ? 1 : 0
}

/**
 * What the policy says of an expression: of a choice the best, of licenses that hold together the worst. The most exact entry holds; between
 * equally exact ones deny beats review, and review beats allow. A license on no list is denied where there is an allow list.
 */
export function judgeTree(policy: CompiledPolicy, tree: LicenseTree): PolicyVerdict {
  if ('license' in tree) return judgeLicense(policy, tree)
  const verdicts = ('any' in tree ? tree.any : tree.all).map(one => ORDER.indexOf(judgeTree(policy, one)))
  return ORDER['any' in tree ? Math.min(...verdicts) : Math.max(...verdicts)]!
}

/** What the policy says where the license is not known: the list that names the kind, else that it is unknown. */
export function judgeKind(policy: CompiledPolicy, kind: 'unknown' | 'proprietary'): PolicyVerdict {
  if (policy.deny.kinds.has(kind)) return 'denied'
  if (policy.review.kinds.has(kind)) return 'review'
  if (policy.allow.kinds.has(kind)) return 'allowed'
  return kind === 'unknown' ? 'unknown' : 'denied'
}

function judgeLicense(policy: CompiledPolicy, tree: { license: string; exception?: string }): PolicyVerdict {
  const kind = classifyLicense(tree)
  const license = tree.license.toLowerCase()
  const full = nameLicense(tree)
  const [deny, review, allow] = [policy.deny, policy.review, policy.allow].map(list =>
    rateMatch(list, license, full, kind),
  ) as [number, number, number]
  const most = Math.max(deny, review, allow)
  if (most === 0)
    return policy.isAllowList ? (kind === 'unknown' ? 'unknown' : 'denied') : kind === 'unknown' ? 'unknown' : 'allowed'
  return deny === most ? 'denied' : review === most ? 'review' : 'allowed'
}
