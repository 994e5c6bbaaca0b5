import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { EngineError } from '../base/errors.ts'
import type { Agent } from '../sources/state/records.ts'
import type { Reader } from '../sources/state/tables.ts'

const PREFIX = 'svc_agent_'

/** A new credential: 256 random bits after the prefix. */
export function makeCredential(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`
}

/** What is stored of a credential: SHA-256, hex. The bits are random, so a slow hash would add nothing. */
export function hashCredential(credential: string): string {
  return createHash('sha256').update(credential).digest('hex')
}

/**
 * The credential that the environment carries: SVC_AGENT_KEY, or the file that SVC_AGENT_KEY_FILE names. Undefined where
 * there is none; INPUT_INVALID where the file cannot be read, since who says that they have a credential means it.
 */
export function findCredential(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env.SVC_AGENT_KEY) return env.SVC_AGENT_KEY.trim()
  if (!env.SVC_AGENT_KEY_FILE) return undefined
  try {
    return readFileSync(env.SVC_AGENT_KEY_FILE, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new EngineError('INPUT_INVALID', `The file in SVC_AGENT_KEY_FILE cannot be read: ${code}.`, {
      cause: error,
    })
  }
}

/** What to tell somebody whose credential is no registered agent's: a mistyped one would otherwise lose its agent's name without a word. */
export function describeUnknownCredential(agent: string): string {
  return `the credential belongs to no agent registered here, so the action is recorded as done by ${agent}`
}

/** The registered agent with this credential; found by its hash, and compared in constant time. */
export function findAgent(reader: Reader, credential: string): Agent | undefined {
  if (!credential.startsWith(PREFIX)) return undefined
  const hash = hashCredential(credential)
  const agent = reader.find('agents', 'credential_hash = ?', hash)[0]
  const same = agent && timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(agent.credential_hash, 'hex'))
  return same ? agent : undefined
}
