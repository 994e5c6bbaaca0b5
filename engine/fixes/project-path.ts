import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { posix } from 'node:path'
import { isInside } from '../base/disk/project-write.ts'
import { EngineError } from '../base/errors.ts'
import { encodePath } from '../base/text/path-name.ts'
import { DEFAULT_OUTPUT, MARKER } from '../sources/repository/own-output.ts'

/** Where a path of the project leads: absolute, every symbolic link on the way resolved. */
export interface Resolved {
  folder: string | Buffer
  /** Base name. */
  name: string | Buffer
}

/** Folders that hold what git and svc themselves rely on: a fix that reaches them could run code or lift a rule. */
const PROTECTED = new Set(['.git', '.svc', 'git~1'])

/**
 * Resolves a path of the project for writing. The path is relative to `root`, with forward slashes, as findings write it
 * (engine/base/text/path-name). Symbolic links are followed as long as they stay inside; with `links: false` a path that
 * goes through one is refused.
 *
 * PATH_ESCAPES for a path that is absolute, holds a NUL or leads outside by `..` or a link; FORBIDDEN for one in `.git` or
 * `.svc`, at any depth and through any link, or among svc's own results; NOT_FOUND where nothing is there.
 */
export function resolveInProject(root: string, path: string, options: { links: boolean }): Resolved {
  const clean = posix.normalize(path)
  if (path.includes('\0') || posix.isAbsolute(path) || clean === '..' || clean.startsWith('../') || isDrive(path)) {
    throw new EngineError('PATH_ESCAPES', `${JSON.stringify(path)} is outside the project.`)
  }
  if (path === '' || clean === '.' || clean.endsWith('/')) {
    throw new EngineError('INPUT_INVALID', `${JSON.stringify(path)} is not the path of a file.`)
  }
  refuseProtected(path, clean)
  const top = realpathSync.native(root)
  const bytes = encodePath(clean)
  const target = realpathOf(path, Buffer.concat([Buffer.from(`${top}/`), bytes]))
  const text = target.toString('latin1')
  const topText = Buffer.from(top).toString('latin1')
  if (!isInside(topText, text)) {
    throw new EngineError('PATH_ESCAPES', `${JSON.stringify(path)} is outside the project through a symbolic link.`)
  }
  const inside = target.subarray(Buffer.byteLength(top) + 1)
  refuseProtected(path, inside.toString('latin1'))
  refuseOutput(path, top, inside.toString('utf8'))
  if (!options.links && !inside.equals(bytes)) {
    throw new EngineError('CONFLICT', `${JSON.stringify(path)} is reached through a symbolic link.`, {
      hint: 'Apply the fix at the target of the link.',
    })
  }
  const slash = target.lastIndexOf(0x2f)
  return { folder: target.subarray(0, slash), name: target.subarray(slash + 1) }
}

/** `C:…` names a drive on Windows alone, and nothing sensible elsewhere. */
function isDrive(path: string): boolean {
  return process.platform === 'win32' && (/^[A-Za-z]:/.test(path) || path.includes('\\'))
}

/** Whether a path lies in what git and svc themselves rely on. */
export function isProtected(path: string): boolean {
  return protectedPart(path) !== undefined
}

/** Some systems fold case and drop dots and blanks at the end of a name. */
function protectedPart(path: string): string | undefined {
  return path.split('/').find(part => PROTECTED.has(part.toLowerCase().replace(/[. ]+$/, '')))
}

function refuseProtected(path: string, resolved: string): void {
  const found = protectedPart(resolved)
  if (found === undefined) return
  throw new EngineError('FORBIDDEN', `${JSON.stringify(path)} is in ${found}, which fixes must not modify.`, {
    hint: 'Change it by hand.',
  })
}

/** What svc writes is no file of the project: a fix there would change what another command has said. */
function refuseOutput(path: string, top: string, inside: string): void {
  for (let folder = posix.dirname(inside); folder !== '.'; folder = posix.dirname(folder)) {
    const isMarked = lstatSync(`${top}/${folder}/${MARKER}`, { throwIfNoEntry: false })?.isFile()
    // One from before there was the mark.
    if (!isMarked && !(folder === DEFAULT_OUTPUT && existsSync(`${top}/${folder}/run.json`))) continue
    throw new EngineError('FORBIDDEN', `${JSON.stringify(path)} is in ${folder}, where svc stores its results.`, {
      hint: 'Fix the file that the finding is about.',
    })
  }
}

function realpathOf(path: string, absolute: Buffer): Buffer {
  try {
    return realpathSync.native(absolute, 'buffer')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new EngineError('NOT_FOUND', `There is no file ${JSON.stringify(path)} in the project.`, { cause: error })
    }
    throw new EngineError('INPUT_INVALID', `${JSON.stringify(path)} cannot be reached: ${code}.`, { cause: error })
  }
}
