import { readSettings } from '../base/disk/settings-file.ts'
import { isObject, type JsonObject, parseObject } from '../base/text/json-object.ts'

/** Where svc notes what it inserted into which file, so that exactly that can be removed again. It is committed with the files. */
export const RECORD_PATH = '.svc/assistants.json'

/** What svc did to one file. */
export interface Written {
  /** The text of the file before anything was inserted, where svc made the file. */
  made?: string
  /** Directories that svc made for it, outermost first. */
  folders?: string[]
  /** Insertions in the order in which they were made. */
  inserted: string[]
}

export type AssistantRecord = Map<string, Written>

const MOST = 1 << 20

/**
 * The record of the repository, as far as it speaks of files that svc extends; empty where there is none or none that can be read: then files
 * are searched by their structure.
 */
export function readRecord(root: string, known: readonly { path: string }[]): AssistantRecord {
  const text = readSettings(root, RECORD_PATH, { most: MOST })?.toString('utf8')
  const files = text === undefined ? undefined : parseObject(text)?.files
  const paths = new Set([RECORD_PATH, ...known.map(({ path }) => path)])
  const entries = isObject(files) ? Object.entries(files).filter(([path]) => paths.has(path)) : []
  return new Map(entries.flatMap(([path, value]) => readWritten(path, value)))
}

function readWritten(path: string, value: unknown): [string, Written][] {
  if (!isObject(value)) return []
  const { made, folders, inserted } = value as JsonObject
  if (!isStrings(inserted) || inserted.some(text => text === '')) return []
  const written: Written = { inserted }
  if (typeof made === 'string') written.made = made
  if (isStrings(folders)) written.folders = folders
  return [[path, written]]
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(one => typeof one === 'string')
}

/** The record as text, files sorted by path. */
export function formatRecord(record: AssistantRecord): string {
  const files = Object.fromEntries([...record].sort(([a], [b]) => (a < b ? -1 : 1)))
  return `${JSON.stringify({ version: 1, files }, null, 2)}\n`
}
