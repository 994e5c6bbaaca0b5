import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Whether tests can start a Redis server; Debian's package is installed by scripts/test-services.sh. */
export const HAS_REDIS = spawnSync('redis-server', ['--version']).status === 0
if (!HAS_REDIS)
  console.warn('redis-server is not installed: tests of the queue are skipped (scripts/test-services.sh installs it).')

/** A Redis of its own, which keeps what it is told over a restart. */
export interface OwnRedis {
  /** For SVC_FLEET_REDIS_URL. */
  url: string
  socket: string
  /** Runs a command with redis-cli. */
  ask(...args: string[]): string
  /** Stops it and starts it again, with what it kept. */
  restart(awayMs: number): Promise<void>
  stop(): Promise<void>
}

/** Starts a Redis on a socket in a temporary directory, which nobody else finds. */
export async function startRedis({ keeps = false } = {}): Promise<OwnRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-redis-'))
  const socket = join(folder, 's')
  const start = () =>
    spawn(
      'redis-server',
      ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '', '--appendonly', keeps ? 'yes' : 'no'],
      { stdio: 'ignore' },
    )
  let server = start()
  const ask = (...args: string[]) =>
    execFileSync('redis-cli', ['-s', socket, ...args], { encoding: 'utf8', maxBuffer: 1 << 30 }).trimEnd()
  const ready = async () => {
    for (;;) {
      if (spawnSync('redis-cli', ['-s', socket, 'ping'], { encoding: 'utf8' }).stdout?.trim() === 'PONG') return
      await pause(20)
    }
  }
  const end = async () => {
    const ended = new Promise(resolve => server.once('exit', resolve))
    server.kill('SIGTERM')
    await ended
  }
  await ready()
  return {
    url: `unix://${socket}`,
    socket,
    ask,
    async restart(awayMs) {
      await end()
      await pause(awayMs)
      server = start()
      await ready()
    },
    async stop() {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
