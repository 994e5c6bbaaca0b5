import { existsSync, realpathSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import type { Context } from '../base/context.ts'
import { isInside } from '../base/disk/project-write.ts'
import { EngineError } from '../base/errors.ts'
import type { JudgedSettings, Options } from '../gate/change/judge-settings.ts'
import { findRepositoryRoot } from '../sources/config/load.ts'
import { isSettingsPath } from '../sources/config/settings-paths.ts'
import type { IndexedSettings, StagedSettings } from '../sources/config/staged-settings.ts'
import { type Change, locateWorkTree, readChanges } from '../sources/repository/changes.ts'
import { findBareRepository, readBareSettings } from './bare-settings.ts'
import { readChangeRequest } from './change-request.ts'
import type { ScanInput } from './perform.ts'

/** What is to be judged, with what decides on its settings. */
export interface Judged {
  /** The change; left out where the whole tree is judged, by settings that it changes without a commit. */
  change?: Change
  /** What is staged: the index's settings. */
  indexed?: IndexedSettings
  /** Settings that count in place of those on disk. */
  settings?: StagedSettings
  /** Settings that stand otherwise on disk than they are staged. */
  unstaged?: readonly string[]
  /** What the change does to its own settings, where it touches any. */
  own?: JudgedSettings
}

/** What is staged, and the settings that go with it. */
interface Staged extends Judged {
  change: Change
  indexed: IndexedSettings
  settings: StagedSettings
}

/**
 * What the input asks to judge, if any change, and the settings that count for it: of what is staged and of a branch its own, of commits
 * and patches those of the change as objects, and of each those of its base as soon as it weakens them and nobody outside it has agreed.
 * Where the whole tree is judged by the gate, what it changes of HEAD's settings counts as such a change.
 */
export async function readJudgedChange(input: ScanInput, start: string, context: Context): Promise<Judged | undefined> {
  refuseTwo(input, context)
  const root = findRepositoryRoot(start)
  const { env, signal } = context
  const { reviewed_by, isCommitter } = input
  const named = namedConfig(input, root, start, context)
  const options = { env, signal, named, agreeing: { reviewed_by, isCommitter } }
  let judged: Judged & { change: Change }
  if (input.staged) {
    const staged = await stagedIn(root, start, context, named)
    judged = { ...staged, unstaged: staged.settings.differing }
  } else {
    const request = await readChangeRequest(input, context)
    if (!request) return input.files ? undefined : readTreeSettings(input, root, options, context)
    judged = { change: await readChanges(locateWorkTree(root), request, { env, signal }) }
  }
  const isCommitted = input.git_range !== undefined || input.diff !== undefined
  const { edits } = judged.change
  // Behind a link any file may be a setting; what is staged has been asked for links already.
  const isPlain = input.staged && !judged.indexed!.isLinked && !edits.some(({ was, after }) => was ?? after?.kind)
  if (isPlain && !edits.some(({ path }) => isSettingsPath(path) || path === named)) return judged
  const { judgeSettings } = await import('../gate/change/judge-settings.ts')
  judged.own = await judgeSettings(locateWorkTree(root), judged.change, { ...options, isCommitted, isPlain })
  if (judged.own.settings) {
    judged.settings?.close()
    judged.settings = judged.own.settings
  }
  if (judged.own.differing?.length) {
    const { describeIgnoredOnDisk } = await import('../sources/config/staged-settings.ts')
    context.notice(describeIgnoredOnDisk(judged.own.differing))
  }
  return judged
}

/** The settings by which a whole tree is judged, where they are others than those on disk. */
async function readTreeSettings(
  input: ScanInput,
  root: string,
  options: Options,
  context: Context,
): Promise<Judged | undefined> {
  const bare = findBareRepository(root)
  if (bare !== undefined) return { settings: await readBareSettings(bare, input, context) }
  return input.is_gate ? uncommitted(root, options) : undefined
}

/** What the working tree does to the settings of HEAD; undefined where it is no work tree of git's, or changes none. */
async function uncommitted(root: string, options: Options): Promise<Judged | undefined> {
  if (!existsSync(join(root, '.git'))) return undefined
  const { judgeUncommitted } = await import('../gate/change/uncommitted.ts')
  const own = await judgeUncommitted(locateWorkTree(root), options)
  return own && { own, ...(own.settings && { settings: own.settings }) }
}

/** The path in the repository of a configuration file that the input names; undefined where it names none in it. */
function namedConfig({ config }: ScanInput, root: string, start: string, { cwd }: Context): string | undefined {
  if (config === undefined) return undefined
  const file = resolve(cwd, config)
  const at = existsSync(start) ? realpathSync.native(root) : root
  if (!isInside(at, file)) return undefined
  return relative(at, file).split(sep).join('/')
}

/** INPUT_INVALID where the input means two things at once. */
function refuseTwo(input: ScanInput, context: Context): void {
  const asked = (['staged', 'git_range', 'diff', 'branch', 'changed_files', 'files'] as const).filter(
    key => input[key] !== undefined && input[key] !== false,
  )
  if (asked.length > 1) {
    const names = asked.map(key => (context.surface === 'cli' ? `--${key.replaceAll('_', '-')}` : key))
    throw new EngineError('INPUT_INVALID', `${names.join(' and ')} exclude each other.`, { hint: 'Pass one of them.' })
  }
}

/** Removes what was made for judging. */
export function closeJudged(judged: Judged | undefined): void {
  judged?.settings?.close()
  judged?.own?.close()
}

/**
 * What is staged in the work tree at `root`, for a scan from `start`. git's two answers are awaited together.
 */
async function stagedIn(
  root: string,
  start: string,
  { env, signal }: Context,
  named: string | undefined,
): Promise<Staged> {
  const { readIndexedSettings, readStagedSettings } = await import('../sources/config/staged-settings.ts')
  const top = locateWorkTree(root)
  const [change, indexed] = await Promise.all([
    readChanges(top, { staged: true }, { env, signal }),
    readIndexedSettings(top, { env, signal, named }),
  ])
  const below = relative(top, realpathSync.native(start)).split(sep).join('/')
  const paths = [...change.files.map(({ path }) => path), ...(below === '' ? [] : [`${below}/.`])]
  return { change, indexed, settings: await readStagedSettings(top, indexed, paths, { env, signal, named }) }
}
