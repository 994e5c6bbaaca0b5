import { chmodSync, existsSync, lstatSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { makeFolders } from '../base/disk/make-folders.ts'
import { readRegular } from '../base/disk/read.ts'
import { EngineError } from '../base/errors.ts'
import type { HooksFolder } from './hooks-folder.ts'
import { findToolInCharge, type OtherTool } from './other-tools.ts'
import { FORMER, findProgram, isOwnHook, type Program, writeHookScript } from './script.ts'

/** A longer hook is somebody else's program. */
const MOST_BYTES = 4 << 20

/** What stands as the pre-commit hook: nothing, svc's, svc's as another version or from another place, or another's. */
export type HookState = 'absent' | 'installed' | 'outdated' | 'foreign'

export interface HookStatus {
  state: HookState
  /** The hook's file, for a person. */
  hook: string
  /** A hook that was here before is kept beside svc's, and runs first. */
  former: boolean
  /** A commit would find svc: where the hook says, on the PATH, or in node_modules where the hook looks there. */
  program_found: boolean
  /** Another tool that keeps the hooks here. */
  tool?: OtherTool
}

/** What stands in a hooks folder, against what this svc would write there. `search` is the PATH. */
export function readHookStatus(folder: HooksFolder, program: Program, search = ''): HookStatus {
  const { hook, former } = placesIn(folder)
  const text = textOf(hook)
  const own = text !== undefined && isOwnHook(text)
  const tool = findToolInCharge(folder, own ? textOf(former) : text)
  const upToDate = own && text === scriptFor(folder, program) && isExecutable(hook)
  const named = own ? findProgram(text) : program
  const found = named
    ? existsSync(named.node) && existsSync(named.svc)
    : existsSync(join(folder.root, 'node_modules/.bin/svc'))
  return {
    state: own ? (upToDate ? 'installed' : 'outdated') : isThere(hook) ? 'foreign' : 'absent',
    hook: join(folder.shown, 'pre-commit'),
    former: isThere(former),
    program_found: found || search.split(delimiter).some(entry => entry !== '' && existsSync(join(entry, 'svc'))),
    ...(tool && { tool }),
  }
}

/** Others cannot use the paths of this machine. */
function scriptFor({ carried }: HooksFolder, program: Program): string {
  return writeHookScript(carried ? undefined : program)
}

/**
 * Writes svc's pre-commit hook. A hook that is there already is renamed, unread and as it is, and svc's runs it first; svc's
 * own is brought up to date. Answers what stood there before; where that is `installed`, nothing was written.
 * CONFLICT, and nothing changed, where another tool keeps the hooks, where the folder belongs to all repositories, or where
 * a hook was renamed before and there is another again; `force` overrules the first two.
 */
export function installHook(folder: HooksFolder, program: Program, { force }: { force: boolean }): HookState {
  const { hook, former } = placesIn(folder)
  const state = checkInstall(folder, program, { force })
  if (state === 'installed') return state
  onDisk(folder, () => {
    makeFolders(folder.path)
    const temporary = join(folder.path, `.pre-commit.${process.pid}.tmp`)
    try {
      writeFileSync(temporary, scriptFor(folder, program), { flag: 'wx' })
      chmodSync(temporary, 0o755)
      if (state === 'foreign') renameSync(hook, former)
      renameSync(temporary, hook)
    } finally {
      rmSync(temporary, { force: true })
    }
  })
  return state
}

/** What stands where svc's hook is to be; CONFLICT where `installHook` would refuse. Nothing is written. */
export function checkInstall(folder: HooksFolder, program: Program, { force }: { force: boolean }): HookState {
  const { former } = placesIn(folder)
  const { state, tool } = readHookStatus(folder, program)
  if (state === 'installed') return state
  if (tool && (!force || tool.name === 'husky')) throw new EngineError('CONFLICT', tool.because, { hint: tool.how })
  if (folder.shared && !force) {
    throw new EngineError(
      'CONFLICT',
      `core.hooksPath is ${folder.path} for all repositories, so a hook there would run in each of them.`,
      {
        hint: 'Set a directory for this repository with `git config core.hooksPath .git/hooks`, or install for all with --force.',
      },
    )
  }
  if (state === 'foreign' && isThere(former)) {
    throw new EngineError(
      'CONFLICT',
      `${folder.shown} contains a pre-commit hook and a ${FORMER}: svc cannot save the hook without replacing one of them.`,
      {
        hint: `Move one of them away, then run \`svc hook install\` again.`,
      },
    )
  }
  return state
}

/** What taking the hook out came to. */
export interface Uninstalled {
  removed: boolean
  /** The hook that was there before is back, byte for byte and with its mode. */
  restored: boolean
}

/** Removes svc's hook and puts back the one that was there before. A hook that is not svc's stays. */
export function uninstallHook(folder: HooksFolder): Uninstalled {
  const { hook, former } = placesIn(folder)
  const text = textOf(hook)
  const own = text !== undefined && isOwnHook(text)
  // An install that was cut off has moved the former hook away and written none.
  const cutOff = !isThere(hook) && isThere(former)
  if (!own && !cutOff) return { removed: false, restored: false }
  const restored = isThere(former)
  onDisk(folder, () => (restored ? renameSync(former, hook) : rmSync(hook)))
  if (!restored) removeEmpty(folder.path)
  return { removed: own, restored }
}

/** A folder of hooks that holds none any more serves nobody; git does without. */
function removeEmpty(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // There is something else in it.
  }
}

function placesIn({ path }: HooksFolder): { hook: string; former: string } {
  return { hook: join(path, 'pre-commit'), former: join(path, FORMER) }
}

/** A link that leads nowhere is there too. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function isExecutable(path: string): boolean {
  return process.platform === 'win32' || (lstatSync(path).mode & 0o111) !== 0
}

/** The text of a regular file; undefined for all else, since a link's text is another's. */
function textOf(path: string): string | undefined {
  const content = readRegular(path, MOST_BYTES)
  return content instanceof Uint8Array ? Buffer.from(content).toString('utf8') : undefined
}

function onDisk(folder: HooksFolder, work: () => void): void {
  try {
    work()
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const name = path && basename(path)
    // A temporary file's name says nothing to whoever asked for a hook.
    const what = name === undefined || /^\..*\.tmp$/.test(name) ? 'pre-commit' : name
    throw new EngineError('DISK', `${what} in ${folder.shown} cannot be written: ${code}.`, { cause: error })
  }
}
