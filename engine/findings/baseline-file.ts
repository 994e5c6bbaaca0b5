import { writeProjectFile } from '../base/disk/project-write.ts'
import { readSettings } from '../base/disk/settings-file.ts'
import type { EngineError, Fault } from '../base/errors.ts'
import { isObject } from '../base/text/json-object.ts'
import { describeKind, findPlainKey, formatValue } from '../base/text/words.ts'
import { BASELINE_PATH } from '../sources/config/paths.ts'
import { refuseConfig as invalidFile } from '../sources/config/validate.ts'
import { type Baseline, type BaselineEntry, type BaselineGap, compareEntries } from './baseline.ts'

/** Version of the file's form. A file of another version is refused, never read by halves. */
const FORM = 1
/** Files that an svc up to 0.1 wrote have the first three too. */
const KEYS = ['tool_version', 'run_id', 'git_sha', 'version', 'entries', 'gaps']
const ENTRY_KEYS = ['fingerprint', 'rule_id', 'file', 'line']
const FINGERPRINT = /^[0-9a-f]{32}$/
/** A larger file is refused unread: a million entries are smaller. */
const MOST_BYTES = 256 << 20
/** Faults that are listed; a file that is broken throughout has as many as entries. */
const MOST_FAULTS = 20

/**
 * The repository's baseline; undefined where there is no such file. CONFIG_INVALID, with the line, for a file that is not
 * understood: taken for an empty one it would fail every gate, and taken for granted it would pass some.
 */
export function readBaseline(root: string): Baseline | undefined {
  const bytes = readSettings(root, BASELINE_PATH, { most: MOST_BYTES })
  return bytes && { ...parseBaseline(bytes.toString('utf8')), content: bytes }
}

/** As `readBaseline`, from the file's text. */
export function parseBaseline(text: string): Baseline {
  const clean = text.replace(/^\ufeff/, '')
  const conflict = /^(?:<{7}|={7}|>{7})(?: |$)/m.exec(clean)
  if (conflict) {
    const place = { file: BASELINE_PATH, line: lineAt(clean, conflict.index) }
    throw invalid([{ message: 'The baseline contains an unresolved merge conflict.', place }])
  }
  let value: unknown
  try {
    value = JSON.parse(clean)
  } catch {
    const line = brokenLine(clean)
    throw invalid([{ message: 'The baseline is not valid JSON.', place: { file: BASELINE_PATH, line } }])
  }
  const faults = faultsOf(value, clean)
  if (faults.length > 0) throw invalid(faults)
  const { git_sha, entries, gaps } = value as Baseline
  // Two branches may both have added an entry; what a merge leaves of that is no fault.
  const once = new Map(entries.map(entry => [entry.fingerprint, entry]))
  return {
    ...(git_sha !== undefined && { git_sha }),
    entries: [...once.values()].sort(compareEntries),
    ...(gaps !== undefined && { gaps: sortGaps(gaps) }),
  }
}

/**
 * Writes the baseline in one step: the same entries give the same bytes, one entry a line, so that git merges it. A file that holds exactly
 * these entries already is left as it is; answers whether it was written.
 */
export function writeBaseline(root: string, baseline: Baseline, before: Baseline | undefined): boolean {
  const written = ({ entries, gaps = [] }: Baseline) => JSON.stringify([lines(entries), gapLines(gaps)])
  if (before && written(before) === written(baseline)) return false
  writeProjectFile(root, BASELINE_PATH, formatBaseline(baseline))
  return true
}

/** The file's text. */
export function formatBaseline({ entries, gaps = [] }: Baseline): string {
  const list = (key: string, items: readonly string[]) =>
    `  "${key}": [${items.map(line => `\n    ${line}`).join(',')}${items.length > 0 ? '\n  ' : ''}]`
  const more = gaps.length > 0 ? `,\n${list('gaps', gapLines(gaps))}` : ''
  return `{\n  "version": ${FORM},\n${list('entries', lines(entries))}${more}\n}\n`
}

function gapLines(gaps: readonly BaselineGap[]): string[] {
  return sortGaps(gaps).map(({ rule_id, file }) => JSON.stringify({ rule_id, file }))
}

