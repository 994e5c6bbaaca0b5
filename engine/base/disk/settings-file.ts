import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError, type ErrorCode } from '../errors.ts'
import { isInside } from './project-write.ts'
import { type NotRead, readRegular } from './read.ts'

/** Largest YAML file that svc reads as settings; the longest sensible one is a hundredth of it. */
export const MAX_SETTINGS_BYTES = 262_144

export interface SettingsLimits {
  /** Largest file that is read, in bytes. */
  most?: number
  /** The code of the error, where it is not CONFIG_INVALID. */
  code?: ErrorCode
}

/**
 * Reads a file of the repository that svc acts by: configuration, packs, suppressions, baseline, hook settings. The only way to read one,
 * since whoever writes the repository chooses what stands there. Undefined where there is none.
 *
 * Symbolic links are resolved once and may lead to another file of the repository, never out of it. The file must be regular: a
 * pipe would wait for its writer, a device has no end, and a file of the system (`/proc/self/environ`) would be quoted in error messages.
 * CONFIG_INVALID, exit 64, says which of these it is; nothing of the content is in the message.
 */
export function readSettings(root: string, path: string, limits: SettingsLimits = {}): Buffer | undefined {
  const place = locateSettings(root, path, limits.code)
  return place === undefined ? undefined : readAt(place, path, limits)
}

/**
 * Where a settings file or directory of the repository is, links resolved; undefined where there is none. CONFIG_INVALID where a link
 * leads out of the repository, nowhere, or in a circle.
 */
export function locateSettings(root: string, path: string, code?: ErrorCode): string | undefined {
  const place = join(root, path)
  try {
    if (lstatSync(place, { throwIfNoEntry: false })) {
      const target = realpathSync.native(place)
      if (!isInside(realpathSync.native(root), target))
        throw refusal(path, 'is reached through a symbolic link to a target outside the repository', code)
      return target
    }
  } catch (error) {
    if (error instanceof EngineError) throw error
    throw refusal(path, linkFault(error), code)
  }
  if (hasDanglingLink(root, path)) throw refusal(path, 'is reached through a broken symbolic link', code)
  return undefined
}

/**
 * Reads a settings file that a person named, wherever it is and through any link; undefined where there is none. Otherwise as `readSettings`.
 * `name` is what messages call it.
 */
export function readNamedSettings(path: string, name: string, limits: SettingsLimits = {}): Buffer | undefined {
  // A pipe that the user's shell has made for this command: `--config <(…)`.
  if (/^\/dev\/(?:fd\/\d+|stdin)$/.test(path)) return readFileSync(path)
  let target: string
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })) return undefined
    target = realpathSync.native(path)
  } catch (error) {
    throw refusal(name, linkFault(error), limits.code)
  }
  return readAt(target, name, limits)
}

function readAt(place: string, name: string, { most = MAX_SETTINGS_BYTES, code }: SettingsLimits): Buffer | undefined {
  const content = readRegular(place, most)
  if (content instanceof Uint8Array) return Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  if (content.reason === 'vanished' && content.detail === undefined) return undefined
  throw refusal(name, faultOf(content, most), code)
}

/** What is wrong with the file, as the end of a sentence that begins with its name. */
function faultOf({ reason, detail }: NotRead, most: number): string {
  if (reason === 'too_large') return `has more than ${most} bytes, the limit of svc`
  if (reason === 'special') return `is not a regular file but a ${detail ?? 'socket or device'}`
  if (reason === 'vanished') return 'is a directory, not a file'
  return `cannot be read (${detail ?? reason})`
}

function linkFault(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
  if (code === 'ELOOP') return 'is reached through symbolic links that form a loop'
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'is reached through a broken symbolic link'
  return `cannot be read (${code})`
}

function refusal(path: string, what: string, code: ErrorCode = 'CONFIG_INVALID'): EngineError {
  return new EngineError(code, `${path} ${what}.`, {
    hint: `Replace ${path} with a regular file of the repository, or remove it.`,
    place: { file: path },
  })
}

/** Whether a directory on the way to a path that does not exist is a link: then nobody can say that there is no such file. */
function hasDanglingLink(root: string, path: string): boolean {
  let at = root
  for (const part of path.split('/').slice(0, -1)) {
    at = join(at, part)
    const entry = lstatSync(at, { throwIfNoEntry: false })
    if (!entry) return false
    if (entry.isSymbolicLink()) return leadsNowhere(at)
  }
  return false
}

function leadsNowhere(link: string): boolean {
  try {
    realpathSync.native(link)
    return false
  } catch {
    return true
  }
}
