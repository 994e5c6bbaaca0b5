import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { resolveRuleId } from '../../base/records/rule-ids.ts'
import { formatCount } from '../../base/text/words.ts'
import type { Baseline } from '../../findings/baseline.ts'
import { parseBaseline } from '../../findings/baseline-file.ts'
import { parseSuppressions, type SuppressionEntry } from '../../findings/suppression-file.ts'
import { parseYaml } from '../../sources/config/parse.ts'
import { BASELINE_PATH, SUPPRESSIONS_PATH } from '../../sources/config/paths.ts'
import type { Weakening } from './policy-rules.ts'

/** A file's bytes; undefined where it is not there. */
type Content = Uint8Array | undefined

/**
 * The entries that the baseline gains, and the gaps. One finding: a baseline has thousands of lines. An entry whose file only moved
 * (`moved`: the path before, by the path now) takes the place of one of the same rule at the old path, and adds nothing.
 */
export function findBaselineWeakenings(
  before: Content,
  after: Content,
  moved: ReadonlyMap<string, string> = new Map(),
): Weakening[] {
  if (after === undefined) return []
  const read = (bytes: Content) =>
    bytes === undefined ? undefined : parseBaseline(Buffer.from(bytes).toString('utf8'))
  const [old, now] = [resolveRules(read(before)), resolveRules(read(after))!]
  const known = new Set(old?.entries.map(({ fingerprint, rule_id, file }) => `${fingerprint}\0${rule_id}\0${file}`))
  const left = new Map<string, number>()
  for (const { rule_id, file } of old?.entries ?? [])
    left.set(`${rule_id}\0${file}`, (left.get(`${rule_id}\0${file}`) ?? 0) + 1)
  const isMoved = ({ rule_id, file }: { rule_id: string; file: string }) => {
    const key = `${rule_id}\0${moved.get(file)}`
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count > 0
  }
  const added = now.entries.filter(
    entry => !known.has(`${entry.fingerprint}\0${entry.rule_id}\0${entry.file}`) && !isMoved(entry),
  )
  const knownGaps = new Set(old?.gaps?.map(({ rule_id, file }) => `${rule_id}\0${file}`))
  const gaps = (now.gaps ?? []).filter(({ rule_id, file }) => !knownGaps.has(`${rule_id}\0${file}`))
  const parts = [
    added.length > 0 &&
      `${formatCount(added.length, 'finding')} (${firsts(added.map(({ rule_id, file }) => `${rule_id} in ${file}`))})`,
    gaps.length > 0 &&
      `${formatCount(gaps.length, 'gap')} (${firsts(gaps.map(({ rule_id, file }) => `${rule_id} in ${file}`))})`,
  ].filter(part => part !== false)
  if (parts.length === 0) return []
  // Which ones they are has its part in what is agreed to, though not all are shown.
  const digest = digestOf([
    ...added.map(({ fingerprint }) => fingerprint),
    ...gaps.map(({ rule_id, file }) => `${rule_id} ${file}`),
  ])
  return [
    {
      rule_id: 'gate-baseline-extended',
      file: BASELINE_PATH,
      line: 1,
      what: `${parts.join(' and ')} added [${digest}]`,
    },
  ]
}

/** The baseline with the ids that its rules have today: to write an entry anew under the id of its rule adds nothing. */
function resolveRules(baseline: Baseline | undefined): Baseline | undefined {
  const resolved = <T extends { rule_id: string }>(of: T) => ({ ...of, rule_id: resolveRuleId(of.rule_id) })
  return baseline && { ...baseline, entries: baseline.entries.map(resolved), gaps: baseline.gaps?.map(resolved) }
}

/** Each suppression that covers what none covered before: a new rule or file, or a longer time. */
export async function findSuppressionWeakenings(before: Content, after: Content): Promise<Weakening[]> {
  if (after === undefined) return []
  // The longest time for which a rule was suppressed in a file, or in every file; without an end where the time is undefined.
  const longest = new Map<string, string | undefined>()
  for (const entry of before === undefined ? [] : await parseSuppressions(before)) {
    const key = scopeKey(entry)
    const known = longest.get(key)
    if (longest.has(key) && (known === undefined || (entry.expires !== undefined && entry.expires <= known))) continue
    longest.set(key, entry.expires)
  }
  const isCovered = (entry: SuppressionEntry) =>
    [entry, { ...entry, rule: resolveRuleId(entry.rule) }]
      .flatMap(each => [scopeKey(each), scopeKey({ rule: each.rule })])
      .some(key => {
        const until = longest.get(key)
        return longest.has(key) && (until === undefined || (entry.expires !== undefined && entry.expires <= until))
      })
  return (await parseSuppressions(after))
    .filter(entry => !isCovered(entry))
    .map(({ rule, file, expires, approved_by, line }) => ({
      rule_id: 'gate-suppression-added',
      file: SUPPRESSIONS_PATH,
      line,
      what: `${rule} in ${file ?? 'every file'}${expires ? ` until ${expires}` : ''}${approved_by ? `, approved by ${approved_by} in its own words` : ''}`,
    }))
}

function scopeKey({ rule, file }: { rule: string; file?: string }): string {
  return file === undefined ? rule : `${rule}\0${file}`
}

