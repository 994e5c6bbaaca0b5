import { devNull } from 'node:os'
import { EngineError } from '../../base/errors.ts'
import { makeTrustedPath } from './program-path.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What a fetch or a push is allowed to reach. */
export interface Transfer {
  /** `https://host/…` or `ssh://[user@]host/…`. */
  url: string
  /** The one host that may be asked. */
  host: string
  /** A bare git directory that svc has just made: its configuration is the only one that git reads. */
  directory: string
  /** Where the objects go to or come from: the `objects` directory of the repository. */
  objects: string
  /** The value of the HTTP header Authorization, for https. */
  authorization?: string
}

/** Variables that a transfer takes over from the caller: the program's surroundings, the proxy, the user's ssh agent and certificates. */
const TAKEN =
  /^(?:HOME|USER|LOGNAME|TMPDIR|TEMP|TMP|SYSTEMROOT|SSH_AUTH_SOCK|SSL_CERT_FILE|SSL_CERT_DIR|(?:https?|no)_proxy)$/i
/** ssh asks nothing, forwards nothing and runs nothing beside itself. */
const SSH = 'ssh -o BatchMode=yes -o ClearAllForwardings=yes -o PermitLocalCommand=no -o ForwardAgent=no'

/**
 * The arguments before the command, and the environment, for a git that fetches or pushes: a fresh configuration in place of the repository's, the
 * user's and the machine's, one protocol, one host, no redirect to another, and credentials that svc gives, so that git asks no program for any. The
 * header stands in the environment, where no list of processes shows it. Pure: nothing is started here. INPUT_INVALID for an address of another host or protocol.
 */
export function transferProfile(transfer: Transfer, env: Environment): { args: string[]; env: Record<string, string> } {
  const { url, host, directory, objects, authorization } = transfer
  const protocol = protocolOf(url, host)
  const settings: [string, string][] = [
    ['credential.helper', ''],
    ['core.askPass', ''],
    ['core.hooksPath', devNull],
    ['core.fsmonitor', 'false'],
    ['protocol.allow', 'never'],
    [`protocol.${protocol}.allow`, 'always'],
    ['http.followRedirects', 'false'],
    ['submodule.recurse', 'false'],
    ['fetch.recurseSubmodules', 'false'],
    ['push.recurseSubmodules', 'no'],
    ['push.gpgSign', 'false'],
    ['fetch.fsckObjects', 'true'],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
  ]
  if (protocol !== 'ssh' && authorization !== undefined)
    settings.push([`http.${protocol}://${host}/.extraHeader`, `Authorization: ${authorization}`])
  const taken = Object.entries(env).filter(([name, value]) => value !== undefined && TAKEN.test(name))
  const numbered = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return {
    args: ['--no-pager'],
    env: {
      ...(Object.fromEntries(taken) as Record<string, string>),
      PATH: makeTrustedPath(directory, env),
      LC_ALL: 'C',
      GIT_DIR: directory,
      GIT_OBJECT_DIRECTORY: objects,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: devNull,
      GIT_ATTR_NOSYSTEM: '1',
      GIT_ALLOW_PROTOCOL: protocol,
      GIT_PROTOCOL_FROM_USER: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ASKPASS: '',
      SSH_ASKPASS: '',
      GIT_SSH_COMMAND: SSH,
      GIT_CONFIG_COUNT: String(settings.length),
      ...Object.fromEntries(numbered),
    },
  }
}

function protocolOf(url: string, host: string): 'https' | 'http' | 'ssh' {
  const address = URL.canParse(url) ? new URL(url) : undefined
  const protocol = address?.protocol.slice(0, -1)
  // Without TLS only to this machine, where nobody listens in between.
  const isLocal = protocol === 'http' && ['localhost', '127.0.0.1', '[::1]'].includes(address!.hostname)
  const isAllowed = protocol === 'https' || protocol === 'ssh' || isLocal
  if (isAllowed && address!.host === host && !address!.password) return protocol as 'https' | 'http' | 'ssh'
  throw new EngineError(
    'INPUT_INVALID',
    `Transfers are allowed only to https or ssh at ${host}; this address differs.`,
    {
      hint: 'Pass the address without a password, with its host.',
    },
  )
}
