import type { AddressInfo } from 'node:net'
import type { Context } from '../engine/base/context.ts'
import { EngineError } from '../engine/base/errors.ts'
import type { ManifestRow } from '../engine/door/operation.ts'
import type { Schemas } from '../engine/door/schemas.ts'
import { generateKey } from './auth.ts'
import { isLoopback } from './origin.ts'
import { type ApiOptions, createApi } from './server.ts'

/** Input of `svc dashboard`. */
export interface DashboardInput {
  host: string
  /** 0 for any free one. */
  port: number
  /** Refuses everything that changes or runs something. */
  read_only?: boolean
}

/** Milliseconds that open connections get to end by themselves once the server closes. */
export const CLOSE_GRACE = 2000

/** The key for an address: GUARD_API_KEY; else none on loopback, and a new one beyond it. */
export function chooseKey(host: string, env: Context['env']): { key?: string; generated: boolean } {
  if (env.GUARD_API_KEY) return { key: env.GUARD_API_KEY, generated: false }
  return isLoopback(host) ? { generated: false } : { key: generateKey(), generated: true }
}

/** What is told of a key that was generated, once, on standard error. */
export function describeKey(key: string): string {
  return `GUARD_API_KEY is not set, so this key was generated for this start: ${key}\nSign in at the dashboard with it, or send it in the X-API-Key header.`
}

/**
 * Listens and stays until the context's signal aborts; then running work is aborted, answers in flight get two seconds,
 * and it settles. CONFLICT where the port is taken, INPUT_INVALID where the address cannot be listened on.
 */
export async function serveDashboard(
  { host, port, read_only }: DashboardInput,
  context: Context,
  rows: readonly ManifestRow[],
  schemas: (id: string) => Schemas,
  mcp?: ApiOptions['mcp'],
): Promise<void> {
  const { key, generated } = chooseKey(host, context.env)
  const { cwd, env, signal } = context
  const app = createApi({
    rows,
    schemas,
    cwd,
    env,
    host,
    key,
    mcp,
    readOnly: read_only,
    notice: text => context.notice(text),
    log: context.log,
  })
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw listenError(error, host, port)
  }
  if (generated && key) context.notice(describeKey(key))
  context.notice(`Dashboard: ${addressOf(host, app.server.address() as AddressInfo)} (Ctrl-C stops it)`)
  if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
  const force = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE)
  await app.close()
  clearTimeout(force)
}

/** The address that a browser on this machine can open. */
export function addressOf(host: string, { port }: AddressInfo): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** A failure to listen as an error of the table. */
export function listenError(error: unknown, host: string, port: number): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE') {
    return new EngineError('CONFLICT', `Port ${port} of ${host} is already in use.`, {
      hint: 'Choose another with --port, or 0 for any free one.',
    })
  }
  if (code === 'EACCES') {
    return new EngineError('INPUT_INVALID', `Port ${port} may not be opened by this user.`, {
      hint: 'Choose one from 1024 with --port.',
    })
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new EngineError('INPUT_INVALID', `${host} is not an address of this machine.`, {
      hint: 'Give --host 127.0.0.1 or 0.0.0.0.',
    })
  }
  return error
}
