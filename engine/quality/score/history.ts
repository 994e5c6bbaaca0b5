import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readLinked, writeTemporary } from '../../base/disk/own-folder.ts'
import { runInTurn } from '../../base/disk/turn.ts'
import { EngineError } from '../../base/errors.ts'
import { makeOut } from '../../sources/store/layout.ts'

/** The file of earlier scores, in the output directory. */
export const HISTORY_FILE = 'quality_history.json'

/** Older entries are dropped. */
const MOST_ENTRIES = 1000

/** One measurement. */
export interface QualityEntry {
  /** ISO 8601, UTC. */
  at: string
  score: number | null
  git_sha?: string
  branch?: string
  run_id?: string
  /** By dimension; null where there was no data. */
  dimensions: Record<string, number | null>
}

/** Earlier scores, oldest first; none where there is no file. STORE_UNREADABLE where it cannot be read, or is not what svc writes. */
export function readQualityHistory(out: string): QualityEntry[] {
  const bytes = readLinked(join(out, HISTORY_FILE))
  if (!bytes) return []
  let entries: unknown
  try {
    entries = JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw unreadable('it is not JSON', cause)
  }
  if (!Array.isArray(entries) || !entries.every(isEntry)) throw unreadable('it is no list of scores')
  return entries
}

/** Appends a score, in one step; processes that append at once do so one after the other. DISK where the directory cannot be written. */
export async function appendQualityHistory(out: string, entry: QualityEntry): Promise<void> {
  makeOut(out)
  await runInTurn(join(out, '.quality-turn'), async () => {
    const entries = [...readQualityHistory(out), entry].slice(-MOST_ENTRIES)
    const temporary = join(out, `.${HISTORY_FILE}.${process.pid}.tmp`)
    try {
      writeTemporary(temporary, `${JSON.stringify(entries, null, 1)}\n`)
      renameSync(temporary, join(out, HISTORY_FILE))
    } catch (error) {
      rmSync(temporary, { force: true })
      const code = (error as NodeJS.ErrnoException).code
      throw new EngineError('DISK', `${HISTORY_FILE} cannot be written: ${code}.`, { cause: error })
    }
  })
}

function isEntry(value: unknown): value is QualityEntry {
  const entry = value as Partial<QualityEntry> | null
  if (typeof entry?.at !== 'string' || !isScore(entry.score)) return false
  if (typeof entry.dimensions !== 'object' || entry.dimensions === null) return false
  const names = [entry.git_sha, entry.branch, entry.run_id]
  return (
    names.every(name => name === undefined || typeof name === 'string') &&
    Object.values(entry.dimensions).every(isScore)
  )
}

function isScore(value: unknown): value is number | null {
  return value === null || (typeof value === 'number' && value >= 0 && value <= 100)
}

function unreadable(why: string, cause?: unknown): EngineError {
  return new EngineError('STORE_UNREADABLE', `${HISTORY_FILE} cannot be read: ${why}.`, {
    hint: `Delete out/${HISTORY_FILE}, or restore it; earlier scores are lost without it.`,
    cause,
  })
}
