import { realpathSync } from 'node:fs'
import type { NotaryInput } from '../api/notary.ts'
import type { Context, Server } from '../engine/base/context.ts'
import type { ManifestRow } from '../engine/door/operation.ts'
import type { Schemas } from '../engine/door/schemas.ts'
import type { LspInput } from './lsp/session.ts'

/** The servers' operations and the program that restarts itself. */
export interface Served {
  operations: readonly ManifestRow[]
  schemas: (id: string) => Schemas
}

/** Starts a server surface for `context.serve`; its code is loaded only now. Settles when it has closed. */
export async function serve(
  server: Server,
  input: Readonly<Record<string, unknown>>,
  context: Context,
  { operations, schemas }: Served,
): Promise<void> {
  if (server === 'mcp') {
    const { serveStdio } = await import('../mcp/stdio.ts')
    return serveStdio(context, operations, schemas, (input as { tools: string[] }).tools)
  }
  if (server === 'lsp') {
    const { serveLsp } = await import('./lsp/server.ts')
    return serveLsp((input as unknown as LspInput).checkers, context, operations, schemas)
  }
  if (server === 'notary') {
    const { serveNotary } = await import('../api/notary.ts')
    return serveNotary(input as unknown as NotaryInput, context)
  }
  const { host, port, reload, read_only } = input as { host: string; port: number; reload: boolean; read_only: boolean }
  const api = await import('../api/start.ts')
  if (!reload) {
    const { cwd, env } = context
    return api.serveDashboard({ host, port, read_only }, context, operations, schemas, async binding => {
      const { createHttpHandler } = await import('../mcp/http.ts')
      return createHttpHandler({ rows: operations, schemas, cwd, env, ...binding })
    })
  }
  const { runAndReload } = await import('../api/reload.ts')
  const { key, generated } = api.chooseKey(host, context.env)
  if (generated && key) context.notice(api.describeKey(key))
  return runAndReload({
    program: realpathSync(process.argv[1]!),
    args: ['dashboard', '--host', host, '--port', String(port), ...(read_only ? ['--read-only'] : [])],
    // One key for all restarts.
    env: key === undefined ? context.env : { ...context.env, GUARD_API_KEY: key },
    cwd: context.cwd,
    signal: context.signal,
    notice: text => context.notice(text),
  })
}
