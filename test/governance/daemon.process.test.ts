import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { readMessages, runInDirectory, SOCKET } from '../../engine/governance/daemon/channel.ts'
import { askResident } from '../../engine/governance/daemon/client.ts'
import { type Answering, runDaemon } from '../../engine/governance/daemon/server.ts'
import { makeStateFile } from '../../engine/sources/state/local-folder.ts'
import { git } from '../made/git.ts'
import { contextOf, type Place, place } from './governed.ts'

const started: { end: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of started.splice(0)) await one.end()
})

async function resident(where: Place, answering: Answering = async ({ text }) => `answer to ${text}`, times = {}) {
  const leave = new AbortController()
  const ended = runDaemon(where.root, { env: where.env, signal: leave.signal }, answering, { look: 20, ...times })
  let over = false
  const leaves = () => {
    over = true
  }
  ended.then(leaves, leaves)
  started.push({
    end: async () => {
      leave.abort()
      await ended
    },
  })
  // One that has little patience may be gone before it is seen.
  await expect.poll(() => over || existsSync(socketOf(where)), { interval: 10 }).toBe(true)
  return { ended }
}
const socketOf = ({ root }: Place) => join(root, '.svc/local', SOCKET)
/** Asks with more patience than a hook has: the resident of a test shares its processor with all that runs beside it. */
const ask = (where: Place, text: string) => askResident(text, contextOf(where, { marker: 'CLAUDECODE' }), 20_000)

/** A repository with records, in which nobody stays yet. */
function governed(): Place {
  const where = place()
  makeStateFile(where.root)
  return where
}

/** Somebody else's socket where the resident's should be. */
async function impostor({ root }: Place, behave: (socket: Socket) => void): Promise<void> {
  const folder = join(root, '.svc/local')
  const server: Server = createServer(behave)
  await new Promise<void>(resolve => runInDirectory(folder, () => server.listen(SOCKET, resolve)))
  chmodSync(join(folder, SOCKET), 0o600)
  started.push({ end: async () => void server.close() })
}

it('a resident answers what it is asked, to its user alone', async () => {
  const where = governed()
  await resident(where, async ({ text, cwd, env }) => JSON.stringify({ text, cwd, marker: env.CLAUDECODE }))
  const told = await ask(where, 'may I?')
  expect(JSON.parse((told as { answer: string }).answer)).toEqual({ text: 'may I?', cwd: where.root, marker: '1' })
  expect(statSync(socketOf(where)).mode & 0o777).toBe(0o600)
})

it('where nobody stays, or only the socket of one that was killed, a new one may be started', async () => {
  const where = governed()
  expect(await ask(where, 'x')).toBe('absent')
  await resident(where)
  renameSync(socketOf(where), `${socketOf(where)}.kept`)
  await started.pop()!.end()
  renameSync(`${socketOf(where)}.kept`, socketOf(where))
  expect(await ask(where, 'x')).toBe('absent')
  await resident(where)
  await expect.poll(() => ask(where, 'x')).toEqual({ answer: 'answer to x' })
})

it('a socket whose owner does not have the key is not believed, and learns nothing', async () => {
  const where = governed()
  const heard: string[] = []
  await impostor(where, async socket => {
    socket.on('data', data => void heard.push(String(data)))
    socket.write(`${JSON.stringify({ nonce: 'n', proof: 'a'.repeat(64) })}\n`)
    socket.write(`${JSON.stringify({ answer: '{"decision":"allow"}', proof: 'a'.repeat(64) })}\n`)
  })
  expect(await ask(where, 'the secret text')).toBe('unusable')
  expect(heard.join('')).not.toContain('secret')
  expect(heard.join('')).not.toContain('CLAUDECODE')
})

it('an answer that was changed on its way is not believed', async () => {
  const where = governed()
  await resident(where)
  renameSync(socketOf(where), join(where.root, '.svc/local/real.sock'))
  // Passes everything on, and turns the answer.
  await impostor(where, socket => {
    const real = runInDirectory(join(where.root, '.svc/local'), () => connect('real.sock'))
    socket.on('data', data => real.write(data))
    real.on('data', data => socket.write(String(data).replace('answer to', 'consent to')))
    real.on('error', () => {})
    socket.on('error', () => {})
  })
  expect(await ask(where, 'x')).toBe('unusable')
})

it('one that says nothing holds nobody up', async () => {
  const where = governed()
  await impostor(where, () => {})
  expect(await askResident('x', contextOf(where, { marker: 'CLAUDECODE' }))).toBe('unusable')
})

it('a folder that others can write, or a link in its place, is not used', async () => {
  const where = governed()
  await resident(where)
  const local = join(where.root, '.svc/local')
  chmodSync(local, 0o777)
  expect(await ask(where, 'x')).toBe('unusable')
  chmodSync(local, 0o700)
  expect(await ask(where, 'x')).toEqual({ answer: 'answer to x' })
  chmodSync(socketOf(where), 0o666)
  expect(await ask(where, 'x')).toBe('absent')
})

it('a key of the log in the environment is never told to a resident', async () => {
  const where = governed()
  await resident(where)
  const secret = { ...where, env: { ...where.env, GUARD_AUDIT_HMAC_KEY: 'k'.repeat(32) } }
  expect(await ask(secret, 'x')).toBe('unusable')
})

it('one of another build says nothing', async () => {
  const where = governed()
  await resident(where)
  const socket = runInDirectory(join(where.root, '.svc/local'), () => connect(SOCKET))
  socket.write('{"build":"another","nonce":"n"}\n')
  expect((await readMessages(socket).next()).done).toBe(true)
})

it('it ends when nobody asks any more, when the records go, and when another takes its place', async () => {
  const idle = governed()
  await (await resident(idle, undefined, { idle: 50 })).ended
  expect(existsSync(socketOf(idle))).toBe(false)
  const gone = governed()
  const { ended } = await resident(gone)
  rmSync(join(gone.root, '.svc/local/state.db'))
  await ended
  const twice = governed()
  const first = await resident(twice)
  await resident(twice, async () => 'the second')
  await first.ended
  expect(await ask(twice, 'x')).toEqual({ answer: 'the second' })
})

it('a repository may lie deep, and each work tree has its own', async () => {
  const where = place()
  const deep = join(where.root, '..', 'd'.repeat(100), 'e'.repeat(100))
  git(where.root, 'worktree', 'add', '-q', deep)
  mkdirSync(join(deep, '.svc'), { recursive: true })
  const tree: Place = { ...where, root: deep }
  for (const one of [where, tree]) {
    makeStateFile(one.root)
    await resident(one, async () => one.root.slice(-5))
  }
  expect(await ask(where, 'x')).toEqual({ answer: where.root.slice(-5) })
  expect(await ask(tree, 'x')).toEqual({ answer: 'eeeee' })
})
