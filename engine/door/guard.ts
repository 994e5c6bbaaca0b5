import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Context, isRemote } from '../base/context.ts'
import { readSettings } from '../base/disk/settings-file.ts'
import { locateWitnesses } from '../base/disk/user-state.ts'
import type { GovernedContext } from '../governance/context.ts'
import type { Decided } from '../governance/enforce.ts'
import { detectByMarkers } from '../governance/markers.ts'
import type { GuardedAction } from '../governance/trust.ts'
import { findRepositoryRoot } from '../sources/config/load.ts'
import { CONFIG_PATH, LEGACY_PATH } from '../sources/config/paths.ts'
import { stateExists } from '../sources/state/local-folder.ts'
import { getDefaultAction, type ManifestRow, type Operation } from './operation.ts'
import { listWritten } from './written.ts'

/**
 * Runs an operation's work if whoever asks may do it, on every surface alike (docs/governance.md).
 *
 * Governance is off until a repository asks for it: until its configuration says something of governance, or it has
 * records (an agent was registered, a task bound), or it had some and they are gone. Off costs a look at two files and one
 * at the folder of the user's witnesses: no database, no configuration, no identity. The agent that the environment names is noted in any case, for the run's record.
 */
export async function runGuarded<T>(
  row: ManifestRow,
  operation: Guarded,
  input: unknown,
  caller: Context,
  work: (context: GovernedContext) => Promise<T>,
): Promise<T> {
  const agent = isRemote(caller) ? undefined : detectByMarkers(caller.env)?.agent
  // The operation's own: records are opened in it, and what was decided is added.
  const context: GovernedContext = { ...caller, agent, reads: row.effect === 'read' }
  try {
    Object.assign(context, await decide(row, operation, input, context))
    return await work(context)
  } finally {
    await context.governance?.close()
  }
}

/** What the guard looks at of an operation. */
type Guarded = Pick<Operation<never, never>, 'action' | 'check' | 'paths' | 'weakens'>

/** What governance decides on the operation with this input, before it begins. */
async function decide(
  row: ManifestRow,
  operation: Guarded,
  input: unknown,
  context: GovernedContext,
): Promise<Decided> {
  const action = deriveAction(row, operation, input)
  const weakens = isWeakening(operation, input)
  const folder = folderOf(input, context)
  const written = listWritten(input, context.cwd, folder, row.id)
  let decided: Decided = {}
  if (action !== null && (await isGoverned(findRepositoryRoot(folder), written.length > 0, context))) {
    // Before a reviewer is asked: a wrong input is no request.
    await operation.check?.(input as never, context)
    const { enforce } = await import('../governance/enforce.ts')
    const paths = operation.paths?.(input as never) ?? []
    decided = await enforce({ row, input, action, paths, written, folder, weakens }, context)
  }
  // Where records are kept a person has approved it by now; elsewhere no agent may do it.
  if (weakens && !context.governance) {
    const { refuseAgent } = await import('../governance/acting-agent.ts')
    refuseAgent(context, row.cli ?? row.rest ?? row.mcp ?? row.id)
  }
  if (written.length > 0 && !context.governance) {
    const { listProtectedOutputs } = await import('../governance/outputs.ts')
    const guarded = listProtectedOutputs(findRepositoryRoot(folder), folder, written)
    if (guarded.length > 0) {
      const { refuseAgent } = await import('../governance/acting-agent.ts')
      refuseAgent(context, `Writing ${guarded.join(', ')}`)
    }
  }
  return decided
}

/** Whether the operation weakens what changes are judged by, with this input. */
function isWeakening({ weakens }: Pick<Operation<never, never>, 'weakens'>, input: unknown): boolean {
  return typeof weakens === 'function' ? weakens(input as never) : weakens === true
}

/** The action that the operation needs, with this input. */
export function deriveAction(
  { action, effect }: Pick<ManifestRow, 'action' | 'effect'>,
  operation: Pick<Operation<never, never>, 'action'>,
  input: unknown,
): GuardedAction | null {
  if (typeof operation.action === 'function') return operation.action(input as never)
  if (action === undefined || action === 'by-input') return operation.action ?? getDefaultAction(effect)
  return action
}

/** The directory that is worked on: a scan may be of another one than where the caller stands, or of a file in it. */
function folderOf(input: unknown, { cwd }: Context): string {
  const named = (input as { repo_path?: unknown } | null)?.repo_path
  if (typeof named !== 'string') return cwd
  const path = resolve(cwd, named)
  return isFile(path) ? dirname(path) : path
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    // What is wrong with the path, the operation says in its own words.
    return false
  }
}

/** Whether the repository could be governed, or was. */
async function isGoverned(root: string, writes: boolean, context: GovernedContext): Promise<boolean> {
  return mayBeGoverned(root, context.reads === true && !writes) || (await wasGoverned(root, context))
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
  if (!existsSync(locateWitnesses(env))) return false
  const { readWitness } = await import('../sources/state/witness.ts')
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
