import { relative, sep } from 'node:path'
import { EngineError } from '../errors.ts'

/** What the system's words mean to whoever has to do something about it. */
const REASONS: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EFBIG: 'the file would be larger than is permitted here',
  EIO: 'the disk reports an error',
  ENOTDIR: 'a file exists where a directory is expected',
  EEXIST: 'a file exists where a directory is expected',
  EISDIR: 'a directory exists where a file is expected',
  ENOTEMPTY: 'a directory exists where a file is expected',
  ENAMETOOLONG: 'the path is too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ELOOP: 'symbolic links form a loop',
  ESTALE: 'the network file system has lost the file',
}

/** The system's word for why a write failed, in words; undefined for an error that is not the disk's. */
export function findDiskReason(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && REASONS[code] !== undefined ? `${REASONS[code]} (${code})` : undefined
}

/** A failed write as DISK with what could not be written, named from `root`; any other error, and one that is explained already, as it is. */
export function writeFault(error: unknown, root: string, what: string): unknown {
  const reason = error instanceof EngineError ? undefined : findDiskReason(error)
  if (reason === undefined) return error
  return new EngineError('DISK', `${relative(root, what).split(sep).join('/') || what} cannot be written: ${reason}.`, {
    cause: error,
  })
}
