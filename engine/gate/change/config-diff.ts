import { SEVERITIES } from '../../base/records/finding.ts'
import { isTree, type Tree } from '../../sources/config/merge.ts'
import { ENFORCEMENTS, QUEUE_ACTIONS, TRUST_LEVELS } from '../../sources/config/values.ts'
import type { PolicyRuleId, Weakening } from './policy-rules.ts'

/** What makes a setting weaker. */
type Direction =
  | 'more' // a list with more entries, or a flag that is set
  | 'fewer' // a list with fewer entries, or a flag that is not set
  | 'lower' // a smaller number
  | 'never' // it has no part in the judgement
  | readonly string[] // a later one of these

interface Measure {
  keys: RegExp
  weaker: Direction
  rule?: PolicyRuleId
}

/** Stricter first. `warn` records only. */
const ENFORCED = [...ENFORCEMENTS].sort((a, b) => Number(a === 'warn') - Number(b === 'warn'))

/** What each setting's change means. A setting that none of these names is weakened by any change: unknown is never safe. */
const MEASURES: readonly Measure[] = [
  { keys: /^gate\.fail_on$/, weaker: 'fewer' },
  { keys: /^gate\.(?:trusted|protected_branch)$/, weaker: 'more' },
  { keys: /^gate\.unread$/, weaker: ['fail', 'warn', 'ignore'] },
  { keys: /^gate\.inline_suppressions$/, weaker: ['review', 'allow'] },
  { keys: /^packs\.(?:detect|canary)$/, weaker: 'fewer', rule: 'gate-pack-disabled' },
  { keys: /^packs\.enable$/, weaker: 'fewer', rule: 'gate-pack-disabled' },
  { keys: /^packs\.disable$/, weaker: 'more', rule: 'gate-pack-disabled' },
  { keys: /^packs\.overrides\..+\.enabled$/, weaker: 'fewer', rule: 'gate-pack-disabled' },
  { keys: /^packs\.overrides\..+\.severity$/, weaker: SEVERITIES },
  { keys: /^scan_exclude$/, weaker: 'more', rule: 'gate-exclusion-added' },
  { keys: /^scan\.(?:max_file_bytes|rule_deadline_ms|file_deadline_ms)$/, weaker: 'lower' },
  { keys: /^analysis\.sources$/, weaker: 'fewer' },
  { keys: /^external_scanners\..+\.(?:enabled|timeout_seconds)$/, weaker: 'lower' },
  { keys: /^(?:vulns|supply_chain)\.in_scan$/, weaker: 'fewer' },
  { keys: /^licenses\.(?:in_scan|policy\.(?:deny|review))$/, weaker: 'fewer' },
  { keys: /^requirements\.(?:files|require_links|test_results)$/, weaker: 'fewer' },
  { keys: /^vulns\.(?:offline|cache_hours)$/, weaker: 'never' },
  {
    keys: /^(?:scan\.jobs|history\..+|providers\..+|quality_exclude|grc_webhook_url|grc\..+|notary\..+|fleet\..+|login\..+|attribution\..+|governance\.profile)$/,
    weaker: 'never',
  },
  { keys: /^governance\.agent_defaults\..*trust.*$/, weaker: TRUST_LEVELS },
  { keys: /^governance\.agent_defaults\.queue_action$/, weaker: [...QUEUE_ACTIONS].reverse() },
  { keys: /^governance\..+\.(?:default_)?enforcement$/, weaker: ENFORCED },
  {
    keys: /^governance\..+\.(?:enabled|require_binding|cascade_revocation|on_(?:critical_finding|config_change|dependency_add)|require_approval_for_violations|new_zone_flag|require_acknowledgment)$/,
    weaker: 'fewer',
  },
  // What a model adds is beside the gate; who gets code and key is not, so any change of provider, address or key counts,
  // and so does `replay`: whoever writes recorded answers says what a model has not found.
  { keys: /^llm\.(?:model|usd_per_million_.+|max_.+|concurrency|timeout_seconds|record)$/, weaker: 'never' },
  { keys: /^llm\.exclude$/, weaker: 'fewer' },
  { keys: /^governance\.tool_grants\.auto_grant_scopes$/, weaker: 'more' },
  { keys: /^governance\.tool_grants\.require_approval_scopes$/, weaker: 'fewer' },
]

/**
 * What of a configuration is weaker than before. Both are complete, with every default filled in; `lineOf` says where a key
 * stands in the file of now. Keys that both lack are equal.
 */
export function findConfigWeakenings(
  file: string,
  before: Tree,
  after: Tree,
  lineOf: (path: readonly string[]) => number,
): Weakening[] {
  const [old, now] = [leaves(before), leaves(after)]
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((key): Weakening[] => {
    const measure = MEASURES.find(({ keys }) => keys.test(key))
    const what = weakened(key, old.get(key)?.value, now.get(key)?.value, measure?.weaker)
    if (what === undefined) return []
    const path = now.get(key)?.path ?? old.get(key)!.path
    return [{ rule_id: measure?.rule ?? 'gate-config-weakened', file, line: lineOf(path), what: `${key} ${what}` }]
  })
}

/** How a setting became weaker, in words that follow its key; undefined where it did not. */
function weakened(key: string, old: unknown, now: unknown, weaker: Direction | undefined): string | undefined {
  if (JSON.stringify(old) === JSON.stringify(now) || weaker === 'never') return undefined
  const changed = `changed from ${shown(old)} to ${shown(now)}`
  // What a rule is, where nothing is overridden, only the packs know: raised to critical, or taken from info, is no weakening.
  if (key.startsWith('packs.overrides.') && (old === undefined || now === undefined)) {
    if (key.endsWith('.enabled')) return now === false || old === true ? changed : undefined
    return now === 'critical' || old === 'info' ? undefined : changed
  }
  if (weaker === undefined) return changed
  if (Array.isArray(weaker)) {
    return weaker.indexOf(String(now)) > weaker.indexOf(String(old)) || now === undefined ? changed : undefined
  }
  if (weaker === 'lower') return Number(now ?? 0) < Number(old ?? 0) ? changed : undefined
  const [less, more] = weaker === 'more' ? [old, now] : [now, old]
  if (typeof more === 'boolean' || typeof less === 'boolean')
    return more === true && less !== true ? changed : undefined
  const known = new Set(entries(less))
  const gone = entries(more).filter(entry => !known.has(entry))
  if (gone.length === 0) return undefined
  return `${weaker === 'more' ? 'gained' : 'lost'} ${gone.slice(0, 5).join(', ')}${gone.length > 5 ? ` and ${gone.length - 5} more` : ''}`
}

function entries(value: unknown): string[] {
  return Array.isArray(value) ? value.map(entry => (typeof entry === 'string' ? entry : JSON.stringify(entry))) : []
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

/** Every value that is no map, by its dotted key. Empty maps have none. */
function leaves(tree: Tree, above: readonly string[] = []): Map<string, { path: readonly string[]; value: unknown }> {
  const found = new Map<string, { path: readonly string[]; value: unknown }>()
  for (const [key, value] of Object.entries(tree)) {
    const path = [...above, key]
    if (isTree(value)) for (const [name, leaf] of leaves(value, path)) found.set(name, leaf)
    else if (value !== undefined) found.set(path.join('.'), { path, value })
  }
  return found
}
