import { createHash } from 'node:crypto'
import { writeProjectFile } from '../../base/disk/project-write.ts'
import { readSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'
import { canonical } from '../../base/text/canonical.ts'
import { isObject, parseObject } from '../../base/text/json-object.ts'
import type { Server } from './discover.ts'
import type { Issue } from './report.ts'
import { describeProgram } from './servers.ts'
import type { Tool } from './tools.ts'

/** Where the digests of reviewed tools are. */
export const LOCK_PATH = '.svc/mcp-lock.json'

/** What is pinned of a server. */
export interface Pinned {
  command_digest: string
  tools: { name: string; sha256: string }[]
}

export type Lock = Map<string, Pinned>

/** The lock; empty where there is none. CONFIG_INVALID for one that is none: a broken lock must not look like a first start. */
export function readLock(root: string): Lock {
  const text = readSettings(root, LOCK_PATH)?.toString('utf8')
  if (text === undefined) return new Map()
  const servers = parseObject(text)?.servers
  const entries = isObject(servers) ? Object.entries(servers) : undefined
  if (entries?.every((entry): entry is [string, Pinned] => isPinned(entry[1]))) return new Map(entries)
  throw new EngineError('CONFIG_INVALID', `${LOCK_PATH} is no lock of tools.`, {
    place: { file: LOCK_PATH, line: 1 },
    hint: 'Restore it from git, or delete it and run `svc audit-mcp --connect`.',
  })
}

function isPinned(value: unknown): value is Pinned {
  if (!isObject(value) || typeof value.command_digest !== 'string' || !Array.isArray(value.tools)) return false
  return value.tools.every(one => isObject(one) && typeof one.name === 'string' && typeof one.sha256 === 'string')
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Digest of what starting or asking a server means. */
export function digestCommand(server: Server): string {
  return digest(describeProgram(server))
}

/** Digests of a server's command and of each tool's name, description and schema, sorted by name. */
export function pin(server: Server, tools: readonly Tool[]): Pinned {
  return {
    command_digest: digestCommand(server),
    tools: tools
      .map(({ name, description, raw }) => ({
        name,
        sha256: digest(canonical({ name, description, inputSchema: raw.inputSchema ?? null })),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}

/** The servers whose command is not the pinned one; no list of tools is needed to see that. */
export function compareCommands(servers: readonly Server[], lock: Lock): Issue[] {
  return servers
    .filter(server => {
      const pinned = lock.get(server.name)
      return pinned !== undefined && pinned.command_digest !== digestCommand(server)
    })
    .map(server => changed(server, 'the command changed'))
}

function changed({ name, file, line }: Server, what: string): Issue {
  return { check: 'mcp-tool-changed', file, line, subject: `Server ${name}: ${what}` }
}

/** Which tools differ from those that were pinned. */
export function compareTools(server: Server, before: Pinned, now: Pinned): Issue[] {
  const issues: Issue[] = []
  const add = (what: string) => issues.push(changed(server, what))
  const [old, fresh] = [before, now].map(({ tools }) => new Map(tools.map(one => [one.name, one.sha256]))) as [
    Map<string, string>,
    Map<string, string>,
  ]
  for (const [tool, sha256] of fresh) {
    const known = old.get(tool)
    if (known === undefined) add(`tool ${tool} is new`)
    else if (known !== sha256) add(`tool ${tool} changed`)
  }
  for (const tool of old.keys()) if (!fresh.has(tool)) add(`tool ${tool} is gone`)
  return issues
}

/** Writes the lock, servers sorted by name. */
export function writeLock(root: string, lock: Lock): void {
  const servers = Object.fromEntries([...lock].sort(([a], [b]) => (a < b ? -1 : 1)))
  writeProjectFile(root, LOCK_PATH, `${JSON.stringify({ servers }, null, 2)}\n`)
}
