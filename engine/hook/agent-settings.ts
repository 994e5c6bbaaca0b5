import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeOutput } from '../base/disk/output-file.ts'
import { readSettings } from '../base/disk/settings-file.ts'
import { EngineError } from '../base/errors.ts'
import { isObject, type JsonObject, parseObject } from '../base/text/json-object.ts'
import { quoteShellWord } from '../base/text/words.ts'
import type { Program } from './script.ts'

/** The largest settings file of an agent that is read. */
const MAX_BYTES = 4 << 20
/** Seconds after which an agent gives up waiting. */
const SECONDS = 30

interface Settings {
  file: string
  /** What the file has beside its hooks where it is made anew. */
  base: JsonObject
  events: readonly string[]
  /** An event's entry. */
  entry: (command: string) => JsonObject
}

const grouped =
  (matcher: string, timeout: number) =>
  (command: string): JsonObject => ({
    matcher,
    hooks: [{ type: 'command', command, timeout }],
  })

/** Where each agent keeps its hooks, and what an entry looks like there (docs/governance.md names the sources). */
const SETTINGS = {
  // Its local settings: the command is a path of this machine.
  'claude-code': {
    file: '.claude/settings.local.json',
    base: {},
    events: ['PreToolUse', 'PostToolUse'],
    entry: grouped('*', SECONDS),
  },
  // Beside the project's configuration; Codex runs it once a person has trusted it.
  codex: {
    file: '.codex/hooks.json',
    base: {},
    events: ['PreToolUse', 'PostToolUse'],
    entry: grouped('.*', SECONDS),
  },
  'gemini-cli': {
    file: '.gemini/settings.json',
    base: {},
    events: ['BeforeTool', 'AfterTool'],
    entry: grouped('.*', SECONDS * 1000),
  },
  cursor: {
    file: '.cursor/hooks.json',
    base: { version: 1 },
    events: ['preToolUse', 'beforeShellExecution', 'beforeMCPExecution', 'afterFileEdit', 'afterShellExecution'],
    entry: command => ({ command, timeout: SECONDS, failClosed: true }),
  },
  'copilot-cli': {
    file: '.github/hooks/svc.json',
    base: { version: 1 },
    events: ['preToolUse', 'postToolUse'],
    entry: command => ({ type: 'command', bash: command, timeoutSec: SECONDS }),
  },
  windsurf: {
    file: '.windsurf/hooks.json',
    base: {},
    events: ['pre_write_code', 'pre_run_command', 'pre_mcp_tool_use', 'post_write_code', 'post_run_command'],
    entry: command => ({ command, show_output: true }),
  },
} as const satisfies Record<string, Settings>

export type HookedAgent = keyof typeof SETTINGS
export const HOOKED_AGENTS = Object.keys(SETTINGS) as HookedAgent[]

/**
 * Adds svc to an agent's hooks. All other settings and entries stay as they are, and so do the file's indentation and line
 * ends; an entry of svc's own is brought up to date, so that doing it twice changes nothing. CONFLICT for settings that are
 * no JSON object (comments are none): they are not touched.
 */
export function installAgentHook(
  root: string,
  agent: HookedAgent,
  { node, svc }: Program,
): { hook: string; was: 'absent' | 'installed' | 'outdated' | 'foreign' } {
  const { file, base, events, entry }: Settings = SETTINGS[agent]
  const { path, text, settings, hooks } = settingsOf(root, file, base)
  const command = `${quoteShellWord(node)} ${quoteShellWord(svc)} agent-hook`
  const had = Object.keys(hooks).some(event => Array.isArray(hooks[event]) && hooks[event].some(isOurs))
  for (const event of events) hooks[event] = [...withoutOurs(listOf(hooks, event, file)), entry(command)]
  const after = { ...settings, hooks }
  const isSame = text !== undefined && JSON.stringify(JSON.parse(text)) === JSON.stringify(after)
  if (!isSame) writeOutput(path, laidOut(after, text))
  return { hook: path, was: text === undefined ? 'absent' : isSame ? 'installed' : had ? 'outdated' : 'foreign' }
}

