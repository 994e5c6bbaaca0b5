import { EngineError } from '../../base/errors.ts'

/** What may be spent, and the names of the settings that say so, for messages. */
export interface SpendingLimits {
  max_tokens_per_run: number
  max_usd_per_day: number
  limited_by: { tokens: string; usd: string }
}

/** The user's upper limits. The configuration is the repository's, which may lower them and never raise them. */
export const USD_VARIABLE = 'SVC_LLM_MAX_USD_PER_DAY'
export const TOKENS_VARIABLE = 'SVC_LLM_MAX_TOKENS_PER_RUN'
/** Where the user sets none; a server on this machine costs nothing and has none. */
const DEFAULT_USD = 20
const DEFAULT_TOKENS = 2_000_000

/** The lesser of what the configuration and the user allow. CONFIG_INVALID for a variable that is no number from 0. */
export function limitSpending(
  configured: { max_tokens_per_run: number; max_usd_per_day: number },
  env: Readonly<Record<string, string | undefined>>,
  isFree: boolean,
): SpendingLimits {
  const tokens = readLimit(env, TOKENS_VARIABLE) ?? (isFree ? Number.POSITIVE_INFINITY : DEFAULT_TOKENS)
  const usd = readLimit(env, USD_VARIABLE) ?? (isFree ? Number.POSITIVE_INFINITY : DEFAULT_USD)
  return {
    max_tokens_per_run: Math.min(tokens, configured.max_tokens_per_run),
    max_usd_per_day: Math.min(usd, configured.max_usd_per_day),
    limited_by: {
      tokens: tokens < configured.max_tokens_per_run ? TOKENS_VARIABLE : 'llm.max_tokens_per_run',
      usd: usd < configured.max_usd_per_day ? USD_VARIABLE : 'llm.max_usd_per_day',
    },
  }
}

function readLimit(env: Readonly<Record<string, string | undefined>>, name: string): number | undefined {
  const text = env[name]?.trim()
  if (!text) return undefined
  const value = Number(text)
  if (Number.isFinite(value) && value >= 0) return value
  throw new EngineError('CONFIG_INVALID', `${name} is no number: ${JSON.stringify(text.slice(0, 40))}.`, {
    hint: `Set ${name} to a number from 0, or unset it.`,
  })
}
