import { connect, type Socket } from 'node:net'
import { getEngineDigest } from '../../base/disk/assets.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { stateExists } from '../../sources/state/local-folder.ts'
import type { GovernedContext } from '../context.ts'
import {
  computeProof,
  findOwnDirectory,
  findOwnSocket,
  isProof,
  makeNonce,
  type Reply,
  type Request,
  readMessages,
  runInDirectory,
  SOCKET,
  send,
} from './channel.ts'

/** Milliseconds within which a resident has to say that it is there; who waits for longer is answered here. */
const PRESENT = 300
/** Milliseconds for the answer. */
const ANSWERED = 15_000

/** Variables that the resident is not told: keys of the log. Who sets one is answered by this process. */
const SECRETS = ['GUARD_AUDIT_HMAC_KEY', 'GUARD_AUDIT_HMAC_KEY_PREVIOUS']

/** What came of asking: the answer, that nobody is there who could be started, or nothing that could be used. */
export type Asked = { answer: string } | 'absent' | 'unusable'

/**
 * Asks the process that stays in the repository for the answer to a hook's message. Only what proves that it has the
 * user's key is believed, and nothing is told to anything else: whoever put a socket there without the key is passed
 * over, and the caller decides by itself.
 */
export async function askResident(
  text: string,
  { cwd, env, caller, signal }: GovernedContext,
  present = PRESENT,
): Promise<Asked> {
  const root = findRepositoryRoot(cwd)
  if (env.SVC_RESIDENT === '0' || SECRETS.some(name => env[name]) || !stateExists(root)) return 'unusable'
  const folder = findOwnDirectory(root)
  if (!folder) return 'unusable'
  if (!findOwnSocket(folder)) return 'absent'
  const socket = runInDirectory(folder, () => connect(SOCKET))
  const stop = () => socket.destroy()
  signal.addEventListener('abort', stop, { once: true })
  const timer = setTimeout(stop, present)
  const request: Request = { text, cwd, env: { ...env }, ...(caller?.pid !== undefined && { pid: caller.pid }) }
  try {
    return await exchange(socket, request, () => clearTimeout(timer))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? 'absent' : 'unusable'
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    socket.destroy()
  }
}

async function exchange(socket: Socket, request: Request, isPresent: () => void): Promise<Asked> {
  const mine = makeNonce()
  const build = getEngineDigest()
  send(socket, { build, nonce: mine })
  const incoming = readMessages(socket)
  const hello = (await incoming.next()).value as { nonce: string; proof: string } | undefined
  // One that ends at once is of another build, or none of ours: a new one takes its place.
  if (!hello) return 'absent'
  if (!isProof(hello.proof, computeProof(request.env, 'present', build, mine, hello.nonce))) return 'unusable'
  isPresent()
  const late = setTimeout(() => socket.destroy(), ANSWERED)
  try {
    const body = JSON.stringify(request)
    send(socket, { request: body })
    const reply = (await incoming.next()).value as Reply | undefined
    if (!reply || !isProof(reply.proof, computeProof(request.env, 'answer', mine, hello.nonce, body, reply.answer)))
      return 'unusable'
    return { answer: reply.answer }
  } finally {
    clearTimeout(late)
  }
}
