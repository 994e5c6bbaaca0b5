import { existsSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeProjectFile } from '../base/disk/project-write.ts'
import { readSettings } from '../base/disk/settings-file.ts'
import { EngineError } from '../base/errors.ts'
import { formatUnifiedDiff } from '../fixes/unified-diff.ts'
import { CLIENT_NAMES, type ClientName, COMMON_INSTRUCTIONS, COMMON_SKILL, getClient } from './clients.ts'
import { type Edited, extend, strip } from './edit-text.ts'
import { type Json, loadJson } from './insert-json.ts'
import { type AssistantRecord, formatRecord, RECORD_PATH, readRecord, type Written } from './record.ts'
import { type Left, refuseLinkedRecord, settleTargets } from './settle.ts'
import { detectClients, listTargets, type Target } from './targets.ts'

/** What is to be done to a repository. */
export interface InitRequest {
  clients?: readonly ClientName[]
  hooks: boolean
  remove: boolean
  dry_run: boolean
}

export type Action = 'created' | 'changed' | 'unchanged' | 'deleted'

export interface InitResult {
  clients: ClientName[]
  files: { path: string; action: Action }[]
  /** A unified diff of all changes. */
  diff: string
  /** What is not svc's text any more, or not at its own place, and so stays as it is. */
  left: Left[]
}

interface Change {
  path: string
  before: string | undefined
  after: string | undefined
  written?: Written
  left?: string
}

/** The largest file that is extended. */
const MOST = 4 << 20

/**
 * Sets assistants up to use svc, or removes that again. All changes are computed before the first is written, so a file that cannot be
 * extended (CONFLICT, with its line) changes nothing; a write that fails is undone with those before it.
 */
export async function initializeAssistants(root: string, request: InitRequest): Promise<InitResult> {
  const clients = request.remove ? (request.clients ?? CLIENT_NAMES) : (request.clients ?? detectClients(root))
  const record = readRecord(root, listTargets(root, CLIENT_NAMES, true))
  const json = await loadJson()
  refuseLinkedRecord(root)
  const { targets, left } = settleTargets(root, selectTargets(root, clients, record, request))
  const next: AssistantRecord = new Map(record)
  const changes: Change[] = []
  for (const target of targets) {
    const change = await planChange(root, target, record.get(target.path), target.remove, json)
    if (change.written) next.set(change.path, change.written)
    else next.delete(change.path)
    changes.push(change)
    if (change.left !== undefined) left.push({ path: change.path, reason: change.left })
  }
  changes.push(planRecord(root, record, next))
  const moved = changes.filter(({ before, after }) => before !== after)
  if (!request.dry_run) writeAll(root, moved, record)
  return {
    clients: [...clients],
    files: changes
      .filter(({ before, after }) => before !== undefined || after !== undefined)
      .map(({ path, before, after }) => ({ path, action: nameAction(before, after) })),
    diff: moved.map(diffOf).join(''),
    left,
  }
}

/** What is written, and what is removed: with `remove` all but what other assistants share, without hooks the hooks of before. */
function selectTargets(
  root: string,
  clients: readonly ClientName[],
  record: AssistantRecord,
  { hooks, remove }: InitRequest,
): (Target & { remove: boolean })[] {
  const all = listTargets(root, clients, true).map(target => ({ ...target, remove }))
  if (remove) {
    const others = CLIENT_NAMES.filter(name => !clients.includes(name))
    const isShared = others.some(name => getClient(name).mcp.some(({ path, user }) => !user && record.has(path)))
    return all.filter(({ path }) => !isShared || (path !== COMMON_INSTRUCTIONS && path !== COMMON_SKILL))
  }
  if (hooks) return all
  const wanted = listTargets(root, clients, false).map(target => ({ ...target, remove: false }))
  const old = all.filter(({ path }) => record.has(path) && !wanted.some(target => target.path === path))
  return [...wanted, ...old.map(target => ({ ...target, remove: true }))]
}

