import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { findDiskReason } from '../base/disk/disk.ts'
import { EngineError } from '../base/errors.ts'
import type { Log } from './verify.ts'

/** Reads an export: a sealed text a line, the signed head in the last. NOT_FOUND where it cannot be read. */
export function readExport(cwd: string, name: string): Log {
  let lines: string[]
  try {
    lines = readFileSync(resolve(cwd, name), 'utf8')
      .split('\n')
      .filter(line => line !== '')
  } catch (error) {
    throw new EngineError('NOT_FOUND', `The export ${name} cannot be read.`, { cause: error })
  }
  const last = lines.at(-1)
  const hasHead = last !== undefined && /"log_id":/.test(last) && !/"prev_hash":/.test(last)
  const entries = hasHead ? lines.slice(0, -1) : lines
  return { texts: () => entries, head: hasHead ? last : undefined }
}

/**
 * Writes lines to a file in one step, readable by its owner only; how many. It is on the disk when this comes back, since
 * retention then removes what is in it. DISK where the system refuses.
 */
export function writeExport(path: string, name: string, lines: Iterable<string>): number {
  const temporary = `${path}.${process.pid}.tmp`
  let handle: number | undefined
  try {
    handle = openSync(temporary, 'w', 0o600)
    let count = 0
    for (const line of lines) {
      writeSync(handle, `${line}\n`)
      count++
    }
    fsyncSync(handle)
    renameSync(temporary, path)
    return count
  } catch (error) {
    rmSync(temporary, { force: true })
    const reason = findDiskReason(error) ?? (error as NodeJS.ErrnoException).code ?? 'unknown reason'
    throw new EngineError('DISK', `${name} cannot be written: ${reason}.`, { cause: error })
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}
