import { resolve } from 'node:path'
import { type Doing, writesOf } from './writes.ts'

/** A tool call of an agent, as its hook tells of it. */
export interface ToolCall {
  protocol: Protocol
  /** Before the tool runs, when it can be stopped, or after. */
  when: 'before' | 'after'
  tool: string
  cwd: string
  /** Who speaks this protocol, where only one agent does. */
  agent?: string
}

/** How an answer has to look. */
export type Protocol = 'claude' | 'gemini' | 'cursor' | 'copilot' | 'windsurf'

type Json = Record<string, unknown>

const READS = /^(read|view|cat|open|grep|glob|ls|list|search|find|fetch|web|think|ask|codebase|get)|read$/i
const WRITES = /write|edit|replace|create|patch|delete|remove|move|rename|insert|update|save|append|apply|put/i
/** An agent's own notes of what it is about to do. */
const NOTES = /^(todo|task)/i
const SHELLS =
  /^(bash|shell|sh|run_shell_command|run_terminal_cmd|terminal|execute_command|run_command|local_shell|exec|powershell|command)\b/i
/** What editors that have one tool for all call their actions, in place of a command for the shell. */
const EDITS = /^(view|create|str_replace|insert|undo_edit|delete|rename)$/

/** Reads what an agent writes to its hook; undefined for what is none of the protocols. */
export function toolCall(
  text: string,
  fallback: string,
  env: Readonly<Record<string, string | undefined>>,
): { call: ToolCall; doing: Doing } | undefined {
  const message = parsed(text)
  if (!message) return undefined
  const event = String(message.hook_event_name ?? message.agent_action_name ?? message.hookName ?? '')
  const roots = message.workspace_roots
  const cwd = string(message.cwd) ?? (Array.isArray(roots) ? string(roots[0]) : undefined) ?? fallback
  const input = inputOf(message)
  const base = { cwd: resolve(fallback, string(input.cwd) ?? cwd) }
  const tool = string(message.tool_name) ?? string(message.toolName) ?? event
  const protocol = protocolOf(message, event)
  if (!protocol) return undefined
  const when =
    /^(after|post)/i.test(event) || 'toolResult' in message || 'tool_response' in message ? 'after' : 'before'
  const agent = {
    claude: undefined,
    gemini: 'gemini-cli',
    cursor: 'cursor',
    copilot: 'copilot-cli',
    windsurf: 'windsurf',
  }[protocol]
  const call: ToolCall = { protocol, when, tool, ...base, ...(agent && { agent }) }
  return { call, doing: doingOf(tool, event, input, base.cwd, env) }
}

function protocolOf(message: Json, event: string): Protocol | undefined {
  if ('agent_action_name' in message) return 'windsurf'
  if ('toolName' in message) return 'copilot'
  if (/^(Before|After)Tool$/.test(event)) return 'gemini'
  if ('conversation_id' in message || 'workspace_roots' in message || /^(before|after)[A-Z]/.test(event))
    return 'cursor'
  return 'tool_name' in message || event !== '' ? 'claude' : undefined
}

function inputOf(message: Json): Json {
  for (const name of ['tool_input', 'toolArgs', 'tool_info']) {
    const value = message[name]
    if (typeof value === 'string') return parsed(value) ?? { input: value }
    if (typeof value === 'object' && value !== null) return value as Json
  }
  return message
}

/** What a tool would write, by its name and its input. */
function doingOf(
  tool: string,
  event: string,
  input: Json,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Doing {
  const name = (string(input.mcp_tool_name) ?? tool).replace(/^mcp__.*__/, '')
  const command = input.command ?? input.command_line ?? input.script
  const patch = string(input.patch) ?? (/patch/i.test(name) ? string(input.input) : undefined)
  const named = [...pathsIn(input), ...(patch === undefined ? [] : patchPaths(patch))]
  const paths = [...new Set(named)].map(path => (path.includes('\0') ? path : resolve(cwd, path)))
  const isEditor = typeof command === 'string' && EDITS.test(command) && paths.length > 0
  const isShell = SHELLS.test(name) || /shell|command/i.test(event)
  if (command !== undefined && !isEditor) {
    const script = Array.isArray(command) ? commandLine(command.map(String)) : String(command)
    const doing = writesOf(script, cwd, env)
    // What a shell is given beside the script is where it runs, not what it writes.
    return isShell || reads(name, event) ? doing : { ...doing, paths: [...doing.paths, ...paths] }
  }
  const action = isEditor ? command : name
  if (reads(action, event)) return { paths: [], installs: [], unknown: [] }
  // A tool that nobody here knows, and that names a file, may write it.
  const silent = paths.length === 0 && (WRITES.test(action) || WRITES.test(event))
  return { paths, installs: [], unknown: silent ? [`${tool} does not say which file it writes`] : [] }
}

/** Whether a tool of this name only looks. A word of writing decides: `search_replace` does not search. */
function reads(name: string, event: string): boolean {
  return NOTES.test(name) || (READS.test(name) && !WRITES.test(name)) || /read/i.test(event)
}

/** An argument vector as a line; `bash -lc <script>` is the script. */
function commandLine(words: string[]): string {
  if (words.length === 3 && /(^|\/)(ba|z)?sh$/.test(words[0]!) && /^-l?c$/.test(words[1]!)) return words[2]!
  return words.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
}

const PATH_KEYS =
  /^(file_?path|path|absolute_?path|notebook_path|target_file|target|destination|source|old_path|new_path|filename|file)$/i

/** Every path that an input names, in lists of edits too. */
function pathsIn(input: unknown, depth = 0): string[] {
  if (depth > 4 || typeof input !== 'object' || input === null) return []
  if (Array.isArray(input)) return input.flatMap(item => pathsIn(item, depth + 1))
  return Object.entries(input).flatMap(([key, value]) => {
    if (typeof value === 'string') return PATH_KEYS.test(key) ? [value] : []
    if (Array.isArray(value) && /^(paths|files|file_paths)$/i.test(key))
      return value.filter(item => typeof item === 'string')
    return pathsIn(value, depth + 1)
  })
}

function patchPaths(patch: string): string[] {
  const own = [...patch.matchAll(/^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm)].map(([, path]) =>
    path!.trim(),
  )
  const diff = [...patch.matchAll(/^(?:\+\+\+ b\/|--- a\/)(.+?)\t?$/gm)].map(([, path]) => path!)
  return [...own, ...diff]
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
  } catch {
    return undefined
  }
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
