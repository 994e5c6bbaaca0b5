import type { Context } from '../../base/context.ts'
import type { Finding } from '../../base/records/finding.ts'
import type { JsonObject } from '../../base/text/json-object.ts'
import { formatCount } from '../../base/text/words.ts'
import { listServerTools } from './connect.ts'
import { type Discovered, discover, type Server } from './discover.ts'
import { compareCommands, compareTools, LOCK_PATH, type Lock, pin, readLock, writeLock } from './lock.ts'
import { refuseStart } from './permission.ts'
import { type Issue, makeFindings } from './report.ts'
import { checkNames, checkServer } from './servers.ts'
import { checkInstructions, checkSettings } from './settings.ts'
import { checkTools, readTools, type ToolList } from './tools.ts'

/** What is to be audited. */
export interface AuditRequest {
  root: string
  /** The home directory whose configurations are read, too. */
  home?: string
  /** Saved answers of tools/list by server. */
  saved?: JsonObject
  connect?: { timeout_ms: number; update_lock: boolean }
}

export interface Audit {
  configurations: string[]
  servers: { name: string; client: string; file: string; line: number; tools?: number }[]
  findings: Finding[]
  /** Unknown, never clean. */
  not_evaluated: { file: string; detail: string }[]
  /** What became of the lock. */
  lock: 'none' | 'unchanged' | 'written'
}

/** Audits the MCP configurations of a repository. Starts programs only with `connect`, and of those only what a user has trusted. */
export async function auditServers(
  { root, home, saved, connect }: AuditRequest,
  context: Pick<Context, 'env' | 'signal'>,
): Promise<Audit> {
  const found = await discover(root, home)
  const { servers, settings, instructions, unread } = found
  const issues: Issue[] = [
    ...servers.flatMap(checkServer),
    ...checkNames(servers),
    ...settings.flatMap(checkSettings),
    ...instructions.flatMap(checkInstructions),
  ]
  const lists: ToolList[] = Object.entries(saved ?? {}).map(([server, value]) => ({ server, tools: readTools(value) }))
  const lock = readLock(root)
  if (connect) lists.push(...(await connectAll(root, found, lock, connect, context)))
  issues.push(...checkTools(lists, servers))
  const locked = checkLock(root, lock, { servers, lists, connect })
  issues.push(...locked.issues)
  const counts = new Map(lists.map(({ server, tools }) => [server, tools.length]))
  return {
    configurations: found.configurations,
    servers: servers.map(({ name, client, file, line }) => {
      const tools = counts.get(name)
      return { name, client, file, line, ...(tools !== undefined && { tools }) }
    }),
    findings: makeFindings(issues),
    not_evaluated: unread,
    lock: locked.lock,
  }
}

/** Lists the tools of each program that may be started once, one after the other; a refusal and a failure are gaps. */
async function connectAll(
  root: string,
  { servers, unread }: Discovered,
  lock: Lock,
  { timeout_ms, update_lock: update }: NonNullable<AuditRequest['connect']>,
  { env, signal }: Pick<Context, 'env' | 'signal'>,
): Promise<ToolList[]> {
  const lists: ToolList[] = []
  for (const server of firstOfEach(servers)) {
    const refusal = refuseStart(server, lock, { root, update, env })
    const listed = refusal ? { failure: refusal } : await listServerTools(server, { root, env, timeout_ms, signal })
    if ('tools' in listed) lists.push({ server: server.name, tools: listed.tools })
    else unread.push({ file: server.file, detail: `Tools of ${server.name} are unknown: ${listed.failure}.` })
  }
  return lists
}

/** The servers of different names; of one name, the first. */
function firstOfEach(servers: readonly Server[]): Server[] {
  const first = new Map<string, Server>()
  for (const server of servers) if (!first.has(server.name)) first.set(server.name, server)
  return [...first.values()]
}

/** Compares with the lock; servers that are new are pinned, changed ones only where that is asked for. */
function checkLock(
  root: string,
  lock: Lock,
  {
    servers,
    lists,
    connect,
  }: { servers: readonly Server[]; lists: readonly ToolList[]; connect: AuditRequest['connect'] },
): { issues: Issue[]; lock: Audit['lock'] } {
  const before = JSON.stringify([...lock])
  const update = connect?.update_lock ?? false
  const issues = update ? [] : compareCommands(firstOfEach(servers), lock)
  for (const { server: name, tools } of lists) {
    const server = servers.find(one => one.name === name)
    if (!server) continue
    const now = pin(server, tools)
    const pinned = lock.get(name)
    if (pinned && !update) issues.push(...compareTools(server, pinned, now))
    else lock.set(name, now)
  }
  if (!connect || JSON.stringify([...lock]) === before) return { issues, lock: lock.size === 0 ? 'none' : 'unchanged' }
  writeLock(root, lock)
  return { issues, lock: 'written' }
}

/** What was read, in one line. */
export function describeAudit({
  configurations,
  servers,
  lock,
}: Pick<Audit, 'configurations' | 'servers' | 'lock'>): string {
  const read = `${formatCount(servers.length, 'MCP server')} in ${formatCount(configurations.length, 'configuration')}`
  return lock === 'written' ? `${read}; tools pinned in ${LOCK_PATH}` : read
}
