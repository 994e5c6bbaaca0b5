import { statSync } from 'node:fs'
import { readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type GitOutput, tryGit } from '../../sources/repository/git.ts'
import { transferProfile } from '../../sources/repository/git-transfer.ts'
import { makeTrustedPath } from '../../sources/repository/program-path.ts'
import type { Address } from './address.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The value of the header Authorization for an address; undefined where there is none, and git's own means are left (ssh agent, .netrc). */
export type Authorize = (address: Address) => Promise<string | undefined>

/** What a transfer may take. */
export interface Limits {
  /** Bytes of a repository's mirror. */
  bytes: number
  milliseconds: number
  /** Files of a commit. */
  files?: number
  /** Bytes of the disk that stay free: a small pack can have huge files in it. */
  free?: number
}

/** Where a git process gets objects from, and where it puts them. */
export interface Source {
  address: Address
  mirror: string
  authorization: string | undefined
  /** A checkout that has its objects from the mirror; without one the mirror itself is what git works on. */
  tree?: string | undefined
}

/** How a git that asked another repository ended. */
export interface Transferred extends GitOutput {
  /** Why it was stopped. */
  stopped?: 'bytes' | 'time' | 'disk'
}

/** Defects of old histories that harm nobody, for which git would refuse a whole repository. */
const HARMLESS = [
  'badDate',
  'badTimezone',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'missingNameBeforeEmail',
  'badName',
  'badEmail',
  'zeroPaddedFilemode',
  'nullSha1',
  'missingTaggerEntry',
  'badTagName',
]
const LOOK_EVERY_MS = 500
/** Bytes of what git prints that are kept: a server may speak without an end. */
const MOST_OUTPUT = 4 << 20
/** A server that sends less than this many bytes a second for a minute is given up. */
const SLOWEST = 1000

const NOTHING = { code: 1, stdout: Buffer.alloc(0), stderr: '' }

/**
 * Runs a git command that asks the repository at an address, with svc's settings alone: one protocol, one host, no helper and no
 * hook. The token is in the environment of that process only. Ends it where the mirror grows beyond its limit, or the time is over.
 */
export async function transfer(
  { address, mirror, authorization, tree }: Source,
  args: readonly string[],
  { env, signal, limits, input }: { env: Environment; signal: AbortSignal; limits: Limits; input?: Uint8Array },
): Promise<Transferred> {
  const isFull = async () => (await readFree(mirror)) < (limits.free ?? 0)
  if (await isFull()) return { ...NOTHING, stopped: 'disk' }
  const ending = new AbortController()
  const profile = profileOf({ address, mirror, authorization, tree }, env)
  const settings = [
    ...HARMLESS.map(id => `fetch.fsck.${id}=ignore`),
    `http.lowSpeedLimit=${SLOWEST}`,
    'http.lowSpeedTime=60',
  ]
  const late = setTimeout(() => ending.abort('time'), limits.milliseconds)
  const looking = setInterval(async () => {
    if ((await measure(mirror)) > limits.bytes) ending.abort('bytes')
    else if (await isFull()) ending.abort('disk')
  }, LOOK_EVERY_MS)
  try {
    const done = await tryGit(mirror, [...profile.args, ...settings.flatMap(one => ['-c', one]), ...args], {
      env: profile.env,
      signal: AbortSignal.any([signal, ending.signal]),
      most: MOST_OUTPUT,
      ...(input && { input }),
    })
    return (await measure(mirror)) > limits.bytes ? { ...done, code: 1, stopped: 'bytes' } : done
  } catch (error) {
    if (!ending.signal.aborted || signal.aborted) throw error
    return { ...NOTHING, stopped: ending.signal.reason }
  } finally {
    clearTimeout(late)
    clearInterval(looking)
  }
}

function profileOf({ address, mirror, authorization, tree }: Source, env: Environment) {
  const directory = tree === undefined ? mirror : join(tree, '.git')
  const own = {
    GIT_DIR: directory,
    // What is fetched for a checkout is there for the next one too.
    GIT_OBJECT_DIRECTORY: join(mirror, 'objects'),
    ...(tree !== undefined && { GIT_WORK_TREE: tree }),
    // Mirror and checkout are made with svc's settings and no others: what they lack may be fetched.
    GIT_NO_LAZY_FETCH: '0',
  }
  if (address.host !== undefined) {
    const { args, env: given } = transferProfile(
      {
        ...{ url: address.text, host: address.host, directory, objects: own.GIT_OBJECT_DIRECTORY },
        ...(authorization !== undefined && { authorization }),
      },
      env,
    )
    return { args, env: { ...given, ...own } }
  }
  // A directory of this machine, or of a network file system.
  return {
    args: ['--no-pager'],
    env: {
      ...own,
      PATH: makeTrustedPath(mirror, env),
      GIT_ALLOW_PROTOCOL: 'file',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
    },
  }
}

/** Bytes of a mirror's packs, those in the making included. */
async function measure(mirror: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(join(mirror, 'objects/pack')).catch(() => []))
    bytes += statSync(join(mirror, 'objects/pack', name), { throwIfNoEntry: false })?.size ?? 0
  return bytes
}

/** Bytes that are free on the disk of a directory; without end where the system does not tell. */
export async function readFree(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => undefined)
  return found === undefined ? Number.POSITIVE_INFINITY : found.bavail * found.bsize
}

/** What git says of a failure, in one line without addresses, paths and anything that looks like a credential. */
export function describeTransfer({ stderr, stopped }: Transferred, { bytes, milliseconds }: Limits): string {
  if (stopped === 'bytes') return `the repository is larger than ${Math.round(bytes / 1e6)} MB`
  if (stopped === 'time') return `the repository was not fetched within ${Math.round(milliseconds / 1000)} seconds`
  if (stopped === 'disk') return 'the disk of the worker is nearly full'
  const lines = stderr.split('\n').map(line => line.trim())
  const line = lines.find(text => /^(?:fatal|error|remote):/.test(text)) ?? 'git gave no reason'
  return line
    .replace(/^(?:fatal|error|remote): */, '')
    .replace(/\b[a-z]+:\/\/\S+/gi, 'the address')
    .replace(/(?<![\w.])\/[^\s'":]*/g, '…')
    .replace(/[A-Za-z0-9+/=_-]{24,}/g, '…')
    .slice(0, 200)
}
