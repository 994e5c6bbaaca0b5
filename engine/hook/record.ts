import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readOwn, writeTemporary } from '../base/disk/own-folder.ts'
import { EngineError } from '../base/errors.ts'
import type { Finding } from '../base/records/finding.ts'
import { makeOut } from '../sources/store/layout.ts'

/** What the last pre-commit scan leaves in the output directory. */
export const RECORD_FILE = 'pre-commit.json'

/** What the last pre-commit scan found, for `fix-hook` and for whoever wants all of it: out/pre-commit.json. */
export interface PreCommitRecord {
  version: 1
  /** ISO 8601, UTC. */
  scanned_at: string
  /** Object id of what was staged, for each file with a fix. */
  blobs: Record<string, string>
  /** What the staged change introduces, in the order of compareFindings. */
  findings: Finding[]
}

/** Writes the record in one step. DISK where the system refuses. */
export function writeRecord(out: string, record: PreCommitRecord): void {
  const path = join(out, RECORD_FILE)
  const temporary = `${path}.${process.pid}.tmp`
  try {
    makeOut(out)
    writeTemporary(temporary, `${JSON.stringify(record, null, 1)}\n`)
    renameSync(temporary, path)
  } catch (error) {
    if (existsSync(temporary)) rmSync(temporary)
    if (error instanceof EngineError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new EngineError('DISK', `${RECORD_FILE} cannot be written: ${code ?? 'unknown reason'}.`, { cause: error })
  }
}

/** The record; RUN_NOT_FOUND where there is none, STORE_UNREADABLE where it is not one. */
export function readRecord(out: string): PreCommitRecord {
  const bytes = readOwn(join(out, RECORD_FILE))
  if (!bytes)
    throw new EngineError('RUN_NOT_FOUND', 'There was no pre-commit scan in this repository yet.', {
      hint: 'Stage the change and run `svc pre-commit-scan`.',
    })
  const record = parse(bytes.toString('utf8'))
  if (record) return record
  throw new EngineError('STORE_UNREADABLE', `${RECORD_FILE} is not a record of a pre-commit scan.`, {
    hint: 'Run `svc pre-commit-scan` again.',
  })
}

/** The record in the text; undefined where it lacks what fixing relies on. */
function parse(text: string): PreCommitRecord | undefined {
  let record: Partial<PreCommitRecord> | null
  try {
    record = JSON.parse(text)
  } catch {
    return undefined
  }
  if (record?.version !== 1 || !isMap(record.blobs) || !Array.isArray(record.findings)) return undefined
  return record.findings.every(isFinding) ? (record as PreCommitRecord) : undefined
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every(id => /^[0-9a-f]{40,64}$/.test(id))
}

const TEXTS = ['fingerprint', 'rule_id', 'file', 'snippet', 'severity', 'category'] as const
const PLACES = ['line', 'column', 'end_line', 'end_column'] as const
const EDIT = ['start_line', 'start_column', 'end_line', 'end_column'] as const

function isFinding(value: unknown): boolean {
  const finding = value as Finding | null
  if (typeof finding !== 'object' || finding === null) return false
  const edits = finding.fix === undefined ? [] : finding.fix?.edits
  return (
    TEXTS.every(key => typeof finding[key] === 'string') &&
    PLACES.every(key => Number.isInteger(finding[key])) &&
    Array.isArray(edits) &&
    edits.every(edit => typeof edit?.text === 'string' && EDIT.every(key => Number.isInteger(edit[key])))
  )
}