/** A rule or pack file of the repository's own that lost something: whatever it said before has to be in it still. */
export async function findRuleWeakenings(path: string, before: Content, after: Content): Promise<Weakening[]> {
  if (before === undefined) return []
  const made = (what: string): Weakening[] => [{ rule_id: 'gate-pack-disabled', file: path, line: 1, what }]
  if (after === undefined) return made(`${path} deleted`)
  const [old, now] = await Promise.all([parseYaml(before, path), parseYaml(after, path)])
  if (includes(now.value, old.value)) return []
  return made(`the rules in ${path} changed [${digestOf([Buffer.from(after).toString('latin1')])}]`)
}

/** Whether a value holds all that another says: lists may only grow, everything else is equal. */
function includes(now: unknown, old: unknown): boolean {
  if (Array.isArray(now) && Array.isArray(old)) {
    const known = new Set(now.map(canonical))
    return old.every(one => known.has(canonical(one)))
  }
  if (isMap(now) && isMap(old)) {
    const keys = new Set([...Object.keys(now), ...Object.keys(old)])
    return [...keys].every(key =>
      key === 'rules' ? includes(now[key] ?? [], old[key] ?? []) : isDeepStrictEqual(now[key], old[key]),
    )
  }
  return isDeepStrictEqual(now, old)
}

/** The same text for equal values, whatever the order of their keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isMap(value)) return typeof value === 'string' ? JSON.stringify(value) : String(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map(key => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const HIDING = /linguist-generated|linguist-vendored|working-tree-encoding/
/** An attribute that is unset, or set to false: the file is scanned. */
const SHOWING =
  /(?:^|\s)(?:[-!](?:linguist-generated|linguist-vendored|working-tree-encoding)|linguist-(?:generated|vendored)=false)(?:\s|$)/

/** Lines that are a finding each; of more there is one, which counts them. */
const MOST_LINES = 100

/** Macros of attributes by what they do to a file. */
export interface AttributeMacros {
  hiding: ReadonlySet<string>
  showing: ReadonlySet<string>
}

/** The macros that these attributes files of the root define; git takes them from no other file. A macro may stand for others. */
export function readAttributeMacros(...roots: readonly Content[]): AttributeMacros {
  const hiding = new Set<string>()
  const showing = new Set<string>()
  const definedBy = new Map<string, string[]>()
  const found: string[] = []
  for (const line of roots.flatMap(linesOf)) {
    // With a space after the bracket it is a pattern to git.
    const [, name, rest = ''] = /^\[attr\](\S+)(.*)$/.exec(line) ?? []
    if (name === undefined) continue
    if (SHOWING.test(rest)) showing.add(name)
    if (hidesFiles(rest, hiding)) found.push(name)
    for (const word of wordsOf(rest)) {
      const users = definedBy.get(word)
      if (users) users.push(name)
      else definedBy.set(word, [name])
    }
  }
  for (let name = found.pop(); name !== undefined; name = found.pop()) {
    if (hiding.has(name)) continue
    hiding.add(name)
    found.push(...(definedBy.get(name) ?? []))
  }
  return { hiding, showing }
}

/** Lines of an attributes file that take files out of the scan and were not there, and ones that keep files in it and are gone. */
export function findAttributeWeakenings(
  path: string,
  before: Content,
  after: Content,
  { hiding, showing }: AttributeMacros,
): Weakening[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  const [known, kept] = [new Set(old), new Set(now)]
  const hides = (line: string) => hidesFiles(line.replace(/^\S+/, ''), hiding)
  const shows = (line: string) => SHOWING.test(line) || wordsOf(line).some(word => showing.has(word))
  const made = (line: number, what: string): Weakening => ({ rule_id: 'gate-attributes-hide', file: path, line, what })
  const added = now.flatMap((line, index) =>
    hides(line) && !known.has(line) ? [made(index + 1, `"${line}" added`)] : [],
  )
  const gone = old.filter(line => shows(line) && !kept.has(line)).map(line => made(1, `"${line}" removed`))
  if (added.length + gone.length > MOST_LINES) {
    const parts = [
      added.length > 0 && `${formatCount(added.length, 'line')} that exclude files from the scan added`,
      gone.length > 0 && `${formatCount(gone.length, 'line')} that include files in the scan removed`,
    ].filter(part => part !== false)
    const digest = digestOf([...added, ...gone].map(({ what }) => what))
    return [made(added[0]?.line ?? 1, `${parts.join(' and ')} [${digest}]`)]
  }
  const relevant = (lines: readonly string[]) => lines.filter(line => hides(line) || shows(line))
  // The later line wins.
  const isReordered =
    added.length + gone.length === 0 &&
    now.some(shows) &&
    now.some(hides) &&
    !isDeepStrictEqual(relevant(now), relevant(old))
  return [...added, ...gone, ...(isReordered ? [made(1, 'lines that exclude files from the scan moved')] : [])]
}

/** Whether attributes, written without their pattern, take a file out of the scan. */
function hidesFiles(attributes: string, macros: ReadonlySet<string>): boolean {
  return wordsOf(attributes).some(word => (HIDING.test(word) && !SHOWING.test(word)) || macros.has(word))
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}

function linesOf(bytes: Content): string[] {
  if (bytes === undefined) return []
  return Buffer.from(bytes)
    .toString('utf8')
    .split(/\r?\n/)
    .map(line => line.trim())
    .map(line => (line.startsWith('#') ? '' : line))
}

function firsts(texts: readonly string[]): string {
  return `${texts.slice(0, 3).join(', ')}${texts.length > 3 ? ` and ${texts.length - 3} more` : ''}`
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256')
    .update([...parts].sort().join('\n'))
    .digest('hex')
    .slice(0, 12)
}
