import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError } from '../errors.ts'
import { writeOutput } from '../output-file.ts'
import type { Program } from './script.ts'

type Json = { [key: string]: unknown }

/** Seconds after which an agent gives up waiting. */
const SECONDS = 30

interface Settings {
  file: string
  /** What the file has beside its hooks where it is made anew. */
  base: Json
  events: readonly string[]
  /** An event's entry. */
  entry: (command: string) => Json
}

const grouped =
  (matcher: string, timeout: number) =>
  (command: string): Json => ({
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
  'gemini-cli': {
    file: '.gemini/settings.json',
    base: {},
    events: ['BeforeTool', 'AfterTool'],
    entry: grouped('.*', SECONDS * 1000),
  },
  cursor: {
    file: '.cursor/hooks.json',
    base: { version: 1 },
    events: ['preToolUse', 'beforeShellExecution', 'beforeMCPExecution', 'afterFileEdit'],
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
    events: ['pre_write_code', 'pre_run_command', 'post_write_code', 'post_run_command'],
    entry: command => ({ command, show_output: true }),
  },
} as const satisfies Record<string, Settings>

export type HookedAgent = keyof typeof SETTINGS
export const HOOKED_AGENTS = Object.keys(SETTINGS) as HookedAgent[]

/**
 * Adds svc to an agent's hooks. All other settings and entries stay as they are; an entry of svc's own is brought up to
 * date, so that doing it twice changes nothing. CONFLICT for settings that are no JSON object: they are not touched.
 */
export function installAgentHook(
  root: string,
  agent: HookedAgent,
  { node, svc }: Program,
): { hook: string; was: 'absent' | 'installed' | 'outdated' | 'foreign' } {
  const { file, base, events, entry }: Settings = SETTINGS[agent]
  const path = join(root, file)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const settings = before === undefined ? { ...base } : objectOf(before, file)
  const hooks = member(settings, 'hooks', file)
  const command = `${quoted(node)} ${quoted(svc)} agent-hook`
  const had = events.some(event => listOf(hooks, event, file).some(isOurs))
  for (const event of events) hooks[event] = [...listOf(hooks, event, file).filter(one => !isOurs(one)), entry(command)]
  const after = `${JSON.stringify({ ...settings, hooks }, null, 2)}\n`
  const isSame = before !== undefined && JSON.stringify(JSON.parse(before)) === JSON.stringify(JSON.parse(after))
  if (!isSame) writeOutput(path, after)
  return { hook: path, was: before === undefined ? 'absent' : isSame ? 'installed' : had ? 'outdated' : 'foreign' }
}

/** Whether an entry runs svc's hook, whatever its form. */
function isOurs(entry: unknown): boolean {
  return /\bsvc(\.js)?['"\\]* agent-hook/.test(JSON.stringify(entry))
}

function objectOf(text: string, file: string): Json {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  throw new EngineError('CONFLICT', `${file} is no JSON object, so nothing can be added to it.`, {
    hint: 'Mend the file, or move it aside, then run the command again.',
  })
}

function member(settings: Json, name: string, file: string): Json {
  const value = settings[name] ?? {}
  if (typeof value === 'object' && !Array.isArray(value)) return { ...(value as Json) }
  throw new EngineError('CONFLICT', `${name} in ${file} is no JSON object, so nothing can be added to it.`)
}

function listOf(hooks: Json, event: string, file: string): unknown[] {
  const value = hooks[event] ?? []
  if (Array.isArray(value)) return value
  throw new EngineError('CONFLICT', `hooks.${event} in ${file} is no list, so nothing can be added to it.`)
}

/** A word for the shell. */
function quoted(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
