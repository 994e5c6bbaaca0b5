import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import { repository } from '../made/git.ts'
import { ROOT } from '../root.ts'

const PROGRAM = join(ROOT, 'dist/svc.js')
const run = promisify(execFile)

/** The key of the dashboard. */
export const KEY = ['key', 'of', 'the', 'test'].join('-')

/** A repository among others, with the built program in it. */
export interface Product {
  cwd: string
  /** Runs the program, whatever it finds; what it could not do is an error. */
  svc(...args: string[]): Promise<string>
  /** The address of its dashboard. */
  serve(): Promise<string>
  /** Other repositories beside it, each with a copy of its runs. */
  addNeighbors(count: number): void
}

/** A repository of these files; it goes away after the tests of the file. */
export function makeProduct(files: Record<string, string>): Product {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'svc-product-')))
  const cwd = join(home, 'work', 'shop')
  const env = {
    PATH: process.env.PATH!,
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    GUARD_RATE_LIMIT_ENABLED: 'false',
    GUARD_API_KEY: KEY,
  }
  repository(cwd, files)
  let server: ChildProcess | undefined
  afterAll(() => {
    server?.kill()
    rmSync(home, { recursive: true, force: true })
  })
  return {
    cwd,
    async svc(...args) {
      try {
        return (await run(process.execPath, [PROGRAM, ...args], { cwd, env })).stdout
      } catch (error) {
        const { code, stdout } = error as { code: unknown; stdout: string }
        if (typeof code === 'number' && code < 64) return stdout
        throw error
      }
    },
    async serve() {
      const started = spawn(process.execPath, [PROGRAM, 'dashboard', '--port', '0'], {
        ...{ cwd, env },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      server = started
      let said = ''
      for await (const chunk of started.stderr) {
        said += chunk
        const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
        if (address) return address
      }
      throw new Error(`The dashboard did not start: ${said}`)
    },
    addNeighbors(count) {
      for (let n = 1; n <= count; n++) {
        const folder = join(home, 'work', `team-${String(n).padStart(3, '0')}`)
        mkdirSync(join(folder, '.git'), { recursive: true })
        cpSync(join(cwd, 'out/history'), join(folder, 'out/history'), { recursive: true })
      }
    },
  }
}
