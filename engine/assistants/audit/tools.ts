import { isObject, type JsonObject } from '../../base/text/json-object.ts'
import type { Server } from './discover.ts'
import type { Issue } from './report.ts'
import { findSuspicious, isOverlong } from './suspicious.ts'

/** A tool as a server lists it. */
export interface Tool {
  name: string
  description: string
  raw: JsonObject
}

/** The tools of one server. */
export interface ToolList {
  server: string
  tools: readonly Tool[]
}

const MOST_TOOLS = 100
const DEEPEST = 20

/** A list as `tools/list` answers it: what is no tool is left out. */
export function readTools(value: unknown): Tool[] {
  const list = isObject(value) ? value.tools : value
  return (Array.isArray(list) ? list : []).flatMap(raw =>
    isObject(raw) && typeof raw.name === 'string'
      ? [{ name: raw.name, description: typeof raw.description === 'string' ? raw.description : '', raw }]
      : [],
  )
}

/** What the texts of all tools tell: instructions, shadowing, annotations, number, toxic flows. */
export function checkTools(lists: readonly ToolList[], servers: readonly Server[]): Issue[] {
  const issues: Issue[] = []
  const locate = (server: string) => {
    const { file, line } = servers.find(({ name }) => name === server) ?? { file: '.mcp.json', line: 1 }
    return { file, line }
  }
  const owners = new Map<string, string>()
  for (const { server, tools } of lists) {
    const place = locate(server)
    for (const { name, description, raw } of tools) {
      const reasons = new Set(listTexts(raw, 0).flatMap(findSuspicious))
      if (isOverlong(description)) reasons.add('a description of more than 8,000 characters')
      for (const reason of reasons)
        issues.push({ check: 'mcp-tool-poisoning', ...place, subject: `Tool ${name} of ${server}: ${reason}` })
      const owner = owners.get(name)
      if (owner !== undefined && owner !== server)
        issues.push({
          check: 'mcp-tool-shadowing',
          ...place,
          subject: `Tool ${name} of ${server} has the name of one of ${owner}`,
        })
      owners.set(name, owner ?? server)
    }
    const bare = tools.filter(({ raw }) => !hasHints(raw.annotations))
    if (bare.length > 0)
      issues.push({
        check: 'mcp-missing-annotations',
        ...place,
        subject: `Server ${server}: ${bare.length} of ${tools.length} tools`,
      })
  }
  issues.push(...checkReferences(lists, locate))
  const count = lists.reduce((sum, { tools }) => sum + tools.length, 0)
  if (count > MOST_TOOLS)
    issues.push({
      check: 'mcp-too-many-tools',
      ...locate(lists[0]!.server),
      subject: `${count} tools of ${lists.length} servers`,
    })
  const flow = findToxicFlow(lists)
  if (flow) issues.push({ check: 'mcp-toxic-flow', ...locate(flow.server), subject: flow.subject })
  return issues
}

/** Descriptions that name a tool of another server. */
function checkReferences(
  lists: readonly ToolList[],
  locate: (server: string) => { file: string; line: number },
): Issue[] {
  const owners = new Map(
    lists.flatMap(({ server, tools }) =>
      tools.filter(({ name }) => /^\w*_\w+$/.test(name)).map(({ name }) => [name, server] as const),
    ),
  )
  return lists.flatMap(({ server, tools }) => {
    const own = new Set(tools.map(({ name }) => name))
    return tools.flatMap(({ name, description }) =>
      [...new Set(description.match(/\w+_\w+/g) ?? [])].flatMap((word): Issue[] => {
        const other = owners.get(word)
        if (other === undefined || other === server || own.has(word)) return []
        return [
          {
            check: 'mcp-tool-shadowing',
            ...locate(server),
            subject: `Tool ${name} of ${server} speaks of ${word} of ${other}`,
          },
        ]
      }),
    )
  })
}

function hasHints(value: unknown): boolean {
  return isObject(value) && (typeof value.readOnlyHint === 'boolean' || typeof value.destructiveHint === 'boolean')
}

/** Every string of a tool, keys of schemas too. */
function listTexts(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return []
  return Object.entries(value).flatMap(([key, one]) => [key, ...listTexts(one, depth + 1)])
}

const SOURCE = /\b(fetch|browse|scrape|crawl|web|issues?|inbox|emails?|tickets?|comments?|rss)\b/i
const PRIVATE =
  /\b(read_?file|files?|database|sql|secrets?|credentials?|private|calendar|contacts?|inbox|emails?|documents?)\b/i
const SINK =
  /\b(send|post|publish|upload|webhook|http_?request|create_?(issue|comment|pull_?request|gist)|tweet|share)\b/i

/** Whether tools together read what strangers write, read what is private, and send to the outside. */
function findToxicFlow(lists: readonly ToolList[]): { server: string; subject: string } | undefined {
  const find = (pattern: RegExp, writes: boolean, opens?: boolean) => {
    for (const { server, tools } of lists)
      for (const { name, description, raw } of tools) {
        const hints = isObject(raw.annotations) ? raw.annotations : {}
        if (writes && hints.readOnlyHint === true) continue
        if (hints.openWorldHint === false && opens) continue
        if (pattern.test(`${name.replace(/[_-]/g, ' ')} ${name} ${description.slice(0, 300)}`)) return { server, name }
      }
    return undefined
  }
  const [source, hidden, sink] = [find(SOURCE, false, true), find(PRIVATE, false), find(SINK, true, true)]
  if (!source || !hidden || !sink) return undefined
  if (new Set([source, hidden, sink].map(({ server, name }) => `${server}\0${name}`)).size < 2) return undefined
  return {
    server: sink.server,
    subject: `${source.name} of ${source.server}, ${hidden.name} of ${hidden.server}, ${sink.name} of ${sink.server}`,
  }
}
