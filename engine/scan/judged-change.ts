import { realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { repositoryRoot } from '../config/load.ts'
import type { Context } from '../context.ts'
import { EngineError } from '../errors.ts'
import type { JudgedSettings } from '../gate/change/judge-settings.ts'
import { type Change, changesOf, workTreeTop } from '../repository/changes.ts'
import { changeRequest } from './change-request.ts'
import type { ScanInput } from './perform.ts'
import { isSettingsPath } from './settings-paths.ts'
import type { IndexedSettings, StagedSettings } from './staged-settings.ts'

/** A change that is to be judged, with what decides on its settings. */
export interface Judged {
  change: Change
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
  indexed: IndexedSettings
  settings: StagedSettings
}

/**
 * The change that the input asks to judge, if any, and the settings that count for it: its own, and those of its base as soon as
 * it weakens them and nobody outside it has agreed.
 */
export async function judgedChange(input: ScanInput, start: string, context: Context): Promise<Judged | undefined> {
  refuseTwo(input, context)
  const root = repositoryRoot(start)
  const { env, signal } = context
  let judged: Judged
  if (input.staged) {
    const staged = await stagedIn(root, start, context)
    judged = { ...staged, unstaged: staged.settings.differing }
  } else {
    const request = await changeRequest(input, context)
    if (!request) return undefined
    judged = { change: await changesOf(workTreeTop(root), request, { env, signal }) }
  }
  if (!judged.change.edits.some(({ path }) => isSettingsPath(path))) return judged
  const { judgeSettings } = await import('../gate/change/judge-settings.ts')
  const { reviewed_by, isCommitter } = input
  judged.own = await judgeSettings(workTreeTop(root), judged.change, {
    env,
    signal,
    agreeing: { reviewed_by, isCommitter },
  })
  if (judged.own.settings) {
    judged.settings?.close()
    judged.settings = judged.own.settings
  }
  return judged
}

/** INPUT_INVALID where the input means two things at once. */
function refuseTwo(input: ScanInput, context: Context): void {
  const asked = (['staged', 'git_range', 'diff', 'branch', 'changed_files', 'files'] as const).filter(
    key => input[key] !== undefined && input[key] !== false,
  )
  if (asked.length > 1) {
    const names = asked.map(key => (context.surface === 'cli' ? `--${key.replaceAll('_', '-')}` : key))
    throw new EngineError('INPUT_INVALID', `${names.join(' and ')} exclude each other.`, { hint: 'Give one of them.' })
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
async function stagedIn(root: string, start: string, { env, signal }: Context): Promise<Staged> {
  const { indexedSettings, stagedSettings } = await import('./staged-settings.ts')
  const top = workTreeTop(root)
  const [change, indexed] = await Promise.all([
    changesOf(top, { staged: true }, { env, signal }),
    indexedSettings(top, { env, signal }),
  ])
  const below = relative(top, realpathSync.native(start)).split(sep).join('/')
  const paths = [...change.files.map(({ path }) => path), ...(below === '' ? [] : [`${below}/.`])]
  return { change, indexed, settings: await stagedSettings(top, indexed, paths, { env, signal }) }
}
