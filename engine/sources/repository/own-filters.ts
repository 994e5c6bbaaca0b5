import { isUtf8 } from 'node:buffer'
import { EngineError } from '../../base/errors.ts'

/** Scopes of git's configuration that belong to the repository, and so to whoever made it. */
const OWN = new Set(['local', 'worktree'])
/** Settings that name a program for git's filters, and those by which Git LFS, a filter that users install, starts one of the repository's. */
const NAMED = String.raw`^(filter\..*\.(clean|smudge|process)|lfs\.(extension\..*\.(clean|smudge)|customtransfer\..*\.path|.*standalonetransferagent))$`

/** Whether the repository's settings (as text, undefined where they are not known) could name a filter: most say nothing of any, and git need not be asked. */
export function mayNameFilter(settings: string | undefined): boolean {
  return (
    settings === undefined ||
    /filter|extension|customtransfer|standalonetransferagent|include|worktreeconfig/i.test(settings)
  )
}

/** The arguments by which git lists the filters that are configured, for `disableFilters`. */
export const LIST_FILTERS = ['config', '--show-scope', '--name-only', '-z', '--get-regexp', NAMED] as const

/**
 * Environment in which git runs none of the filters that the repository's own configuration names. git starts them to compare files and to
 * write them, and they may be any program. Those of the user, such as Git LFS, stay, unless the repository gives them a program to start.
 * `listed` is what git printed for LIST_FILTERS. REPO_UNREADABLE for a name that no environment can carry.
 */
export function disableFilters(
  listed: Buffer,
  caller: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  if (!isUtf8(listed))
    throw new EngineError(
      'REPO_UNREADABLE',
      'The configuration of the repository names a filter in other letters than UTF-8.',
      {
        hint: 'Remove the filter from .git/config.',
      },
    )
  const fields = listed.toString('utf8').split('\0')
  const drivers = new Set<string>()
  for (let at = 0; at + 1 < fields.length; at += 2) if (OWN.has(fields[at]!)) drivers.add(driverOf(fields[at + 1]!))
  const env: Record<string, string> = {}
  let count = Number(caller.GIT_CONFIG_COUNT) || 0
  for (const driver of drivers) {
    for (const [key, value] of [
      ['clean', ''],
      ['smudge', ''],
      ['process', ''],
      ['required', 'false'],
    ]) {
      env[`GIT_CONFIG_KEY_${count}`] = `${driver}.${key}`
      env[`GIT_CONFIG_VALUE_${count}`] = value!
      count++
    }
  }
  return drivers.size > 0 ? { ...env, GIT_CONFIG_COUNT: String(count) } : {}
}

/** The section of a filter's setting; that of Git LFS for a setting of it. */
function driverOf(key: string): string {
  return /^lfs\./i.test(key) ? 'filter.lfs' : key.replace(/\.(?:clean|smudge|process)$/, '')
}