/** By file, then rule, each once. */
export function sortGaps(gaps: readonly BaselineGap[]): BaselineGap[] {
  const byKey = new Map(gaps.map(({ rule_id, file }) => [`${file}\0${rule_id}`, { rule_id, file }]))
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, gap]) => gap)
}

function lines(entries: readonly BaselineEntry[]): string[] {
  return [...entries]
    .sort(compareEntries)
    .map(({ fingerprint, rule_id, file, line }) => JSON.stringify({ fingerprint, rule_id, file, line }))
}

function faultsOf(value: unknown, text: string): Fault[] {
  if (!isObject(value))
    return [{ message: 'The baseline must be a JSON object.', place: { file: BASELINE_PATH, line: 1 } }]
  const faults: Fault[] = []
  const say = (message: string, line?: number) =>
    faults.push({ message, place: { file: BASELINE_PATH, ...(line !== undefined && { line }) } })
  if (value.version !== FORM) {
    say(`version must be ${FORM}, but was ${formatValue(value.version)}; a later svc may have written the file.`)
    return faults
  }
  for (const key of Object.keys(value))
    if (!KEYS.includes(key)) say(`${findPlainKey(key) ?? 'This key'} is not a known key of a baseline.`)
  if (value.git_sha !== undefined && !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(String(value.git_sha)))
    say(`git_sha must be a full commit id, but was ${formatValue(value.git_sha)}.`)
  if (!Array.isArray(value.entries)) {
    say(`entries must be a list, but was ${formatValue(value.entries)}.`)
    return faults
  }
  for (const [index, entry] of value.entries.entries()) {
    const message = entryFault(entry)
    if (message === undefined) continue
    if (faults.length >= MOST_FAULTS) break
    say(`Entry ${index + 1}: ${message}`, lineOfEntry(text, entry))
  }
  if (value.gaps !== undefined && !isGaps(value.gaps)) say('gaps must be a list of {rule_id, file}, both strings.')
  return faults
}

function isGaps(value: unknown): boolean {
  return Array.isArray(value) && value.every(gap => isObject(gap) && isText(gap.rule_id) && isText(gap.file))
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function entryFault(entry: unknown): string | undefined {
  if (!isObject(entry)) return `it must be an object, but was ${describeKind(entry)}.`
  const unknown = Object.keys(entry).find(key => !ENTRY_KEYS.includes(key))
  if (unknown !== undefined) return `${findPlainKey(unknown) ?? 'This key'} is not a known key.`
  if (typeof entry.fingerprint !== 'string' || !FINGERPRINT.test(entry.fingerprint))
    return `fingerprint must be 32 hexadecimal digits, but was ${formatValue(entry.fingerprint)}.`
  for (const key of ['rule_id', 'file'])
    if (typeof entry[key] !== 'string' || entry[key] === '')
      return `${key} must be a string, but was ${formatValue(entry[key])}.`
  if (entry.line !== undefined && !(Number.isSafeInteger(entry.line) && Number(entry.line) >= 1))
    return `line must be a number from 1, but was ${formatValue(entry.line)}.`
  return undefined
}

/** The line on which an entry seems to stand: that of the first of its texts that is found. */
function lineOfEntry(text: string, entry: unknown): number | undefined {
  const known = isObject(entry) ? [entry.fingerprint, entry.file, entry.rule_id] : [entry]
  for (const value of known) {
    const at = typeof value === 'string' && value !== '' ? text.indexOf(JSON.stringify(value)) : -1
    if (at >= 0) return lineAt(text, at)
  }
  return undefined
}

/** The first line that begins like an entry and is none; the last line where each of them is well. */
function brokenLine(text: string): number {
  const all = text.trimEnd().split('\n')
  const at = all.findIndex(line => {
    if (!/^\s*\{./.test(line)) return false
    try {
      JSON.parse(line.trim().replace(/,$/, ''))
      return false
    } catch {
      return true
    }
  })
  return at < 0 ? all.length : at + 1
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

function invalid(faults: Fault[]): EngineError {
  return invalidFile(
    faults,
    `Fix ${BASELINE_PATH} or restore it from git; or delete it and create it again with \`svc scan --update-baseline\`.`,
  )
}
