import { readOwn } from '../../base/disk/own-folder.ts'
import { CI_ENVIRONMENTS, type CiEnvironment } from './ci-environments.ts'
import type { ProviderName } from './provider.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What the CI system says of the build. */
export interface CiBuild {
  name: string
  title: string
  provider?: ProviderName
  api_url?: string
  repository?: string
  commit?: string
  pull_request?: number
  branch?: string
  base?: string
  is_fork: boolean
  /** A Markdown file that is shown beside the build. */
  summary_file?: string
}

/** The largest event that is read, in bytes: GitHub's have at most 25 MB. */
const MOST_EVENT = 32 * 1024 * 1024

/** The build that this process is part of; undefined outside of the known CI systems. */
export function detectCi(env: Environment): CiBuild | undefined {
  const system = CI_ENVIRONMENTS.find(({ detect }) => env[detect] && env[detect] !== 'false')
  if (!system) return undefined
  const event = readEvent(system, env)
  const number = findNumber(event?.pull_request ?? findFirst(env, system.pull_request), system)
  const commit = event?.commit ?? findFirst(env, system.commit)
  return {
    name: system.name,
    title: system.title,
    ...(system.provider && { provider: system.provider }),
    ...optional('api_url', findFirst(env, system.api ?? [])),
    ...optional('repository', findJoined(env, system.repository ?? [])),
    ...optional('commit', commit && /^[0-9a-f]{40,64}$/i.test(commit) ? commit : undefined),
    ...(number !== undefined && { pull_request: number }),
    ...optional('branch', shortenRef(event?.branch ?? findFirst(env, system.branch))),
    ...optional('base', shortenRef(event?.base ?? findFirst(env, system.base))),
    is_fork: event?.fork ?? isFork(system, env),
    ...optional('summary_file', system.summary && env[system.summary]),
  }
}

function optional<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return value ? ({ [key]: value } as Record<K, string>) : {}
}

function findFirst(env: Environment, names: readonly string[]): string | undefined {
  const name = names.find(one => env[one])
  return name === undefined ? undefined : env[name]
}

function findJoined(env: Environment, names: readonly (string | readonly string[])[]): string | undefined {
  const all = names.map(one => [one].flat()).find(group => group.every(name => env[name]))
  return all?.map(name => env[name]).join('/')
}

/** A number, or the one that a reference (refs/pull/12/merge) or an address (…/pull/12) ends with; none where it says `false`. */
function findNumber(value: string | undefined, { name }: CiEnvironment): number | undefined {
  if (value === undefined) return undefined
  const found =
    name === 'github-actions' && value.startsWith('refs/')
      ? /^refs\/pull\/([0-9]{1,9})\//.exec(value)?.[1]
      : /(?:^|\/)([0-9]{1,9})$/.exec(value)?.[1]
  return found === undefined || Number(found) === 0 ? undefined : Number(found)
}

function shortenRef(ref: string | undefined): string | undefined {
  return ref?.replace(/^refs\/heads\//, '')
}

function isFork({ fork }: CiEnvironment, env: Environment): boolean {
  const value = fork && env[fork.variable]
  if (!fork || !value) return false
  if (fork.not !== undefined) return value !== env[fork.not]
  return fork.value === undefined || value.toLowerCase() === fork.value
}

function readEvent({ event }: CiEnvironment, env: Environment) {
  const file = event && env[event.file]
  if (!event || !file) return undefined
  let parsed: unknown
  try {
    parsed = JSON.parse(readOwn(file, MOST_EVENT)?.toString('utf8') ?? 'null')
  } catch {
    return undefined
  }
  const at = (path: string) =>
    path
      .split('.')
      .reduce<unknown>(
        (value, key) =>
          typeof value === 'object' && value !== null && Object.hasOwn(value, key)
            ? (value as Record<string, unknown>)[key]
            : undefined,
        parsed,
      )
  const text = (path: string) => {
    const value = at(path)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  const fork = at(event.fork)
  return {
    commit: text(event.commit),
    pull_request: text(event.pull_request),
    branch: text(event.branch),
    base: text(event.base),
    fork: typeof fork === 'boolean' ? fork : undefined,
  }
}
