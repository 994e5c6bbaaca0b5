import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { EngineError, type Fault } from '../../base/errors.ts'
import { findNearest } from '../../base/text/nearest.ts'
import { findLimitFault, LIMIT_NAMES, type RepositoryLimits } from '../../organization/limits.ts'
import { checkProject } from '../store/keys.ts'
import { type Address, makeProject, parseAddress } from './address.ts'

/** A repository that is to be scanned. */
export interface Wanted {
  address: Address
  /** Name in the store. */
  project: string
  organization: string
  /** Branch, tag or full reference; the default branch where it is left out. */
  ref?: string
  commit?: string
  shards?: number
  /** Nobody could say whether the branch is at the commit. */
  unsure?: true
  limits?: RepositoryLimits
}

/** What a person says of a repository, in the list or on the command line. */
export interface Choice extends RepositoryLimits {
  ref?: string
  commit?: string
  shards?: number
  project?: string
  organization?: string
}

const KEYS = ['url', 'ref', 'commit', 'shards', 'project', 'organization', ...LIMIT_NAMES]
const MOST_BYTES = 64 << 20
const MOST_ENTRIES = 1_000_000

/** One repository. INPUT_INVALID for a choice that is none. */
export function want(given: string, choice: Choice, cwd: string): Wanted {
  const address = parseAddress(given, cwd)
  const { ref, commit, shards, project, organization } = choice
  if (ref !== undefined && (!/^[\w./@+-]{1,200}$/.test(ref) || ref.startsWith('-') || ref.includes('..')))
    throw invalid(`ref is not a branch or tag: ${JSON.stringify(ref)}.`)
  if (commit !== undefined && !/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(commit))
    throw invalid('commit must be a full object id of 40 or 64 hexadecimal digits.')
  if (shards !== undefined && !(Number.isInteger(shards) && shards >= 1 && shards <= 1000))
    throw invalid('shards must be a number from 1 to 1000.')
  if (organization !== undefined && !/^[\w./-]{1,100}$/.test(organization))
    throw invalid('organization must be up to 100 letters, digits, dots, hyphens, underscores and slashes.')
  const limits: RepositoryLimits = {}
  for (const name of LIMIT_NAMES) {
    if (choice[name] === undefined) continue
    const fault = findLimitFault(name, choice[name])
    if (fault) throw invalid(fault)
    limits[name] = choice[name]
  }
  return {
    address,
    project: project === undefined ? makeProject(address) : checkProject(project),
    organization: organization ?? address.organization,
    ...(ref !== undefined && { ref }),
    ...(commit !== undefined && { commit }),
    ...(shards !== undefined && { shards }),
    ...(Object.keys(limits).length > 0 && { limits }),
  }
}

/** Whether what was named is a list of repositories rather than one. */
export function isList(path: string): boolean {
  return /\.ya?ml$/i.test(path) && (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)
}

/** Reads `repositories: [address | {url, ref, commit, shards, project, organization, minutes, repository_mb}]`. INPUT_INVALID names every entry that is wrong. */
export async function readList(path: string, shown: string): Promise<Wanted[]> {
  if (statSync(path).size > MOST_BYTES) throw invalid(`${shown} is larger than ${MOST_BYTES >> 20} MB.`)
  const { parse } = await import('yaml')
  let content: unknown
  try {
    content = parse(readFileSync(path, 'utf8'), { maxAliasCount: 100 })
  } catch (error) {
    throw invalid(`${shown} is not YAML: ${(error as Error).message.split('\n')[0]}`)
  }
  const entries = Array.isArray(content) ? content : (content as { repositories?: unknown } | null)?.repositories
  if (!Array.isArray(entries) || entries.length === 0)
    throw new EngineError('INPUT_INVALID', `${shown} has no list of repositories.`, {
      hint: 'Write `repositories:` and below it `- https://host/owner/name` for each.',
    })
  if (entries.length > MOST_ENTRIES) throw invalid(`${shown} has more than ${MOST_ENTRIES} repositories.`)
  const faults: Fault[] = []
  const found: Wanted[] = []
  for (const [at, entry] of entries.entries()) {
    try {
      found.push(readEntry(entry, dirname(path)))
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      faults.push({ message: `repositories[${at}]: ${error.message}`, place: { file: shown } })
    }
  }
  if (faults.length > 0)
    throw new EngineError('INPUT_INVALID', faults[0]!.message, {
      faults,
      hint: `Correct the entries of ${shown}; none was submitted.`,
    })
  return found
}

function readEntry(entry: unknown, cwd: string): Wanted {
  if (typeof entry === 'string') return want(entry, {}, cwd)
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    throw invalid('an entry must be an address, or a map with url.')
  const values = new Map(Object.entries(entry))
  for (const key of values.keys()) {
    if (KEYS.includes(key)) continue
    const meant = findNearest(key, KEYS)
    throw invalid(`${JSON.stringify(key)} is not a key${meant ? `; did you mean ${meant}?` : '.'}`)
  }
  const text = (key: string) => {
    const value = values.get(key)
    if (value === undefined || typeof value === 'string') return value
    throw invalid(`${key} must be text.`)
  }
  const url = text('url')
  if (url === undefined) throw invalid('url is missing.')
  const shards = values.get('shards')
  if (shards !== undefined && typeof shards !== 'number') throw invalid('shards must be a number from 1 to 1000.')
  const choice: Choice = shards === undefined ? {} : { shards }
  for (const name of LIMIT_NAMES) if (values.has(name)) choice[name] = values.get(name) as number
  for (const key of ['ref', 'commit', 'project', 'organization'] as const) {
    const value = text(key)
    if (value !== undefined) choice[key] = value
  }
  return want(url, choice, cwd)
}

function invalid(message: string): EngineError {
  return new EngineError('INPUT_INVALID', message)
}
