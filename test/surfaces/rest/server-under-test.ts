import { mkdtempSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { type ApiOptions, createApi } from '../../../api/server.ts'
import { ROWS, schemas } from '../rows.ts'

export interface ServerUnderTest {
  app: FastifyInstance
  /** http://127.0.0.1:<port> */
  base: string
  /** What the person at the terminal was told. */
  notices: string[]
  cwd: string
}

/** A listening server over the test's operations, closed when the test ends. The rate limit is off unless the test sets it. */
export async function startServer(options: Partial<ApiOptions> = {}): Promise<ServerUnderTest> {
  const notices: string[] = []
  const cwd = mkdtempSync(join(tmpdir(), 'svc-rest-'))
  const app = createApi({
    rows: ROWS,
    schemas,
    cwd,
    env: { GUARD_RATE_LIMIT_ENABLED: 'false' },
    notice: text => void notices.push(text),
    host: '127.0.0.1',
    ...options,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  return { app, base: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, notices, cwd }
}

/** POST of JSON. */
export function post(url: string, body: unknown, init: RequestInit = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  })
}

/** The problem document of a refusal, after looking at what every one must be. */
export async function problem(
  response: Response,
): Promise<{ status: number; code: string; detail: string; title: string; type: string }> {
  const { expect } = await import('vitest')
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  const body = (await response.json()) as Awaited<ReturnType<typeof problem>>
  expect(Object.keys(body).sort()).toEqual(['code', 'detail', 'status', 'title', 'type'])
  expect(body.status).toBe(response.status)
  expect(JSON.stringify(body)).not.toMatch(/node_modules|\.[jt]s:\d|fastify|\bat .*:\d+:\d+/i)
  return body
}
