import { isObject, type JsonObject } from '../../base/text/json-object.ts'
import type { TextFile } from './discover.ts'
import type { Issue } from './report.ts'
import { findSuspicious } from './suspicious.ts'

/** Settings that make an assistant run tools unasked: the path to a key, and the values that do. */
const APPROVALS: readonly (readonly [path: readonly string[], values: readonly unknown[]])[] = [
  [['enableAllProjectMcpServers'], [true]],
  [['permissions', 'defaultMode'], ['bypassPermissions']],
  [['chat.tools.autoApprove'], [true]],
  [['chat.tools.global.autoApprove'], [true]],
  [['agent', 'always_allow_tool_actions'], [true]],
  [['approval_policy'], ['never']],
  [['sandbox_mode'], ['danger-full-access']],
  [['general', 'defaultApprovalMode'], ['yolo']],
]
const ANY_TOOL = /^(\*|mcp__\*|Bash(\(\*\)|\(:\*\))?)$/
/** A program that the repository brings, by itself or through an interpreter or a recipe. */
const OWN_PROGRAM =
  /^(?:(?:\w+=\S*\s+)*(?:(?:ba|z|da)?sh|node|python3?|ruby|perl|deno run|bun(?: run)?|tsx|npx tsx)\s+(?:-\w+\s+)*)?["']?(?:\.{1,2}\/|\$\{?CLAUDE_PROJECT_DIR\}?|\$\{?(?:GEMINI|CURSOR)_PROJECT_DIR\}?|[\w.-]+\/[\w./-]+\.(?:sh|js|mjs|cjs|ts|py|rb|pl)\b)|^(?:npm (?:run|test)|pnpm run|yarn run|make|just)\b/

/** Approvals and hooks of a settings file. */
export function checkSettings({ file, text, value = {} }: TextFile): Issue[] {
  const issues: Issue[] = []
  for (const [path, values] of APPROVALS) {
    const found = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), value)
    if (values.includes(found))
      issues.push({ check: 'mcp-auto-approval', file, line: findLine(text, path.at(-1)!), subject: path.join('.') })
  }
  const allow = isObject(value.permissions) ? value.permissions.allow : undefined
  for (const one of Array.isArray(allow) ? allow : [])
    if (typeof one === 'string' && ANY_TOOL.test(one))
      issues.push({
        check: 'mcp-auto-approval',
        file,
        line: findLine(text, one),
        subject: `permissions.allow has ${one}`,
      })
  const hooks = isObject(value.hooks) ? value.hooks : {}
  const helpers = HELPERS.flatMap(key => (value[key] === undefined ? [] : [[key, value[key]] as const]))
  for (const [event, entries] of [...Object.entries(hooks), ...helpers])
    for (const command of typeof entries === 'string' ? [entries] : listCommands(entries, 0)) {
      if (!OWN_PROGRAM.test(command) && !isDownloadRun(command)) continue
      const subject = `${event} runs ${command.slice(0, 80)}`
      issues.push({ check: 'mcp-hook-command', file, line: findLine(text, command), subject })
    }
  return issues
}

/** Keys of settings beside hooks that name a command, which runs as soon as the assistant starts. */
const HELPERS = ['statusLine', 'apiKeyHelper', 'awsAuthRefresh', 'awsCredentialExport', 'otelHeadersHelper']

/** Whether a command runs what it downloads. */
export function isDownloadRun(command: string): boolean {
  return (
    /\b(curl|wget|iwr|irm)\b/.test(command) &&
    /\|\s*(sudo\s+)?(ba|z|da)?sh\b|\|\s*iex\b|[$<]\(\s*(curl|wget)\b/.test(command)
  )
}

function listCommands(value: unknown, depth: number): string[] {
  if (depth > 6) return []
  if (Array.isArray(value)) return value.flatMap(one => listCommands(one, depth + 1))
  if (!isObject(value)) return []
  const own = [value.command, value.bash, value.powershell].filter(one => typeof one === 'string')
  return [...own, ...listCommands((value as JsonObject).hooks, depth + 1)]
}

/** Suspicious lines of instructions. */
export function checkInstructions({ file, text }: TextFile): Issue[] {
  const issues: Issue[] = []
  let line = 0
  for (const one of text.split('\n')) {
    line++
    for (const reason of findSuspicious(line === 1 ? one.replace(/^\uFEFF/, '') : one))
      issues.push({ check: 'mcp-unsafe-instructions', file, line, subject: `${reason} (line ${line})` })
  }
  return issues
}

function findLine(text: string, needle: string): number {
  const at = text.indexOf(needle)
  return at === -1 ? 1 : text.slice(0, at).split('\n').length
}
