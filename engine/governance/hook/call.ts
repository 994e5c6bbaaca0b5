import { resolve } from 'node:path'
import { type JsonObject, parseObject } from '../../base/text/json-object.ts'
import { type Input, readGivenInput, readInput } from './input.ts'
import { classifyEffect } from './tools.ts'
import { type Doing, findWrites, NOTHING } from './writes.ts'

/** A tool call of an agent, as its hook tells of it. */
export interface ToolCall {
  protocol: Protocol
  /** Before the tool runs, when it can be stopped, or after. */
  when: 'before' | 'after'
  tool: string
  cwd: string
  /** Who speaks this protocol, where only one agent does. */
  agent?: string
  /** Whether the agent asks its person where the answer says so; elsewhere such an answer would be passed over. */
  asks: boolean
  /** All that the tool is given, as it came: content, old and new text, the command. */
  input: unknown
  /** The command line, of a tool that runs one. */
  command: string | null
}

/** How an answer has to look. */
export type Protocol = 'claude' | 'codex' | 'gemini' | 'cursor' | 'copilot' | 'windsurf'

type Env = Readonly<Record<string, string | undefined>>

const AGENTS: Readonly<Record<Protocol, string | undefined>> = {
  claude: undefined,
  codex: 'codex',
  gemini: 'gemini-cli',
  cursor: 'cursor',
  copilot: 'copilot-cli',
  windsurf: 'windsurf',
}

/** Reads what an agent writes to its hook; undefined for what is none of the protocols. */
export function readToolCall(text: string, fallback: string, env: Env): { call: ToolCall; doing: Doing } | undefined {
  const message = parseObject(text)
  if (!message) return undefined
  const event = String(message.hook_event_name ?? message.agent_action_name ?? message.hookName ?? '')
  const protocol = protocolOf(message, event)
  if (!protocol) return undefined
  const roots = message.workspace_roots
  const cwd = string(message.cwd) ?? (Array.isArray(roots) ? string(roots[0]) : undefined) ?? fallback
  const input = readInput(message)
  const tool = string(input.tool) ?? string(message.tool_name) ?? string(message.toolName) ?? event
  const when =
    /^(after|post)/i.test(event) || 'toolResult' in message || 'tool_response' in message ? 'after' : 'before'
  const base = resolve(fallback, cwd)
  const agent = AGENTS[protocol]
  const doing = doingOf(tool, event, input, base, env)
  const call: ToolCall = {
    ...{ protocol, when, tool, cwd: base, asks: asks(protocol, event, tool), ...(agent && { agent }) },
    input: readGivenInput(message),
    command: input.scripts.length > 0 ? input.scripts.join('\n') : null,
  }
  return { call, doing }
}

function protocolOf(message: JsonObject, event: string): Protocol | undefined {
  if ('agent_action_name' in message) return 'windsurf'
  if ('toolName' in message) return 'copilot'
  if (/^(Before|After)Tool$/.test(event)) return 'gemini'
  if ('conversation_id' in message || 'workspace_roots' in message || /^(before|after)[A-Z]/.test(event))
    return 'cursor'
  // Codex has taken over the protocol of Claude Code, but tells of its turns.
  if ('turn_id' in message) return 'codex'
  return 'tool_name' in message || event !== '' ? 'claude' : undefined
}

/** Cursor asks before commands and tools of MCP servers, which have a hook of their own, and for nothing else. */
function asks(protocol: Protocol, event: string, tool: string): boolean {
  if (protocol === 'claude') return true
  return protocol === 'cursor' && (/^before(Shell|MCP)/.test(event) || /^(shell|mcp)/i.test(tool))
}

/** What a tool would write, by its name and its input. */
function doingOf(tool: string, event: string, input: Input, cwd: string, env: Env): Doing {
  const here = input.folder === undefined ? cwd : resolve(cwd, input.folder)
  const absolute = (path: string) =>
    path.includes('\0') ? path : resolve(here, path.replace(/^~(?=\/)/, env.HOME ?? '~'))
  const paths = [...new Set(input.paths)].map(absolute)
  const effect = classifyEffect(tool, event, input.action)
  if (input.scripts.length > 0 && !(input.action !== undefined && paths.length > 0)) {
    const all = input.scripts.map(script => findWrites(script, here, env))
    const doing = (Object.keys(NOTHING) as (keyof Doing)[]).map(key => [key, all.flatMap(one => one[key])])
    const told = Object.fromEntries(doing) as unknown as Doing
    // What a shell is given beside the script is where it runs, not what it writes.
    return effect === 'runs' || effect === 'reads' ? told : { ...told, paths: [...told.paths, ...paths] }
  }
  if (effect === 'reads') return NOTHING
  // A tool that nobody here knows, and that names a file, may write it.
  const silent = paths.length === 0 && (effect === 'writes' || effect === 'runs')
  return {
    ...NOTHING,
    paths,
    unknown: silent ? [`${tool} does not list the files it writes`] : [],
    runs: effect === 'unknown' ? [tool] : [],
  }
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
