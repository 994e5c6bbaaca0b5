import type { Document, YAMLSeq } from 'yaml'
import { writeProjectFile } from '../base/disk/project-write.ts'
import { readSettings } from '../base/disk/settings-file.ts'
import type { EngineError, Fault } from '../base/errors.ts'
import { findNearest } from '../base/text/nearest.ts'
import { describeKind, findPlainKey, formatValue } from '../base/text/words.ts'
import { parseYaml } from '../sources/config/parse.ts'
import { SUPPRESSIONS_PATH } from '../sources/config/paths.ts'
import { refuseConfig as invalidFile } from '../sources/config/validate.ts'

/** What a file suppression says. */
export interface SuppressionFields {
  /** Exact rule id. */
  rule: string
  /** A file, a folder or a glob from the root; every file where absent. */
  file?: string
  reason: string
  /** ISO 8601 date, the last day on which it holds. */
  expires?: string
  approved_by?: string
}

export interface SuppressionEntry extends SuppressionFields {
  /** Where it stands in the file, from 1. */
  line: number
}

const KEYS = ['rule', 'file', 'reason', 'expires', 'approved_by']
const HEADER =
  ' Findings that are accepted, with the reason. Written by `svc suppress`; an entry past its date has no effect.'

/**
 * The entries of `.svc/suppressions.yaml`, in order; none where there is no such file, which costs one failed open.
 * CONFIG_INVALID with every fault and its line: a file that is not understood must not be taken for an empty one.
 */
export async function readSuppressions(root: string): Promise<SuppressionEntry[]> {
  const bytes = readSettings(root, SUPPRESSIONS_PATH)
  return bytes ? parseSuppressions(bytes) : []
}

/** As `readSuppressions`, from the file's bytes. */
export async function parseSuppressions(bytes: Uint8Array): Promise<SuppressionEntry[]> {
  const { value, faults, placeOf } = await parseYaml(bytes, SUPPRESSIONS_PATH)
  if (faults.length === 0 && value !== null && value !== undefined && !Array.isArray(value)) {
    faults.push({
      message: 'The file must be a list of entries, each beginning with `- rule:`.',
      place: placeOf([], 'value'),
    })
  }
  const entries = faults.length === 0 ? ((value ?? []) as unknown[]) : []
  const read = entries.map((entry, index): SuppressionEntry => {
    const place = placeOf([String(index)], 'value')
    for (const { key, message } of faultsOf(entry)) {
      faults.push({ message, place: key === undefined ? place : placeOf([String(index), key], 'value') })
    }
    return { ...(entry as SuppressionFields), line: place.line ?? 1 }
  })
  if (faults.length > 0) throw invalid(faults)
  return read
}

/** What an entry's value must be, as faults; none where it is well. */
function faultsOf(entry: unknown): { key?: string; message: string }[] {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    return [{ message: `An entry must be a map with ${KEYS.join(', ')}, but was ${describeKind(entry)}.` }]
  }
  const out: { key?: string; message: string }[] = []
  for (const [key, value] of Object.entries(entry)) {
    if (!KEYS.includes(key)) {
      const meant = findNearest(key, KEYS)
      out.push({
        key,
        message: `${findPlainKey(key) ?? 'This key'} is not a known key${meant ? `; did you mean ${meant}?` : `. Known: ${KEYS.join(', ')}.`}`,
      })
    } else if (typeof value !== 'string' || value.trim() === '' || value.length > 1_000) {
      out.push({ key, message: `${key} must be a string of 1 to 1,000 characters, but was ${formatValue(value)}.` })
    } else if (key === 'expires' && !isDate(value)) {
      out.push({ key, message: `expires must be a date like 2027-01-31, but was ${formatValue(value)}.` })
    }
  }
  for (const key of ['rule', 'reason']) if (!(key in entry)) out.push({ message: `An entry has no ${key}.` })
  return out
}

/** Whether a text is an ISO 8601 calendar date that exists. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/**
 * Adds an entry, or replaces the one for the same rule and file. Comments and order of the file stay; it is written in
 * one step. CONFIG_INVALID, and nothing written, where the file that is there is not valid.
 */
export async function addSuppression(root: string, fields: SuppressionFields): Promise<'added' | 'replaced'> {
  const entries = await readSuppressions(root)
  const at = entries.findIndex(entry => entry.rule === fields.rule && entry.file === fields.file)
  await edit(root, (document, list) => {
    const ordered = Object.fromEntries(
      KEYS.flatMap(key => (key in fields ? [[key, fields[key as keyof SuppressionFields]]] : [])),
    )
    if (at < 0) list.items.push(document.createNode(ordered))
    else for (const key of KEYS) key in ordered ? document.setIn([at, key], ordered[key]) : document.deleteIn([at, key])
  })
  return at < 0 ? 'added' : 'replaced'
}

/** Takes out the entries for a rule, of one file or of all; answers what was taken out. Otherwise as `addSuppression`. */
export async function removeSuppressions(root: string, rule: string, file?: string): Promise<SuppressionEntry[]> {
  const entries = await readSuppressions(root)
  const gone = entries.filter(entry => entry.rule === rule && (file === undefined || entry.file === file))
  if (gone.length > 0) {
    await edit(root, (_, list) => {
      list.items = list.items.filter((_item, index) => !gone.includes(entries[index]!))
    })
  }
  return gone
}

async function edit(root: string, change: (document: Document, list: YAMLSeq) => void): Promise<void> {
  const { parseDocument, isSeq } = await import('yaml')
  const before = readSettings(root, SUPPRESSIONS_PATH)?.toString('utf8')
  const document = parseDocument(before ?? '')
  if (before === undefined) document.commentBefore = HEADER
  if (!isSeq(document.contents)) document.contents = document.createNode([]) as unknown as typeof document.contents
  const list = document.contents as unknown as YAMLSeq
  // An empty list is written [], which would make a flow of what is added to it.
  list.flow = false
  change(document as Document, list)
  const after = document.toString({ lineWidth: 0 })
  await parseSuppressions(Buffer.from(after))
  writeProjectFile(root, SUPPRESSIONS_PATH, before?.includes('\r\n') ? after.replace(/\r?\n/g, '\r\n') : after)
}

function invalid(faults: Fault[]): EngineError {
  return invalidFile(faults, `Correct the named line of ${SUPPRESSIONS_PATH}.`)
}
