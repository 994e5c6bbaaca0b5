import { execFileSync } from 'node:child_process'
import { LlmError } from './llm-error.ts'

/** Names the entry of the system's keyring that holds the key; set by the user, never by the repository. */
export const KEYRING_VARIABLE = 'SVC_LLM_KEYRING'

/** The system's own programs that read its keyring, by platform: no module has to be compiled, and no name is looked up in PATH. */
const READERS: Readonly<Record<string, { program: string; args: (service: string) => string[] }>> = {
  darwin: { program: '/usr/bin/security', args: service => ['find-generic-password', '-s', service, '-w'] },
  linux: { program: '/usr/bin/secret-tool', args: service => ['lookup', 'service', service] },
}
/** A user may have to unlock the keyring first. */
const TIMEOUT_MS = 60_000

/** The key under the service name in the keyring of the system. LlmError `not_configured` with what to do where it has none. */
export function readKeyring(
  service: string,
  reader: (typeof READERS)[string] | undefined = READERS[process.platform],
): string {
  const refuse = (why: string, cause?: unknown) =>
    new LlmError('not_configured', `${KEYRING_VARIABLE}: ${why}`, { cause })
  if (!/^[\w.@][\w.@-]{0,99}$/.test(service))
    throw refuse('it must be a service name of letters, digits, ".", "@", "_" and "-"')
  if (reader === undefined) throw refuse('keyrings are read on macOS and Linux only')
  const { program, args } = reader
  let key: string
  try {
    key = execFileSync(program, args(service), {
      ...{ cwd: '/', encoding: 'utf8', timeout: TIMEOUT_MS, maxBuffer: 1 << 16, stdio: ['ignore', 'pipe', 'ignore'] },
      // What the keyring's daemon is reached by, and nothing else.
      env: pick(process.env, [
        'HOME',
        'USER',
        'DISPLAY',
        'WAYLAND_DISPLAY',
        'XDG_RUNTIME_DIR',
        'DBUS_SESSION_BUS_ADDRESS',
      ]),
    }).trim()
  } catch (cause) {
    const isMissing = (cause as { code?: string }).code === 'ENOENT'
    throw refuse(isMissing ? `${program} is not installed` : `${program} gave no key for the service ${service}`, cause)
  }
  if (key === '') throw refuse(`the keyring has no key for the service ${service}`)
  return key
}

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])))
}
