import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { SEVERITIES } from '../../base/records/finding.ts'
import { isObject } from '../../base/text/json-object.ts'
import { formatValue } from '../../base/text/words.ts'
import { parseYaml } from '../../sources/config/parse.ts'
import type { Weakening } from './policy-rules.ts'

/** A file of policies or architecture rules on one side of a change: the one of its places that counts. */
export interface RuleFile {
  path: string
  bytes: Uint8Array
}

/** Both sides of a change. */
interface Sides {
  before: RuleFile | undefined
  after: RuleFile | undefined
}

type Tree = Record<string, unknown>

/** Severities of architecture rules and policies, where they say none, are known to their domain alone. */
const SEVERITY = 'severity'
/** Keys that change what a violation says, and not what is one. */
const WORDS = new Set(['reason'])
/** Keys whose list may only get shorter. */
const EXCEPTIONS = new Set(['except', 'entries'])
/** Keys whose list may only get longer. */
const DEMANDS = new Set(['forbidden_files', 'required_files'])
/** Lists of rules whose order has a meaning: a rule may be added at the end only. */
const ORDERED = new Set(['layers'])

/** Policies of the base that the change removes or changes; `modules` are paths whose content the change replaces. */
export async function findPolicyWeakenings(
  { before, after }: Sides,
  modules: ReadonlySet<string>,
): Promise<Weakening[]> {
  if (!before) return []
  const [old, now] = [await readTree(before), await readTree(after)]
  const file = after?.path ?? before.path
  const found = compareLists('policy', listRules(old?.policies), listRules(now?.policies))
  for (const policy of listRules(old?.policies)) {
    const module = isObject(policy.opa) ? policy.opa.module : undefined
    if (typeof module === 'string' && modules.has(module)) found.push(`the module ${module} of a policy changed`)
  }
  return found.map(what => makeWeakening(file, what))
}

/** Architecture rules of the base that the change removes or changes. */
export async function findArchitectureWeakenings({ before, after }: Sides): Promise<Weakening[]> {
  if (!before) return []
  const file = after?.path ?? before.path
  const old = await readTree(before)
  if (!old) return []
  const now = (await readTree(after)) ?? {}
  return Object.keys({ ...old, ...now })
    .flatMap(key => {
      const [was, is] = [old[key], now[key]]
      if (Array.isArray(was)) return compareLists(`the rule of ${key}`, listRules(was), listRules(is), ORDERED.has(key))
      // `include` and `exclude` decide which files there are rules for.
      if (key === 'include' || key === 'exclude')
        return isDeepStrictEqual(was, is) ? [] : [`${key} changed from ${formatValue(was)} to ${formatValue(is)}`]
      if (!(key in old)) return []
      if (!(key in now)) return [`the rule ${key} was removed`]
      return compareRule(key, asTree(was), asTree(is))
    })
    .map(what => makeWeakening(file, what))
}

function compareLists(kind: string, old: readonly Tree[], now: readonly Tree[], isOrdered = false): string[] {
  const found = old.flatMap((rule, index) => {
    const name = typeof rule.name === 'string' ? rule.name : undefined
    // A rule without a name is found by what it says.
    const same = isOrdered
      ? now[index]
      : now.find(each => (name === undefined ? isDeepStrictEqual(each, rule) : each.name === name))
    const shown = name ?? digestOf(rule)
    if (!same || same.name !== rule.name) return [`${kind} ${shown} was ${isOrdered ? 'moved or ' : ''}removed`]
    return compareRule(`${kind} ${shown}`, rule, same)
  })
  return found
}

/** How a rule got weaker. What is unknown of its keys counts as weaker: only words, a higher severity and fewer exceptions do not. */
function compareRule(shown: string, old: Tree, now: Tree): string[] {
  return Object.keys({ ...old, ...now }).flatMap(key => {
    const [was, is] = [old[key], now[key]]
    if (WORDS.has(key) || isDeepStrictEqual(was, is)) return []
    if (key === SEVERITY && (is === 'critical' || was === 'info' || rank(is) < rank(was))) return []
    if (EXCEPTIONS.has(key)) {
      const known = new Set(asList(was))
      if (asList(is).every(each => known.has(each)) && (key === 'except' || asList(is).length > 0)) return []
    }
    if (DEMANDS.has(key) && Array.isArray(was) && Array.isArray(is)) {
      const demanded = new Set(is.map(each => JSON.stringify(each)))
      if (was.every(each => demanded.has(JSON.stringify(each)))) return []
    }
    return [`${key} of ${shown} changed from ${formatValue(was)} to ${formatValue(is)}`]
  })
}

/** The more severe, the smaller; without a severity nobody can compare. */
function rank(severity: unknown): number {
  const index = (SEVERITIES as readonly unknown[]).indexOf(severity)
  return index === -1 ? Number.NaN : index
}

/** The map in a file; undefined where there is no file, or where it is none: then all that was there is gone. */
async function readTree(file: RuleFile | undefined): Promise<Tree | undefined> {
  if (!file) return undefined
  const { value, faults } = parseYaml(file.bytes, file.path)
  return faults.length === 0 && isObject(value) ? value : undefined
}

function listRules(value: unknown): Tree[] {
  return Array.isArray(value) ? value.map(asTree) : []
}

function asTree(value: unknown): Tree {
  return isObject(value) ? value : {}
}

function asList(value: unknown): unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

function digestOf(rule: Tree): string {
  return `[${createHash('sha256').update(JSON.stringify(rule)).digest('hex').slice(0, 12)}]`
}

function makeWeakening(file: string, what: string): Weakening {
  return { rule_id: 'gate-config-weakened', file, line: 1, what }
}
