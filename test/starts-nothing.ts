import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { Server } from 'node:net'
import { afterEach, expect } from 'vitest'

// Loaded before each file of the projects `unit` and `long`: a process, a thread or a server that its code starts, in whatever room, fails
// the test. Files share a process, and with it what is watched here: the note of what was started belongs to the process, not to a file.

const NOTE = Symbol.for('svc.started-in-unit-tests')
const shared = globalThis as { [NOTE]?: string[] }

if (shared[NOTE] === undefined) {
  shared[NOTE] = []
  watch(what => void shared[NOTE]!.push(what))
}

afterEach(() => {
  const found = shared[NOTE]!.splice(0)
  expect(found, 'a unit test starts nothing: a file that has to is named *.process.test.ts (docs/testing.md)').toEqual(
    [],
  )
})

/** Tells of each start, once a process; whoever starts something gets it all the same. */
function watch(tell: (what: string) => void): void {
  const require = createRequire(import.meta.url)
  const processes = require('node:child_process') as Record<string, unknown>
  const threads = require('node:worker_threads') as { Worker: new (...args: never[]) => object }
  const net = require('node:net') as typeof import('node:net')
  for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']) {
    const start = processes[name] as (...args: unknown[]) => unknown
    processes[name] = (...args: unknown[]) => {
      tell(`${name} of ${String(args[0])}`)
      return start(...args)
    }
  }
  const { Worker } = threads
  threads.Worker = class extends Worker {
    constructor(...args: never[]) {
      tell('a thread')
      super(...args)
    }
  }
  const { listen } = net.Server.prototype
  net.Server.prototype.listen = function (this: Server, ...args: Parameters<typeof listen>) {
    tell('a server')
    return listen.apply(this, args)
  } as typeof listen
  syncBuiltinESMExports()
}
