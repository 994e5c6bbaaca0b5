import { chmodSync, lstatSync, renameSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { getEngineDigest } from '../../base/disk/assets.ts'
import { EngineError } from '../../base/errors.ts'
import { stateExists } from '../../sources/state/local-folder.ts'
import type { GovernedContext } from '../context.ts'
import {
  computeProof,
  findOwnDirectory,
  makeNonce,
  type Request,
  readMessages,
  runInDirectory,
  SOCKET,
  send,
} from './channel.ts'

/** Milliseconds without a question after which a resident ends. */
const IDLE = 300_000
/** Milliseconds after which a connection that is silent is cut; an answer may take as long as its client waits. */
const SILENCE = 20_000
/** Milliseconds between two looks whether the socket and the records still stand. */
const LOOK = 5000

/** Answers one request; the text goes to who asked. */
export type Answering = (request: Request) => Promise<string>

/**
 * Stays in a repository and answers hooks by a socket in `.svc/local`, until nobody has asked for a while, the signal says
 * so, the records or the socket have gone, or another one has taken the socket's place. FORBIDDEN where others could put
 * a socket there.
 */
export async function runDaemon(
  root: string,
  { env, signal }: Pick<GovernedContext, 'env' | 'signal'>,
  answering: Answering,
  { idle = IDLE, look = LOOK } = {},
): Promise<void> {
  const folder = findOwnDirectory(root)
  if (!folder || !stateExists(root))
    throw new EngineError('FORBIDDEN', 'The directory .svc/local is missing, or other users can write to it.')
  const temporary = `${SOCKET}.${process.pid}`
  let last = performance.now()
  const server = createServer(socket => {
    last = performance.now()
    // Who connects and says nothing would keep the process from ending.
    socket.setTimeout(SILENCE, () => socket.destroy())
    converse(socket, env, answering).catch(() => socket.destroy())
  })
  // Nobody else may call it, not even before its mode is set.
  const mask = process.umask(0o177)
  try {
    rmSync(join(folder, temporary), { force: true })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      runInDirectory(folder, () => server.listen(temporary, resolve))
    })
  } finally {
    process.umask(mask)
  }
  chmodSync(join(folder, temporary), 0o600)
  // One step: what stood there was dead, or is about to find out that it has been replaced.
  renameSync(join(folder, temporary), join(folder, SOCKET))
  const place = () => lstatSync(join(folder, SOCKET), { throwIfNoEntry: false })
  const own = place()?.ino
  await new Promise<void>(resolve => {
    const timer = setInterval(() => {
      if (performance.now() - last > idle || place()?.ino !== own || !stateExists(root)) resolve()
    }, look)
    signal.addEventListener('abort', () => resolve(), { once: true })
    server.once('close', () => clearInterval(timer))
    if (signal.aborted) resolve()
  })
  if (place()?.ino === own) rmSync(join(folder, SOCKET), { force: true })
  await new Promise(resolve => server.close(resolve))
}

async function converse(socket: Socket, env: GovernedContext['env'], answering: Answering): Promise<void> {
  const incoming = readMessages(socket)
  const hello = (await incoming.next()).value as { build: string; nonce: string } | undefined
  const mine = makeNonce()
  // Another build decides otherwise; it is left to decide by itself.
  if (hello?.build !== getEngineDigest() || typeof hello.nonce !== 'string') return void socket.end()
  send(socket, { nonce: mine, proof: computeProof(env, 'present', hello.build, hello.nonce, mine) })
  const asked = (await incoming.next()).value as { request: string } | undefined
  if (!asked) return void socket.end()
  const answer = await answering(JSON.parse(asked.request))
  send(socket, { answer, proof: computeProof(env, 'answer', hello.nonce, mine, asked.request, answer) })
  socket.end()
}
