import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isObject, parseObject } from '../../base/text/json-object.ts'
import { findProgram, makeTrustedPath } from '../../sources/repository/program-path.ts'
import type { Server } from './discover.ts'
import { readTools, type Tool } from './tools.ts'

/** What a server answered, or why it did not. */
export type Listed = { tools: Tool[] } | { failure: string }

export interface ConnectOptions {
  root: string
  env: Readonly<Record<string, string | undefined>>
  timeout_ms: number
  signal: AbortSignal
}

const PROTOCOL = '2025-06-18'
const MOST_BYTES = 16 << 20
const MOST_PAGES = 100
/** Variables that a program needs; none of them signs anybody in. */
const PASSED = ['LANG', 'LC_ALL', 'TZ', 'SYSTEMROOT', 'COMSPEC', 'PATHEXT', 'SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS']

/**
 * Starts a server, which `refuseStart` must have allowed, that speaks over standard input and output, lists its tools and ends it with all that it started. It gets a home directory
 * of its own and no credential: neither the user's environment nor the `env` of its configuration. Never throws but for the signal's reason.
 */
export function listServerTools(server: Server, { root, env, timeout_ms, signal }: ConnectOptions): Promise<Listed> {
  const { command, args } = server
  if (command === undefined) throw new Error(`The server ${server.name} has no program.`)
  signal.throwIfAborted()
  const path = makeTrustedPath(root, env)
  const file = /[\\/]/.test(command) ? resolve(root, command) : findProgram(command, path)
  if (file === undefined) return Promise.resolve({ failure: `the program ${command} was not found` })
  const home = mkdtempSync(join(tmpdir(), 'svc-mcp-'))
  const own = Object.fromEntries(PASSED.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])))
  return new Promise<Listed>((settle, reject) => {
    const detached = process.platform !== 'win32'
    const child = spawn(file, [...args], {
      cwd: root,
      env: { ...own, PATH: path, HOME: home, USERPROFILE: home, TMPDIR: home },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached,
    })
    let isDone = false
    const end = (result: Listed) => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      try {
        if (detached && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
        else child.kill('SIGKILL')
      } catch {
        // It has ended by itself meanwhile.
      }
      rmSync(home, { recursive: true, force: true, maxRetries: 3 })
      if (signal.aborted) reject(signal.reason)
      else settle(result)
    }
    const abort = () => end({ failure: 'it was interrupted' })
    const timer = setTimeout(() => end({ failure: `it timed out after ${timeout_ms / 1000} seconds` }), timeout_ms)
    signal.addEventListener('abort', abort, { once: true })
    child.on('error', (error: NodeJS.ErrnoException) => end({ failure: `it could not be started: ${error.code}` }))
    child.on('close', code => end({ failure: `it ended with ${code ?? 'a signal'} before it listed its tools` }))
    // A server that ends early closes its input; `close` says so.
    child.stdin.on('error', () => {})
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const conversation = converse(send, end)
    let [size, rest] = [0, '']
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      size += chunk.length
      if (size > MOST_BYTES) return end({ failure: `it printed more than ${MOST_BYTES >> 20} MiB` })
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()!
      for (const line of lines) conversation(line)
    })
    const clientInfo = { name: 'svc', version: '1' }
    send({ id: 0, method: 'initialize', params: { protocolVersion: PROTOCOL, capabilities: {}, clientInfo } })
  })
}

/** Answers to each line of the server: initialized, then a page of tools after the other. */
function converse(send: (message: object) => void, end: (result: Listed) => void): (line: string) => void {
  const tools: Tool[] = []
  let expected = 0
  const ask = (cursor?: unknown) =>
    send({ id: ++expected, method: 'tools/list', params: typeof cursor === 'string' ? { cursor } : {} })
  return line => {
    const message = parseObject(line)
    if (message?.id !== expected || 'method' in message) return
    if (!isObject(message.result)) return end({ failure: 'it answered with an error' })
    if (expected === 0) {
      send({ method: 'notifications/initialized' })
      return ask()
    }
    tools.push(...readTools(message.result))
    const { nextCursor } = message.result
    if (typeof nextCursor !== 'string' || nextCursor === '') return end({ tools })
    if (expected > MOST_PAGES) return end({ failure: `its list has more than ${MOST_PAGES} pages` })
    ask(nextCursor)
  }
}
