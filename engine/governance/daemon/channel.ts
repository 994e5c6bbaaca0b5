import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstatSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { openKeyring } from '../../sources/state/key.ts'
import { locateLocalState } from '../../sources/state/local-folder.ts'

/** The socket's name in `.svc/local`. It is always called by this name alone: a socket's whole path may not be long. */
export const SOCKET = 'hook.sock'

/** What is asked of the resident: the hook's message with all that the answer depends on. */
export interface Request {
  text: string
  cwd: string
  env: Record<string, string | undefined>
  pid?: number
}

/** The answer, signed over the request and both sides' nonces. */
export interface Reply {
  answer: string
  proof: string
}

export const makeNonce = (): string => randomBytes(16).toString('hex')

/** What only who has the user's key can say: HMAC-SHA256 over these texts. */
export function computeProof(env: Readonly<Record<string, string | undefined>>, ...texts: readonly string[]): string {
  // The user's own key, whatever the repository has: what lies in it a governed agent can read.
  const { signing } = openKeyring({ XDG_STATE_HOME: env.XDG_STATE_HOME, HOME: env.HOME })
  return createHmac('sha256', signing.bytes)
    .update(JSON.stringify(['svc agent-hook', ...texts]))
    .digest('hex')
}

/** Compares proofs in constant time. */
export function isProof(given: unknown, proof: string): boolean {
  return (
    typeof given === 'string' &&
    given.length === proof.length &&
    timingSafeEqual(Buffer.from(given), Buffer.from(proof))
  )
}

/**
 * The folder of the socket, where nobody else can put one: made of real folders that are the user's own and that others
 * cannot write. Undefined where it is not so, and where the system has no such owners.
 */
export function findOwnDirectory(root: string): string | undefined {
  const folder = locateLocalState(root)
  return [join(root, '.svc'), folder].every(path => isOwn(statOf(path), 0o022, 'isDirectory')) ? folder : undefined
}

/** The socket that stands there, where it is the user's own and for nobody else. */
export function findOwnSocket(folder: string): Stats | undefined {
  const stat = statOf(join(folder, SOCKET))
  return isOwn(stat, 0o077, 'isSocket') ? stat : undefined
}

function isOwn(stat: Stats | undefined, forbidden: number, kind: 'isDirectory' | 'isSocket'): boolean {
  return stat?.[kind]() === true && stat.uid === process.getuid?.() && (stat.mode & forbidden) === 0
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

/** Characters of one message; a hook's message holds at most the files that its tool would write. */
const LONGEST = 64 * 1024 * 1024

/** The messages that come by a socket, one a line; ends with it. Throws for what is no message. */
export async function* readMessages(socket: Socket): AsyncGenerator<Record<string, unknown>> {
  let parts: string[] = []
  let length = 0
  socket.setEncoding('utf8')
  for await (const chunk of socket) {
    const [first, ...lines] = (chunk as string).split('\n') as [string, ...string[]]
    parts.push(first)
    length += first.length
    if (length > LONGEST) throw new Error('the message is too long')
    for (const line of lines) {
      yield JSON.parse(parts.join(''))
      parts = [line]
      length = line.length
    }
  }
}

export function send(socket: Socket, message: object): void {
  socket.write(`${JSON.stringify(message)}\n`)
}

/** Does something in another working folder, at once; sockets are named relative to it. */
export function runInDirectory<T>(folder: string, work: () => T): T {
  const before = process.cwd()
  process.chdir(folder)
  try {
    return work()
  } finally {
    process.chdir(before)
  }
}
