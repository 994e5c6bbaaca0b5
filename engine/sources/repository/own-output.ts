import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readStart } from '../../base/disk/read.ts'

/** Where runs and reports go where nothing is said. */
export const DEFAULT_OUTPUT = 'out'
/** The file that says that a directory is svc's. */
export const MARKER = '.svc'
/** Names of svc's that no other program gives: a directory of these alone was brought without its hidden files, as CI's artifacts are. */
const OWN_NAMES = /^(?:external|shard-\d+-of-\d+.*|agent_context\.json|pre-commit\.json)$/
/** How the files begin that svc wrote into its directory before there was the marker. */
const BEGINNINGS: Record<string, RegExp> = {
  '.gitignore': /^# Written by svc/,
  'run.json': /^\{\s*"id": "\d{8}-\d{6}-[0-9a-f]{6}"/,
}

/**
 * Whether what stands at the path may be written to as svc's own: nothing, an empty directory, or one that svc has made. A name alone is no
 * sign of it where it may be another program's: a project has reports of its own.
 */
export function isOwnOutput(out: string): boolean {
  const entry = lstatSync(out, { throwIfNoEntry: false })
  if (!entry?.isDirectory()) return !entry
  const names = readdirSync(out)
  // A project that has settings of its own in a directory has a directory of this name there.
  const isMarked = lstatSync(join(out, MARKER), { throwIfNoEntry: false })?.isFile() === true
  if (isMarked || names.every(name => OWN_NAMES.test(name))) return true
  return Object.entries(BEGINNINGS).some(([name, form]) => names.includes(name) && isBegun(join(out, name), form))
}

function isBegun(path: string, form: RegExp): boolean {
  const bytes = readStart(path, 64)
  return bytes instanceof Uint8Array && form.test(Buffer.from(bytes).toString('latin1'))
}
