import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { Server } from 'node:net'
import { afterEach, expect } from 'vitest'

// Loaded before each file of the project `unit`: a process, a thread or a server that its code starts, in whatever room, fails the test.

const require = createRequire(import.meta.url)
const processes = require('node:child_process') as Record<string, unknown>
const threads = require('node:worker_threads') as { Worker: new (...args: never[]) => object }
const net = require('node:net') as typeof import('node:net')

let started: string[] = []

for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']) {
  const start = processes[name] as (...args: unknown[]) => unknown
  if ('unwatched' in start) continue
  processes[name] = Object.assign(
    (...args: unknown[]) => {
      started.push(`${name} of ${String(args[0])}`)
      return start(...args)
    },
    { unwatched: start },
  )
}
const { Worker } = threads
threads.Worker = class extends Worker {
  constructor(...args: never[]) {
    started.push('a thread')
    super(...args)
  }
}
const { listen } = net.Server.prototype
net.Server.prototype.listen = function (this: Server, ...args: Parameters<typeof listen>) {
  started.push('a server')
  return listen.apply(this, args)
} as typeof listen
syncBuiltinESMExports()

afterEach(() => {
  const found = started
  started = []
  expect(found, 'a unit test starts nothing: a file that has to is named *.process.test.ts (docs/testing.md)').toEqual(
    [],
  )
})
