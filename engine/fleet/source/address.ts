import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { EngineError } from '../../base/errors.ts'
import { makeProjectKey } from '../store/keys.ts'

/** Where a repository is, in the one form that the queue, the mirrors and the store have of it. */
export interface Address {
  /** `https://host/path`, `ssh://[user@]host/path`, or an absolute path. No password, no `.git` at the end of an address. */
  text: string
  /** `host/path` of the address, or the path. */
  name: string
  /** Host with port; undefined for a path. */
  host?: string
  /** Who has it: the first segments of the path, or `local`. */
  organization: string
}

/**
 * Reads `https://…`, `ssh://…`, `user@host:path`, or a directory with a repository, relative to `cwd`. INPUT_INVALID for anything else, and for an
 * address with a password or token: the queue would hold it.
 */
export function parseAddress(given: string, cwd: string): Address {
  const text = given.trim()
  const scp = /^([\w.-]{1,64}@)([\w.-]{1,255}):(?!\/\/)([^\s:]{1,1000})$/.exec(text)
  if (scp) return fromUrl(`ssh://${scp[1]}${scp[2]}/${scp[3]!.replace(/^\/+/, '')}`)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return fromUrl(text)
  const path = resolve(cwd, text)
  if (text === '' || text.startsWith('-') || !existsSync(path) || !isRepository(path))
    throw new EngineError(
      'REPO_NOT_FOUND',
      `${JSON.stringify(given)} is neither an address nor a directory with a git repository.`,
      {
        hint: 'Pass https://host/owner/name, ssh://git@host/owner/name, a directory, or a file that lists them.',
      },
    )
  return { text: path, name: path, organization: 'local' }
}

function isRepository(path: string): boolean {
  return existsSync(join(path, '.git')) || (existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects')))
}

function fromUrl(text: string): Address {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const protocol = url?.protocol.slice(0, -1) ?? ''
  const isLocal = protocol === 'http' && ['localhost', '127.0.0.1', '[::1]'].includes(url!.hostname)
  if (!url || !(protocol === 'https' || protocol === 'ssh' || isLocal) || url.host === '' || url.search || url.hash)
    throw refuse('is not an address of a repository: use https or ssh.')
  // A user name at https is often a token.
  if (url.password !== '' || (url.username !== '' && protocol !== 'ssh'))
    throw refuse('has a user or password in it, which would be stored in the queue.')
  // ssh would take it for an option; git refuses it, too.
  if (url.host.startsWith('-') || url.username.startsWith('-'))
    throw refuse('has a user or host that begins with a hyphen.')
  const path = url.pathname.replace(/\/+$/, '').replace(/\.git$/, '')
  if (path.length < 2 || path.split('/').some(part => part === '..' || part === '.'))
    throw refuse('names no repository.')
  const segments = path.slice(1).split('/')
  const user = url.username === '' ? '' : `${url.username}@`
  return {
    text: `${protocol}://${user}${url.host}${path}`,
    name: `${url.host}${path}`,
    host: url.host,
    organization: `${url.host}/${segments.length > 1 ? segments[0] : ''}`.replace(/\/$/, ''),
  }
}

function refuse(what: string): EngineError {
  return new EngineError('INPUT_INVALID', `An address ${what}`, {
    hint: 'Pass https://host/owner/name. The worker takes its token from the environment, as docs/scale.md says.',
  })
}

/** Whether a job's text is an address as `parseAddress` writes it: what comes out of the queue may be anybody's. */
export function isAddress(text: string): boolean {
  if (isAbsolute(text)) return !text.includes('\0')
  try {
    return fromUrl(text).text === text
  } catch {
    return false
  }
}

/** The repository's name in the store. */
export function makeProject({ name, host }: Pick<Address, 'name' | 'host'>): string {
  const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)
  return makeProjectKey(host === undefined ? `local/${name.replace(/^\/+/, '')}` : name.replace(/:(?=\d)/, '-'), digest)
}
