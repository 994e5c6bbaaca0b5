import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { EngineError } from '../../base/errors.ts'
import { discover } from '../../sources/repository/discover.ts'
import { tryGit } from '../../sources/repository/git.ts'

/** Files that change within this time of each other are scanned together, but none waits longer than the second. */
const QUIET_MS = 200
const LONGEST_QUIET_MS = 2000
/** How often the directory itself is looked at: one that was removed sends no event on every system. */
const ALIVE_MS = 1000
/** How often a git operation under way is asked for again. */
const GIT_MS = 200

/** What is watched, and how. */
export interface WatchOptions {
  root: string
  /** Directories of svc's own, absolute, which change with each scan. */
  own: readonly string[]
  exclude: readonly string[]
  /** Seconds between two looks, where the system reports no events. */
  interval: number
  signal: AbortSignal
  notice: (text: string) => void
}

/** What is used of the library that reports the system's events. */
export type Library = Pick<typeof import('@parcel/watcher'), 'subscribe'>

/** Changes of a repository's files. */
export interface Changes {
  /** How they are noticed. */
  mode: 'events' | 'polling'
  /** Settles when something has changed since the last call settled and is quiet again. REPO_NOT_FOUND where the directory was removed. */
  next(): Promise<void>
  close(): Promise<void>
}

/** Begins to watch, with the library that `load` gives: by the system's events, or by looking every `interval` seconds where there are none, which is said. */
export async function watchChanges(
  options: WatchOptions,
  load: () => Promise<Library> = () => import('@parcel/watcher'),
): Promise<Changes> {
  let changedAt = 0
  let isIgnoreChanged = false
  const onPaths = (paths: readonly string[]) => {
    changedAt = Date.now()
    if (paths.some(path => path.endsWith('.gitignore'))) isIgnoreChanged = true
  }
  let events = await subscribe(options, load, onPaths)
  if (!events) return poll(options)
  const next = async (): Promise<void> => {
    while (changedAt === 0) {
      await rest(ALIVE_MS, options, () => changedAt > 0)
      refuseRemoved(options.root)
    }
    const first = changedAt
    while (Date.now() - changedAt < QUIET_MS && Date.now() - first < LONGEST_QUIET_MS) await rest(QUIET_MS / 4, options)
    changedAt = 0
    refuseRemoved(options.root)
    if (!isIgnoreChanged) return
    isIgnoreChanged = false
    const again = await subscribe(options, load, onPaths)
    if (!again) return
    await events?.()
    events = again
  }
  return { mode: 'events', next, close: async () => events?.() }
}

/** Waits while git is in the middle of something: what stands in the work tree then is nobody's. `onWait` is told once. */
export async function waitForGit(root: string, signal: AbortSignal, onWait: (what: string) => void): Promise<void> {
  const { code, stdout } = await tryGit(root, ['rev-parse', '--absolute-git-dir'], { signal })
  if (code !== 0) return
  const folder = stdout.toString('utf8').trimEnd()
  let isTold = false
  for (;;) {
    const found = UNDER_WAY.find(([name]) => existsSync(join(folder, name)))
    if (!found) return
    if (!isTold) onWait(found[1])
    isTold = true
    await pause(GIT_MS, undefined, { signal })
    refuseRemoved(root)
  }
}

const UNDER_WAY = [
  ['index.lock', 'another git command'],
  ['rebase-merge', 'the rebase'],
  ['rebase-apply', 'the rebase'],
] as const

/** Subscribes to the system's events; answers how to end it, or undefined where there are none, which is said. */
async function subscribe(
  { root, own, notice, interval, signal }: WatchOptions,
  load: () => Promise<Library>,
  onPaths: (paths: readonly string[]) => void,
): Promise<(() => Promise<void>) | undefined> {
  const instead = `The repository is looked at every ${interval} s instead (--interval).`
  let library: Library
  try {
    library = await load()
  } catch {
    notice(`File events are not available: the package @parcel/watcher does not load here. ${instead}`)
    return undefined
  }
  try {
    const ignore = [join(root, '.git'), ...own, ...(await listIgnored(root, signal))]
    const { unsubscribe } = await library.subscribe(
      root,
      (error, events) => onPaths(error ? [] : events.map(({ path }) => path)),
      { ignore },
    )
    return unsubscribe
  } catch (error) {
    signal.throwIfAborted()
    refuseRemoved(root)
    notice(`${describeFailure(error as Error)} ${instead}`)
    return undefined
  }
}

function describeFailure({ message }: Error): string {
  return /ENOSPC|no space left|inotify/i.test(message)
    ? 'The limit of watched directories is reached (fs.inotify.max_user_watches).'
    : `File events are not available: ${message}.`
}

/** Directories that git ignores, absolute. */
async function listIgnored(root: string, signal: AbortSignal): Promise<string[]> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']
  const { code, stdout } = await tryGit(root, args, { signal })
  if (code !== 0) return []
  const paths = stdout.toString('utf8').split('\0')
  return paths.filter(path => path.endsWith('/')).map(path => join(root, path.slice(0, -1)))
}

/** Looks at names, sizes and times of all listed files every so often. */
async function poll(options: WatchOptions): Promise<Changes> {
  let last = await readState(options)
  const next = async (): Promise<void> => {
    for (;;) {
      await rest(options.interval * 1000, options)
      refuseRemoved(options.root)
      const now = await readState(options)
      if (now === last) continue
      last = now
      return
    }
  }
  return { mode: 'polling', next, close: async () => {} }
}

async function readState({ root, exclude, signal }: WatchOptions): Promise<string> {
  const { createHash } = await import('node:crypto')
  const { files, git_sha } = await discover(root, { exclude, signal })
  const hash = createHash('sha256').update(String(git_sha))
  for (const { path } of files) {
    const stats = lstatSync(join(root, path), { throwIfNoEntry: false })
    hash.update(`${path}\0${stats?.mtimeMs}\0${stats?.size}\0`)
  }
  return hash.digest('hex')
}

/** A pause that ends early where `until` becomes true. */
async function rest(ms: number, { signal }: Pick<WatchOptions, 'signal'>, until = () => false): Promise<void> {
  const step = Math.min(ms, 50)
  for (let waited = 0; waited < ms && !until(); waited += step) await pause(step, undefined, { signal })
}

function refuseRemoved(root: string): void {
  if (existsSync(root)) return
  throw new EngineError('REPO_NOT_FOUND', 'The directory that is watched was removed.', {
    hint: 'Start `svc watch` again in a directory that exists.',
  })
}