async function planChange(
  root: string,
  target: Target,
  noted: Written | undefined,
  remove: boolean,
  json: Json,
): Promise<Change> {
  const { path } = target
  const before = readText(root, path)
  const isEmpty = before === undefined || before.replace(/^\uFEFF/, '').trim() === ''
  const bare: Edited = isEmpty ? { text: before } : await strip(json, target, before, noted)
  // Of JSON, the other entries are judged one by one.
  if (bare.left !== undefined && (target.kind !== 'json' || remove))
    return { path, before, after: bare.text, left: bare.left, ...(!remove && noted && { written: noted }) }
  if (remove) return { path, before, after: isOurFile(target, bare.text, noted, before) ? undefined : bare.text }
  const edited = await extend(json, target, bare.text)
  if (edited.text === before && noted) return { path, before, after: before, written: noted }
  const folders = noted?.folders ?? listMissingFolders(root, path)
  const written = edited.written && { ...edited.written, ...(folders.length > 0 && { folders }) }
  return { path, before, after: edited.text, ...(written && { written }) }
}

/** A skill file without a record is svc's whole: nothing is left of it. */
function isOurFile(target: Target, bare: string | undefined, noted: Written | undefined, before?: string): boolean {
  return target.kind === 'whole' && bare === '' && before !== '' && (noted === undefined || noted.made !== undefined)
}

/** The record; it also notes that svc made its directory. */
function planRecord(root: string, old: AssistantRecord, next: AssistantRecord): Change {
  const before = readText(root, RECORD_PATH)
  const own = next.get(RECORD_PATH)
  next.delete(RECORD_PATH)
  if (next.size === 0) return { path: RECORD_PATH, before, after: undefined }
  const folders = own?.folders ?? listMissingFolders(root, RECORD_PATH)
  if (folders.length > 0) next.set(RECORD_PATH, { inserted: [], folders })
  const isSame = formatRecord(old) === formatRecord(next)
  return { path: RECORD_PATH, before, after: isSame ? before : formatRecord(next) }
}

/** A file's text, each byte of it kept by the text. CONFLICT for what is no UTF-8. */
function readText(root: string, path: string): string | undefined {
  const bytes = readSettings(root, path, { most: MOST })
  if (bytes === undefined) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw new EngineError('CONFLICT', `${path}:1 is not UTF-8, so nothing was written.`, {
      place: { file: path, line: 1 },
      cause: error,
    })
  }
}

function listMissingFolders(root: string, path: string): string[] {
  const missing: string[] = []
  for (let at = dirname(path); at !== '.' && !existsSync(join(root, at)); at = dirname(at)) missing.unshift(at)
  return missing
}

function writeAll(root: string, changes: readonly Change[], record: AssistantRecord): void {
  const done: Change[] = []
  try {
    for (const change of changes) {
      done.push(change)
      put(root, change.path, change.after)
    }
  } catch (error) {
    for (const { path, before } of done.reverse()) put(root, path, before)
    throw error
  }
  for (const { path, after } of changes) if (after === undefined) removeFolders(root, path, record.get(path)?.folders)
}

function put(root: string, path: string, text: string | undefined): void {
  if (text !== undefined) writeProjectFile(root, path, text)
  else rmSync(join(root, path), { force: true })
}

/** Directories that svc made go with its file, as far as they are empty. */
function removeFolders(root: string, path: string, folders: readonly string[] = []): void {
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    if (!folders.includes(at)) return
    try {
      rmdirSync(join(root, at))
    } catch (error) {
      // Others have put something there.
      if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return
      throw error
    }
  }
}

function nameAction(before: string | undefined, after: string | undefined): Action {
  if (before === after) return 'unchanged'
  return before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed'
}

function diffOf({ path, before, after }: Change): string {
  const text = before ?? ''
  const diff = formatUnifiedDiff(path, text, [{ start: 0, end: text.length, text: after ?? '' }])
  // As git writes a file that is made or deleted.
  if (before === undefined) return diff.replace(/^--- .*/, '--- /dev/null')
  return after === undefined ? diff.replace(/^\+\+\+ .*/m, '+++ /dev/null') : diff
}
