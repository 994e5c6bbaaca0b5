import type { Document, YAMLSeq } from 'yaml'
import { writeProjectFile } from '../base/disk/project-write.ts'
import { MAX_SETTINGS_BYTES, readSettings } from '../base/disk/settings-file.ts'
import { EngineError, type Fault } from '../base/errors.ts'
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

/** As `addSuppressions`, for one. */
export async function addSuppression(root: string, fields: SuppressionFields): Promise<'added' | 'replaced'> {
  return (await addSuppressions(root, [fields]))[0]!
}

/**
 * Adds entries, or replaces those for the same rule and file; all in one step, or none. Comments and order of the file stay.
 * CONFIG_INVALID, and nothing written, where the file that is there is not valid; INPUT_INVALID where it would get too large to be read.
 */
export async function addSuppressions(
  root: string,
  added: readonly SuppressionFields[],
): Promise<('added' | 'replaced')[]> {
  const done: ('added' | 'replaced')[] = []
  await edit(root, (document, list, entries) => {
    done.length = 0
    const places = new Map(
      entries.map(({ rule, file }, at) => [placeKey(rule, file), at]).reverse() as [string, number][],
    )
    for (const fields of added) {
      const ordered = Object.fromEntries(
        KEYS.flatMap(key => (key in fields ? [[key, fields[key as keyof SuppressionFields]]] : [])),
      )
      const at = places.get(placeKey(fields.rule, fields.file))
      if (at === undefined) {
        places.set(placeKey(fields.rule, fields.file), list.items.length)
        list.items.push(document.createNode(ordered))
      } else
        for (const key of KEYS) key in ordered ? document.setIn([at, key], ordered[key]) : document.deleteIn([at, key])
      done.push(at === undefined ? 'added' : 'replaced')
    }
    return true
  })
  return done
}

function placeKey(rule: string, file: string | undefined): string {
  return JSON.stringify([rule, file ?? null])
}

/** Takes out the entries that are meant; answers what was taken out. Otherwise as `addSuppressions`. */
export async function removeSuppressions(
  root: string,
  isMeant: (entry: SuppressionEntry) => boolean,
): Promise<SuppressionEntry[]> {
  let gone: SuppressionEntry[] = []
  await edit(root, (_, list, entries) => {
    const meant = entries.map(isMeant)
    gone = entries.filter((_entry, at) => meant[at])
    list.items = list.items.filter((_item, at) => !meant[at])
    return gone.length > 0
  })
  return gone
}

/** How often an edit begins again since another has written the file meanwhile. */
const MOST_TRIES = 50

/** Changes the file in one step, from what it is at that moment. `change` answers whether there is anything to write. */
async function edit(
  root: string,
  change: (document: Document, list: YAMLSeq, entries: readonly SuppressionEntry[]) => boolean,
): Promise<void> {
  const { parseDocument, isSeq } = await import('yaml')
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const bytes = readSettings(root, SUPPRESSIONS_PATH)
    const entries = bytes ? await parseSuppressions(bytes) : []
    const before = bytes?.toString('utf8')
    const document = parseDocument(before ?? '')
    if (before === undefined) document.commentBefore = HEADER
    if (!isSeq(document.contents)) document.contents = document.createNode([]) as unknown as typeof document.contents
    const list = document.contents as unknown as YAMLSeq
    // An empty list is written [], which would make a flow of what is added to it.
    list.flow = false
    if (!change(document as Document, list, entries)) return
    const text = document.toString({ lineWidth: 0 })
    const after = before?.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text
    if (Buffer.byteLength(after) > MAX_SETTINGS_BYTES)
      throw new EngineError('INPUT_INVALID', `${SUPPRESSIONS_PATH} would have more than ${MAX_SETTINGS_BYTES} bytes.`, {
        hint: 'Give a shorter reason, or cover a directory with `svc suppress --file "legacy/**"`.',
      })
    await parseSuppressions(Buffer.from(after))
    // Nothing is awaited between this and the writing.
    const now = readSettings(root, SUPPRESSIONS_PATH)
    if (now === undefined ? bytes !== undefined : bytes === undefined || !now.equals(bytes)) continue
    writeProjectFile(root, SUPPRESSIONS_PATH, after)
    return
  }
  throw new EngineError('CONFLICT', `${SUPPRESSIONS_PATH} is being written by others all the time.`)
}

function invalid(faults: Fault[]): EngineError {
  return invalidFile(faults, `Correct the named line of ${SUPPRESSIONS_PATH}.`)
}
