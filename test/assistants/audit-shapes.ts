/** A labelled configuration: what a project contains, the saved tool list if there is one, and the checks that must report it. */
export interface AuditCase {
  name: string
  files: Record<string, string>
  /** A saved answer of tools/list by server. */
  tools?: Record<string, unknown[]>
  /** Ids of checks; none for a configuration that is in order. */
  expect: string[]
}

export const one = (server: unknown, name = 'svc-peer') => JSON.stringify({ mcpServers: { [name]: server } }, null, 2)
export const mcp = (server: unknown, name?: string) => ({ '.mcp.json': one(server, name) })
export const readOnly = { readOnlyHint: true, openWorldHint: false }
export const pinned = { command: 'npx', args: ['-y', 'team-docs-mcp@1.4.2'] }