/** CONFLICT for settings that svc cannot be added to or taken out of; nothing is written. */
export function checkAgentHook(root: string, agent: HookedAgent): void {
  const { file, base, events }: Settings = SETTINGS[agent]
  const { hooks } = settingsOf(root, file, base)
  for (const event of events) listOf(hooks, event, file)
}

/**
 * Takes svc out of an agent's hooks again; whether it was there. Lists and the file go where nothing else is left in them.
 */
export function uninstallAgentHook(root: string, agent: HookedAgent): { hook: string; removed: boolean } {
  const { file, base }: Settings = SETTINGS[agent]
  const { path, text, settings, hooks } = settingsOf(root, file, base)
  const events = Object.keys(hooks).filter(event => Array.isArray(hooks[event]) && hooks[event].some(isOurs))
  if (text === undefined || events.length === 0) return { hook: path, removed: false }
  for (const event of events) {
    const left = withoutOurs(listOf(hooks, event, file))
    if (left.length > 0) hooks[event] = left
    else delete hooks[event]
  }
  const { hooks: _, ...rest } = settings
  if (Object.keys(hooks).length > 0) writeOutput(path, laidOut({ ...settings, hooks }, text))
  else if (JSON.stringify(rest) !== JSON.stringify(base)) writeOutput(path, laidOut(rest, text))
  else rmSync(path)
  return { hook: path, removed: true }
}

function settingsOf(root: string, file: string, base: JsonObject) {
  const path = join(root, file)
  const text = readSettings(root, file, { most: MAX_BYTES })
    ?.toString('utf8')
    .replace(/^\uFEFF/, '')
  const settings = text === undefined ? { ...base } : objectOf(text, file)
  return { path, text, settings, hooks: member(settings, 'hooks', file) }
}

/** Settings as text, indented and ended as they were before. */
function laidOut(settings: JsonObject, before = ''): string {
  const indent = /^([ \t]+)"/m.exec(before)?.[1] ?? '  '
  const lines = `${JSON.stringify(settings, null, indent)}${before === '' || /\n$/.test(before) ? '\n' : ''}`
  return before.includes('\r\n') ? lines.replaceAll('\n', '\r\n') : lines
}

/** Entries without svc's; one that has others beside it keeps them. */
function withoutOurs(entries: readonly unknown[]): unknown[] {
  return entries.flatMap(entry => {
    if (!isOurs(entry)) return [entry]
    const { hooks } = entry as { hooks?: unknown }
    const others = Array.isArray(hooks) ? hooks.filter(one => !isOurs(one)) : []
    return others.length > 0 ? [{ ...(entry as JsonObject), hooks: others }] : []
  })
}

/** Whether an entry runs svc's hook, whatever its form. */
function isOurs(entry: unknown): boolean {
  return /\bsvc(\.js)?['"\\]* agent-hook/.test(JSON.stringify(entry))
}

function objectOf(text: string, file: string): JsonObject {
  const settings = parseObject(text)
  if (settings) return settings
  throw new EngineError('CONFLICT', `${file} is no JSON object, so nothing can be added to it.`, {
    hint: 'Fix the file, or move it away, then run the command again.',
  })
}

function member(settings: JsonObject, name: string, file: string): JsonObject {
  const value = settings[name] ?? {}
  if (isObject(value)) return { ...value }
  throw new EngineError('CONFLICT', `${name} in ${file} is no JSON object, so nothing can be added to it.`)
}

function listOf(hooks: JsonObject, event: string, file: string): unknown[] {
  const value = hooks[event] ?? []
  if (Array.isArray(value)) return value
  throw new EngineError('CONFLICT', `hooks.${event} in ${file} is no list, so nothing can be added to it.`)
}
