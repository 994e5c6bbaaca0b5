import { fileURLToPath } from 'node:url'
import { isObject, type JsonObject, parseObject } from '../../base/text/json-object.ts'
import { isPatch, listPatchPaths } from './patch.ts'

/** What stands in the input of a tool, wherever in it. */
export interface Input {
  /** The tool's own name, where the message names only what carries it. */
  tool?: string
  /** Files that are named, those of patches too. */
  paths: string[]
  /** Scripts for a shell. */
  scripts: string[]
  /** The folder in which a command is to run. */
  folder?: string
  /** What an editor that is one tool for all is asked for. */
  action?: string
}

/** Input is looked through so deep. */
const DEEPEST = 8

const PATH_KEYS =
  /^((abs(olute)?|relative|target|source|dest(ination)?|old|new|from|to|src|dst|output|notebook|workspace|root)_?)*(file|dir(ectory)?|path|folder|uri|filename|dirname)(_?(path|name|uri))?$|^(target|destination|dest|source)$/i
const LIST_KEYS = /^(paths|files|file_?paths|uris|targets|documents)$/i
/** Objects whose names are files: what is to become of each. */
const BY_NAME = /^(changes|file_?changes|files|edits|contents)$/i
const SCRIPT_KEYS = /^(command|cmd|command_?line|script|shell_?command|commands)$/i
const FOLDER_KEYS = /^(cwd|work_?dir|working_?dir(ectory)?|directory|dir_?path)$/i
/** What editors that have one tool for all call their actions, in place of a command for the shell. */
const ACTIONS = /^(view|create|str_replace|insert|undo_edit|delete|rename)$/

/** What differs from call to call and is no part of what is done. */
const PASSING =
  /^(conversation|generation|session|turn|trajectory|execution|tool_(use|call)|request|message)_?id$|^(timestamp|model|model_id|cursor_version|user_email|permission_mode|cwd)$/i

/**
 * All that a tool is given, for an approval to be bound to: its input as it came. Left out is what a command is said to be
 * for, which the agent words anew each time, and in a message that is its own input what names the call.
 */
export function readGivenInput(message: JsonObject): unknown {
  const given = givenOf(message)
  const value = typeof given === 'string' ? (parseObject(given) ?? given) : (given ?? withoutSurroundings(message))
  if (!isObject(value)) return value
  const runs = Object.keys(value).some(key => SCRIPT_KEYS.test(key))
  const kept = Object.entries(value).filter(
    ([key]) => !(given === undefined && PASSING.test(key)) && !(runs && /^(description|explanation)$/.test(key)),
  )
  return Object.fromEntries(kept)
}

function givenOf(message: JsonObject): unknown {
  return ['tool_input', 'toolArgs', 'tool_info'].map(name => message[name]).find(value => value !== undefined)
}

/** The input in a message, which may be text again. */
export function readInput(message: JsonObject): Input {
  const given = givenOf(message)
  const value = typeof given === 'string' ? (parseObject(given) ?? { input: given }) : (given ?? message)
  const input: Input = { paths: [], scripts: [] }
  const top = typeof value === 'object' && value !== null ? (value as JsonObject) : { input: value }
  const tool = top.mcp_tool_name
  if (typeof tool === 'string') input.tool = tool
  gather(given === undefined ? withoutSurroundings(top) : top, input, 0)
  return input
}

/** A message that is its own input also tells where it comes from. */
function withoutSurroundings({
  workspace_roots: _,
  transcript_path: __,
  hook_event_name: ___,
  ...rest
}: JsonObject): JsonObject {
  return rest
}

function gather(value: unknown, input: Input, depth: number): void {
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) gather(item, input, depth + 1)
    return
  }
  for (const [key, item] of Object.entries(value)) take(key, item, input, depth)
}

function take(key: string, item: unknown, input: Input, depth: number): void {
  if (SCRIPT_KEYS.test(key) && scriptsOf(key, item, input)) return
  if (typeof item === 'string') {
    if (FOLDER_KEYS.test(key)) input.folder ??= item
    if (isPatch(item)) input.paths.push(...listPatchPaths(item))
    else if (PATH_KEYS.test(key) && !FOLDER_KEYS.test(key) && !/^https?:/i.test(item)) input.paths.push(plainPath(item))
    return
  }
  if (Array.isArray(item) && LIST_KEYS.test(key))
    input.paths.push(...item.filter(one => typeof one === 'string').map(plainPath))
  else if (BY_NAME.test(key) && isObject(item)) input.paths.push(...Object.keys(item).map(plainPath))
  gather(item, input, depth + 1)
}

/** Takes a command; whether it was one. */
function scriptsOf(key: string, item: unknown, input: Input): boolean {
  if (Array.isArray(item) && item.every(word => typeof word === 'string')) {
    if (key.toLowerCase() === 'commands') input.scripts.push(...item)
    else input.scripts.push(commandLine(item))
    return true
  }
  if (typeof item !== 'string') return false
  // Codex hands the patch of its editing tool over as a command.
  if (/^\s*\*\*\* Begin Patch/.test(item)) input.paths.push(...listPatchPaths(item))
  else if (ACTIONS.test(item)) input.action = item
  else input.scripts.push(item)
  return true
}

/** An argument vector as a line; `bash -lc <script>` is the script. */
function commandLine(words: string[]): string {
  if (words.length === 3 && /(^|\/)(ba|z)?sh$/.test(words[0]!) && /^-l?c$/.test(words[1]!)) return words[2]!
  return words.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
}

/** A path out of a `file:` address. */
function plainPath(text: string): string {
  if (!/^file:/i.test(text)) return text
  try {
    return fileURLToPath(text)
  } catch {
    return text
  }
}
