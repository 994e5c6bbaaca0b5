import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, relative } from 'node:path'
import { toEngineError } from '../../base/errors.ts'
import { findRepositoryRoot, loadConfig } from '../../sources/config/load.ts'
import { stateExists } from '../../sources/state/local-folder.ts'
import type { GovernedContext } from '../context.ts'
import { enforce, type GuardedOperation } from '../enforce.ts'
import { listScopeReasons } from '../gate-hold.ts'
import { openGovernance } from '../governance-session.ts'
import { detectByMarkers } from '../markers.ts'
import { type Governance, isActive, mayRefuse } from '../policy.ts'
import { findUncommitted } from '../recheck.ts'
import type { GuardedAction } from '../trust.ts'
import { type Protocol, readToolCall, type ToolCall } from './call.ts'
import { makeProposedDiff } from './proposed.ts'
import type { Doing } from './writes.ts'

/** What the agent is told. `ask` leaves it to the person who sits at the agent, where it can ask one. */
export interface HookAnswer {
  decision: 'allow' | 'ask' | 'deny'
  reason: string
  protocol: Protocol | null
  when: 'before' | 'after'
  tool: string
  paths: string[]
}

/** What `svc agent-hook` answers to a message: the decision, and how it is said in the agent's protocol. */
export async function makeAnswer(text: string, context: GovernedContext): Promise<HookAnswer & { response: string }> {
  const told = await answerTo(text, { id: 'governance.agent-hook', summary: 'A tool of the agent' }, context)
  const response = formatAnswer(told)
  // Where the protocol has no words for it, the exit code speaks, and the reason goes to standard error.
  if (told.decision !== 'allow' && response === '') context.notice(told.reason)
  return { ...told, response }
}

/** Judges one message of an agent's hook. It never throws: where it cannot decide, it denies. */
export async function answerTo(
  text: string,
  row: Pick<GuardedOperation, 'id' | 'summary'>,
  context: GovernedContext,
): Promise<HookAnswer> {
  let found: ReturnType<typeof readToolCall>
  try {
    found = readToolCall(text, context.cwd, context.env)
    const root = findRepositoryRoot(found?.call.cwd ?? context.cwd)
    const { governance } = await loadConfig(root, { env: context.env })
    if (!stateExists(root) && !isActive(governance)) return answer('allow', '', found)
    if (!found)
      return answer(mayRefuse(governance) ? 'deny' : 'allow', 'the message of the hook cannot be parsed', found)
    // Whatever sits at the terminal: what comes by a hook is an agent's.
    const known = detectByMarkers(context.env)?.kind === 'agent'
    const own: GovernedContext = {
      ...context,
      cwd: found.call.cwd,
      caller: { ...context.caller, terminal: false },
      env: known ? context.env : { ...context.env, AI_AGENT: found.call.agent ?? 'claude-code' },
    }
    return found.call.when === 'after' ? await lookBack(found, own) : await judge(found, row, own, governance)
  } catch (error) {
    const { message } = toEngineError(error)
    return answer('deny', `svc could not decide: ${message}`, found)
  }
}

async function judge(
  found: { call: ToolCall; doing: Doing },
  row: Pick<GuardedOperation, 'id' | 'summary'>,
  context: GovernedContext,
  governance: Governance,
): Promise<HookAnswer> {
  const { doing, call } = found
  const paths = doing.paths.filter(path => !isScratch(path, findRepositoryRoot(call.cwd)))
  const actions: [GuardedAction, string[]][] = [
    ...(paths.length > 0 ? [['auto_fix_low', paths] satisfies [GuardedAction, string[]]] : []),
    ...(doing.installs.length > 0 ? [['add_dependency', []] satisfies [GuardedAction, string[]]] : []),
  ]
  for (const [action, own] of actions) {
    const asked = {
      row: { ...row, effect: 'write', summary: `${call.tool} of the agent` } as const,
      paths: own,
      input: {},
      tool: { name: call.tool, content: call.input, command: call.command, diff: () => diffOf(call, own) },
      action,
      folder: call.cwd,
      governance,
    }
    const invocation = { ...context }
    try {
      await enforce(asked, invocation)
    } catch (error) {
      const { code, message, hint } = toEngineError(error)
      if (code === 'FORBIDDEN' || code === 'APPROVAL_NEEDED') return answer('deny', `${message} ${hint}`, found)
      throw error
    } finally {
      await invocation.governance?.close()
    }
  }
  const unknown = mayRefuse(governance) ? [...doing.unknown, ...(await foreignScripts(doing.scripts, context))] : []
  if (unknown.length > 0)
    return answer(
      'ask',
      `The modified files are unknown: ${[...new Set(unknown)].join('; ')}. Write the paths explicitly.`,
      found,
    )
  return answer('allow', '', found)
}

