import { isAbsolute, join, resolve } from 'node:path'
import type { Context } from '../../base/context.ts'
import { refuseLinked } from '../../base/disk/own-folder.ts'
import { isInside } from '../../base/disk/project-write.ts'
import { EngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'
import { nameRepository } from '../../sources/repository/repository-name.ts'
import { bindSeal, openSeal } from '../../sources/state/cache-seal.ts'
import { makeLocalFolder } from '../../sources/state/local-folder.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'
import { type Budget, makeBudget } from './budget.ts'
import { type Completion, type CompletionRequest, complete, countMostTokens } from './complete.ts'
import { LlmError } from './llm-error.ts'
import { computeCost } from './prices.ts'
import { type LlmSettings, resolveSettings } from './settings.ts'

/** `1` lets the configuration, which is the repository's, name recorded answers (llm.replay). */
export const REPLAY_VARIABLE = 'SVC_LLM_REPLAY'

/** What a command says about exchanges. */
export interface LlmFlags {
  /** Directories from the working directory. */
  record?: string
  replay?: string
  /** Nothing is sent: `planned` has what would be. */
  dry_run?: boolean
}

/** A request that was not sent, as a dry run shows it. */
export interface PlannedRequest {
  purpose: string
  to: string
  model: string
  /** The most tokens that it can take, and the most dollars. */
  input_tokens: number
  output_tokens: number
  usd: number
  prompt: string
}

/** A model that can be asked for one command. */
export interface LlmSession {
  settings: LlmSettings
  budget: Budget
  planned: PlannedRequest[]
  /** LlmError where there is no answer; in a dry run always, after it was planned. */
  ask(request: CompletionRequest): Promise<Completion>
}

/** Opens the configured model. LlmError where none can be asked. */
export function openSession(
  config: Config,
  context: Pick<Context, 'cwd' | 'env' | 'signal'>,
  flags: LlmFlags = {},
  pause?: (ms: number, signal: AbortSignal) => Promise<void>,
): LlmSession {
  const { root, llm } = config
  const settings = resolveSettings(config, context.env, flags.replay !== undefined || llm.replay !== undefined)
  // Whoever writes the repository would give the answers.
  if (flags.replay === undefined && llm.replay !== undefined && context.env[REPLAY_VARIABLE] !== '1')
    throw new LlmError(
      'not_trusted',
      `llm.replay is not trusted: pass --replay, or set ${REPLAY_VARIABLE}=1 to take answers from the repository`,
    )
  const opened = openSeal(context.env)
  const seal = opened && bindSeal(opened, nameRepository(root))
  refuseLinked(root, '.svc/local')
  const local = makeLocalFolder(root)
  const today = new Date().toISOString().slice(0, 10)
  const budget = makeBudget(settings, join(local, 'llm-usage.jsonl'), today)
  const record = flags.record === undefined ? locateOwn(root, llm.record) : resolve(context.cwd, flags.record)
  const replay = flags.replay === undefined ? locateOwn(root, llm.replay) : resolve(context.cwd, flags.replay)
  const planned: PlannedRequest[] = []
  const inTurn = makeLimiter(settings.concurrency)
  return {
    ...{ settings, budget, planned },
    ask(request) {
      if (flags.dry_run) {
        planned.push(plan(request, settings))
        throw new LlmError('not_configured', 'dry run: nothing was sent')
      }
      return inTurn(() =>
        complete(request, {
          ...{ settings, budget, signal: context.signal },
          ...(seal && { cache: { folder: join(local, 'llm-cache'), seal } }),
          ...{ raw: join(locateOutput(root, context.env, config.output_dir), 'llm') },
          ...(record !== undefined && { record }),
          ...(replay !== undefined && { replay }),
          ...(pause !== undefined && { pause }),
        }),
      )
    },
  }
}

/** A directory that the configuration names: of the repository alone. */
function locateOwn(root: string, named: string | undefined): string | undefined {
  if (named === undefined) return undefined
  const path = resolve(root, named)
  if (isAbsolute(named) || !isInside(root, path))
    throw new EngineError('CONFLICT', `llm: the directory ${named} is outside of the repository.`)
  return path
}

function plan(
  { purpose, messages, schema }: CompletionRequest,
  { base_url, model, max_output_tokens, price }: LlmSettings,
): PlannedRequest {
  const prompt = messages.map(({ role, content }) => `[${role}]\n${content}`).join('\n\n')
  const input_tokens = countMostTokens(prompt) + countMostTokens(JSON.stringify(schema))
  const usd = computeCost({ input: input_tokens, output: max_output_tokens }, price)
  return { purpose, to: base_url, model, input_tokens, output_tokens: max_output_tokens, usd, prompt }
}

/** Runs at most so many at a time, in their order. */
function makeLimiter(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async work => {
    if (running >= most) await new Promise<void>(done => waiting.push(done))
    running++
    try {
      return await work()
    } finally {
      running--
      waiting.shift()?.()
    }
  }
}
