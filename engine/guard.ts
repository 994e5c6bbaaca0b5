import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { CONFIG_PATH, LEGACY_PATH, repositoryRoot } from './config/load.ts'
import type { Context } from './context.ts'
import { fromMarkers } from './governance/markers.ts'
import { defaultAction, type GuardedAction, type ManifestRow, type Operation } from './operation.ts'
import { readSettings } from './settings-file.ts'
import { stateExists } from './state/local-folder.ts'
import { witnessFolder } from './user-state.ts'

/**
 * Runs an operation's work if whoever asks may do it, on every surface alike (docs/governance.md).
 *
 * Governance is off until a repository asks for it: until its configuration says something of governance, or it has
 * records (an agent was registered, a task bound), or it had some and they are gone. Off costs a look at two files and one
 * at the folder of the user's witnesses: no database, no configuration, no identity. The agent that the environment names is noted in any case, for the run's record.
 */
export async function guarded<T>(
  row: ManifestRow,
  operation: Operation<never, never>,
  input: unknown,
  context: Context,
  work: () => Promise<T>,
): Promise<T> {
  context.agent = context.surface === 'rest' ? undefined : fromMarkers(context.env)?.agent
  context.permit = undefined
  context.reads = row.effect === 'read'
  const action = actionOf(row, operation, input)
  const weakens = isWeakening(operation, input)
  const task = weakens ? () => withPerson(row, context, work) : work
  if (action === null) return closing(context, task)
  const folder = folderOf(input, context)
  const root = repositoryRoot(folder)
  if (!mayBeGoverned(root, row.effect === 'read') && !(await wasGoverned(root, context))) return closing(context, task)
  const { enforce } = await import('./governance/enforce.ts')
  return enforce({ row, operation, input, action, folder, weakens }, context, task)
}

/** Whether the operation weakens what changes are judged by, with this input. */
function isWeakening({ weakens }: Pick<Operation<never, never>, 'weakens'>, input: unknown): boolean {
  return typeof weakens === 'function' ? weakens(input as never) : weakens === true
}

/** Runs work that weakens the judgement. Where records are kept a person has approved it by now; elsewhere no agent may do it. */
async function withPerson<T>(row: ManifestRow, context: Context, work: () => Promise<T>): Promise<T> {
  if (!context.desk) {
    const { refuseAgent } = await import('./governance/acting-agent.ts')
    refuseAgent(context, row.cli ?? row.rest ?? row.mcp ?? row.id)
  }
  return work()
}

/** Runs work that opens a desk by itself, as the operations of governance do, and closes it. */
async function closing<T>(context: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    if (context.desk) await context.desk.close()
  }
}

/** The action that the operation needs, with this input. */
export function actionOf(
  { action, effect }: Pick<ManifestRow, 'action' | 'effect'>,
  operation: Pick<Operation<never, never>, 'action'>,
  input: unknown,
): GuardedAction | null {
  if (typeof operation.action === 'function') return operation.action(input as never)
  if (action === undefined || action === 'by-input') return operation.action ?? defaultAction(effect)
  return action
}

/** The folder that is worked on: a scan may be of another one than where the caller stands. */
function folderOf(input: unknown, { cwd }: Context): string {
  const named = (input as { repo_path?: unknown } | null)?.repo_path
  return typeof named === 'string' ? resolve(cwd, named) : cwd
}

/**
 * Whether the repository could be governed. The configuration is read as text: that the word stands there costs a parser
 * to look closer, and who leaves it out has nothing to enforce. What cannot be read may say anything, which matters to all but reading.
 */
function mayBeGoverned(root: string, isReading: boolean): boolean {
  return stateExists(root) || [CONFIG_PATH, LEGACY_PATH].some(name => mentions(root, name) ?? !isReading)
}

/** Whether the user's witness knows of records that this repository had, however little is left of them. */
async function wasGoverned(root: string, { env }: Context): Promise<boolean> {
  if (!existsSync(witnessFolder(env))) return false
  const { readWitness } = await import('./audit/witness.ts')
  return readWitness(env, root) !== undefined
}

/** Whether a configuration file mentions governance; undefined where it cannot be read. */
function mentions(root: string, name: string): boolean | undefined {
  try {
    return readSettings(root, name)?.includes('governance') ?? false
  } catch {
    return undefined
  }
}