/** What the tool would change, where its input tells. */
function diffOf({ cwd, input, command }: ToolCall, paths: readonly string[]): string | undefined {
  return command === null && paths.length > 0 ? makeProposedDiff(findRepositoryRoot(cwd), paths, input) : undefined
}

/** After the tool: what git says of the session's paths, so that the agent hears of it at once. */
async function lookBack(found: { call: ToolCall; doing: Doing }, context: GovernedContext): Promise<HookAnswer> {
  const { doing } = found
  if (Object.values(doing).every(list => list.length === 0)) return answer('allow', '', found)
  try {
    await openGovernance(context)
    const reasons = await listScopeReasons(context)
    return reasons.length > 0 ? answer('deny', `Undo this: ${reasons.join('; ')}.`, found) : answer('allow', '', found)
  } finally {
    await context.governance?.close()
  }
}

/** Of files that are run as programs: those that are not as they were committed before the agent's task began, as sentences. */
async function foreignScripts(files: readonly string[], context: GovernedContext): Promise<string[]> {
  if (files.length === 0) return []
  const root = findRepositoryRoot(context.cwd)
  try {
    const { session } = await openGovernance(context)
    const changed = await findUncommitted(root, session?.git_sha ?? 'HEAD', [...new Set(files)], {
      signal: context.signal,
    })
    return changed.map(file => `${relative(root, file)} is run, and differs from the version committed before the task`)
  } finally {
    await context.governance?.close()
  }
}

/** Files of the system's folder for temporary ones are nobody's concern, unless a link leads from there into the repository. */
function isScratch(path: string, root: string): boolean {
  const folder = realpathSync.native(tmpdir())
  // By its own name, that is: what leads there by way of /proc, or of where this process stands, is somewhere else for the agent.
  const named = [folder, tmpdir()].some(place => path.startsWith(`${place}/`))
  if (!named || path.includes('\0')) return false
  if (root === folder || root.startsWith(`${folder}/`)) {
    // A repository that lies there itself: only what stands beside it is meant.
    if (path === root || path.startsWith(`${root}/`)) return false
  }
  for (let at = path; ; at = dirname(at)) {
    try {
      const real = realpathSync.native(at)
      return (real === folder || real.startsWith(`${folder}/`)) && real !== root && !real.startsWith(`${root}/`)
    } catch {
      if (dirname(at) === at) return false
    }
  }
}

function answer(
  decision: HookAnswer['decision'],
  reason: string,
  found: { call: ToolCall; doing: Doing } | undefined,
): HookAnswer {
  return {
    decision: decision === 'ask' && !found?.call.asks ? 'deny' : decision,
    reason,
    protocol: found?.call.protocol ?? null,
    when: found?.call.when ?? 'before',
    tool: found?.call.tool ?? '',
    paths: found?.doing.paths ?? [],
  }
}

/** The answer in the words of the agent's protocol; empty where silence means that all is well. */
export function formatAnswer({ decision, reason, protocol, when }: HookAnswer): string {
  if (decision === 'allow') return protocol === 'cursor' && when === 'before' ? '{"permission":"allow"}' : ''
  switch (protocol) {
    case 'claude':
    case 'codex':
      return JSON.stringify(
        when === 'after'
          ? { decision: 'block', reason }
          : {
              hookSpecificOutput: {
                hookEventName: 'PreToolUse',
                permissionDecision: decision,
                permissionDecisionReason: reason,
              },
            },
      )
    case 'gemini':
      return JSON.stringify({ decision: 'deny', reason })
    case 'cursor':
      return JSON.stringify({ permission: decision, user_message: reason, agent_message: reason })
    case 'copilot':
      return JSON.stringify({ permissionDecision: decision, permissionDecisionReason: reason })
    default:
      return ''
  }
}
