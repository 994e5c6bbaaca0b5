import type { Context } from '../base/context.ts'
import { EngineError } from '../base/errors.ts'
import type { SourceFile } from '../base/records/source-file.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import { computeIdentityKey } from '../sources/config/identity-key.ts'
import type { Config } from '../sources/config/load.ts'
import { loadBuiltinPacks } from '../sources/packs/load.ts'
import { type Check, showCheck, sortLiveFirst } from './check.ts'
import { keepChecks, readChecks } from './kept-checks.ts'
import type { Secret } from './secret.ts'
import { readValues } from './values.ts'
import { type Asked, describeEndpoint, findProvider, verify } from './verify.ts'

/** What providers say, in the words that are kept: `dead` is the word of detectors. */
const STATES = { live: 'live', dead: 'revoked', unknown: 'unknown', unanswered: 'not_asked' } as const

/** Where the secrets were found. */
export interface Searched {
  root: string
  config: Config
  /** Files by path, as far as reading them again goes. */
  sources: ReadonlyMap<string, SourceFile | { text: string }>
}

/**
 * Asks the providers of secrets, or those of `providers` alone, whether they are live, notes it on each secret, and keeps the answers
 * (kept-checks.ts). Only detectors that come with svc are asked with: those of a repository would choose who is sent its secrets.
 */
export async function judgeLiveness(
  secrets: readonly Secret[],
  { root, config, sources }: Searched,
  { providers, stdin }: { providers?: string[]; stdin?: boolean },
  { signal, env, notice }: Context,
): Promise<void> {
  const rules = builtinRules()
  const wanted = providers?.map(name => name.toLowerCase())
  const asked = secrets.filter(({ rule_id }) => {
    const provider = findProvider(rules.get(rule_id))
    return provider !== undefined && (!wanted?.length || wanted.includes(provider.toLowerCase()))
  })
  const key = computeIdentityKey(root)
  const values = await readValues(root, asked, { sources, rules, key, maxBytes: config.scan.max_file_bytes })
  const questions = asked.flatMap(({ id, rule_id }) => {
    const value = values.get(id)
    return value === undefined ? [] : [{ id, rule: rules.get(rule_id)!, value }]
  })
  if (questions.length > 0) notice(`Asking providers about ${questions.length} of ${secrets.length} secrets.`)
  const base = env.SVC_VERIFY_BASE
  const answers = await verify(questions, { signal, ...(base && { base }) })
  for (const secret of secrets) {
    const answer = answers.get(secret.id) ?? 'unknown'
    secret.liveness = answer === 'unanswered' ? 'unknown' : answer
  }
  // Of a text that is in no file of the repository nothing is kept.
  if (stdin || asked.length === 0) return
  const at = new Date().toISOString()
  const made = asked.map(({ id, rule_id }): [string, Check] => [
    id,
    checkOf(answers.get(id), { at, endpoint: describeEndpoint(rules.get(rule_id)!)!, base }),
  ])
  try {
    await keepChecks(root, env, new Map(made))
  } catch (error) {
    // The answers are in the output, which a directory that cannot be written to must not take away.
    const why = error instanceof EngineError ? error.message : (error as NodeJS.ErrnoException).code
    notice(`The results were not stored, so other commands and the dashboard do not show them: ${why}`)
  }
}

function checkOf(
  answer: Asked | undefined,
  { at, endpoint, base }: { at: string; endpoint: string; base?: string | undefined },
): Check {
  if (answer === undefined) return { state: 'not_asked', at, reason: 'value_gone' }
  const via = base ? { via: new URL(base).origin } : {}
  return { state: STATES[answer], at, ...(answer === 'unanswered' && { reason: 'no_answer' }), endpoint, ...via }
}

/**
 * The secrets with their providers and what those have said, live ones first. Nothing that is kept takes a secret away, moves it back or changes
 * its severity or status.
 */
export function addKept(root: string, secrets: readonly Secret[], { env }: Pick<Context, 'env'>): Secret[] {
  const { checks } = readChecks(root, env)
  const rules = builtinRules()
  const now = Date.now()
  return sortLiveFirst(
    secrets.map(secret => {
      const check = checks.get(secret.id)
      const provider = findProvider(rules.get(secret.rule_id))
      return { ...secret, ...(provider && { provider }), ...(check && { checked: showCheck(check, now) }) }
    }),
  )
}

/** Rules that come with svc, by id. */
function builtinRules(): Map<string, CompiledRule> {
  return new Map(
    loadBuiltinPacks()
      .flatMap(pack => pack.rules)
      .map(rule => [rule.id, rule]),
  )
}
