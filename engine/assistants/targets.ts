import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../base/text/json-object.ts'
import {
  CLIENT_NAMES,
  type Client,
  type ClientName,
  COMMON_INSTRUCTIONS,
  COMMON_SKILL,
  getClient,
  SERVER_ENTRY,
  SERVER_NAME,
} from './clients.ts'
import type { JsonEdit } from './insert-json.ts'
import {
  HOOK_COMMAND,
  SECTION,
  SECTION_BEGIN,
  SECTION_END,
  SKILL,
  SKILL_MARK,
  TOML_BEGIN,
  TOML_BLOCK,
  TOML_END,
} from './texts.ts'

/** A file to extend. `base` is its text where it is made anew. */
export type Target = { path: string; base: string } & (
  | { kind: 'json'; edits: JsonEdit[] }
  | { kind: 'block'; block: string; begin: string; end: string; toml: boolean }
  | { kind: 'whole'; content: string; mark: string }
)

/** The assistants of which the repository shows a sign; Claude Code where it shows none. */
export function detectClients(root: string): ClientName[] {
  const found = CLIENT_NAMES.filter(name => getClient(name).signs.some(sign => existsSync(join(root, sign))))
  return found.length > 0 ? found : ['claude-code']
}

/** Every file that is written for these assistants, each once, in a fixed order. */
export function listTargets(root: string, names: readonly ClientName[], hooks: boolean): Target[] {
  const clients = CLIENT_NAMES.filter(name => names.includes(name)).map(getClient)
  const targets = new Map<string, Target>()
  for (const client of clients) {
    addServer(targets, client)
    if (hooks && client.hook) addHook(targets, client.hook)
  }
  const skills = clients.map(({ skill }) => skill ?? COMMON_SKILL)
  for (const path of skills) targets.set(path, { kind: 'whole', path, base: '', content: SKILL, mark: SKILL_MARK })
  const instructions = clients.flatMap(({ instructions: path }) =>
    path !== undefined && existsSync(join(root, path)) ? [path] : [],
  )
  for (const path of [COMMON_INSTRUCTIONS, ...instructions])
    targets.set(path, {
      kind: 'block',
      path,
      base: '',
      block: SECTION,
      begin: SECTION_BEGIN,
      end: SECTION_END,
      toml: false,
    })
  return [...targets.values()]
}

function addServer(targets: Map<string, Target>, client: Client): void {
  const file = client.mcp.find(({ user }) => !user)
  if (!file) return
  if (file.format === 'toml') {
    const { path } = file
    targets.set(path, {
      kind: 'block',
      path,
      base: '',
      block: TOML_BLOCK,
      begin: TOML_BEGIN,
      end: TOML_END,
      toml: true,
    })
    return
  }
  const value = client.entry ?? SERVER_ENTRY
  addEdit(targets, file.path, {}, { keys: file.keys, name: SERVER_NAME, value, isOurs: isOurServer })
}

function addHook(targets: Map<string, Target>, { path, base, event, entry }: NonNullable<Client['hook']>): void {
  addEdit(targets, path, base, { keys: ['hooks', event], value: entry(HOOK_COMMAND), isOurs: isOurHook })
}

function addEdit(targets: Map<string, Target>, path: string, base: object, edit: JsonEdit): void {
  const there = targets.get(path)
  if (there?.kind === 'json') there.edits.push(edit)
  else targets.set(path, { kind: 'json', path, base: `${JSON.stringify(base, null, 2)}\n`, edits: [edit] })
}

function isOurServer(value: unknown): boolean {
  if (!isObject(value) || !Array.isArray(value.args)) return false
  return (
    typeof value.command === 'string' &&
    /(^|[\\/])svc(\.js|\.cmd)?$/.test([value.command, ...value.args].at(-2) as string) &&
    value.args.at(-1) === 'mcp-server'
  )
}

/** An entry that runs svc's hook and nothing else. */
function isOurHook(value: unknown): boolean {
  if (!isObject(value)) return false
  const inner = Array.isArray(value.hooks) ? value.hooks : [value]
  return (
    inner.length === 1 && isObject(inner[0]) && (inner[0].command === HOOK_COMMAND || inner[0].bash === HOOK_COMMAND)
  )
}
