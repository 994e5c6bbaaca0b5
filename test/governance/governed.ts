import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Caller, Context, Surface } from '../../engine/base/context.ts'
import { EngineError } from '../../engine/base/errors.ts'
import { invoke } from '../../engine/door/invoke.ts'
import { OPERATIONS } from '../../engine/door/operations.gen.ts'
import { repository } from '../made/git.ts'

/** A git repository with a user's state folder of its own. */
export interface Place {
  root: string
  env: Record<string, string>
}

/** Who calls, as the tests name them. */
export type Who = 'person' | 'nobody' | { key: string } | { marker: string } | { api: true; key?: string }

/** A repository with one commit, governed as this configuration (YAML of the section `governance`) says. */
export function place(governance = '', files: Record<string, string> = {}): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-governed-')))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  const config: Record<string, string> =
    governance === '' ? {} : { '.svc/config.yaml': `governance:\n${indented(governance)}` }
  repository(join(root, 'repo'), { 'src/a.js': 'let a = 1\n', 'doc/b.md': 'b\n', ...config, ...files })
  return { root: join(root, 'repo'), env: { XDG_STATE_HOME: join(root, 'state'), HOME: root } }
}

/** What a call of an operation came to. */
export interface Called {
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any operation, of which each test knows what to expect
  output: Record<string, any>
  notices: string[]
}

/** Calls an operation by its id through the door that every surface uses. */
export async function call(
  where: Place,
  who: Who,
  id: string,
  input: object = {},
  more: Partial<Context> = {},
): Promise<Called> {
  const row = OPERATIONS.find(row => row.id === id)
  if (!row) throw new Error(`there is no operation ${id}`)
  const notices: string[] = []
  const { output } = await invoke(row, input, { ...contextOf(where, who, notices), ...more })
  return { output: output as Record<string, unknown>, notices }
}

/** The error that a call ends with. */
export async function refused(where: Place, who: Who, id: string, input: object = {}): Promise<EngineError> {
  try {
    await call(where, who, id, input)
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  throw new Error(`${id} was not refused`)
}

/** Registers an agent as a person, and answers its credential. */
export async function register(where: Place, name: string, more: object = {}): Promise<{ key: string }> {
  const { output } = await call(where, 'person', 'governance.agent-register', { name, ...more })
  return { key: output.credential as string }
}

/** A context as the surface of this caller would make it. */
export function contextOf({ root, env }: Place, who: Who, notices: string[] = []): Context {
  const api = typeof who === 'object' && 'api' in who
  const surface: Surface = api ? 'rest' : 'cli'
  const caller: Caller = api
    ? { api_key: true, ...(who.key && { credential: who.key }) }
    : { terminal: who === 'person' }
  const own: Record<string, string> = { ...env }
  if (typeof who === 'object' && 'marker' in who) own[who.marker] = '1'
  if (typeof who === 'object' && !api && 'key' in who) own.SVC_AGENT_KEY = who.key!
  return {
    surface,
    cwd: root,
    env: own,
    caller,
    signal: new AbortController().signal,
    emit: () => {},
    notice: text => void notices.push(text),
  }
}

function indented(yaml: string): string {
  return yaml
    .trimEnd()
    .split('\n')
    .map(line => `  ${line}\n`)
    .join('')
}
