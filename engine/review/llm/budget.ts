import { appendFileSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { LlmError } from './llm-error.ts'
import { computeCost, type Price } from './prices.ts'

/** Tokens of one exchange. */
export interface Usage {
  input: number
  output: number
}

/** What may still be spent in a run and on a day. */
export interface Budget {
  /** Reserves an exchange, or throws LlmError `budget`. Call `settle` with what it took, also where it failed. */
  reserve(most: Usage): { settle(used: Usage): void }
  readonly spent: { tokens: number; usd: number }
}

/**
 * A budget of tokens a run and dollars a day. An exchange is reserved with the most it can take, so that exchanges at the same time
 * cannot exceed it together. What was spent today is read from `ledger` and added to it, one line an exchange, by all processes.
 */
export function makeBudget(
  { max_tokens_per_run, max_usd_per_day, price }: { max_tokens_per_run: number; max_usd_per_day: number; price: Price },
  ledger: string | undefined,
  today: string,
): Budget {
  const spent = { tokens: 0, usd: 0 }
  let reservedTokens = 0
  let reservedUsd = 0
  return {
    spent,
    reserve(most) {
      const tokens = most.input + most.output
      const usd = computeCost(most, price)
      if (spent.tokens + reservedTokens + tokens > max_tokens_per_run)
        throw new LlmError(
          'budget',
          `the budget of ${max_tokens_per_run} tokens a run does not suffice (llm.max_tokens_per_run)`,
        )
      if (readSpent(ledger, today) + reservedUsd + usd > max_usd_per_day)
        throw new LlmError(
          'budget',
          `the budget of ${max_usd_per_day} US dollars a day does not suffice (llm.max_usd_per_day)`,
        )
      reservedTokens += tokens
      reservedUsd += usd
      return {
        settle(used) {
          reservedTokens -= tokens
          reservedUsd -= usd
          const cost = computeCost(used, price)
          spent.tokens += used.input + used.output
          spent.usd += cost
          if (ledger === undefined || cost === 0) return
          makeFolders(dirname(ledger))
          appendFileSync(ledger, `${JSON.stringify({ day: today, usd: cost, ...used })}\n`, { mode: 0o600 })
        },
      }
    },
  }
}

/** The dollars that the ledger has for a day. A line that cannot be read was cut by a crash; it counts nothing. */
function readSpent(ledger: string | undefined, today: string): number {
  if (ledger === undefined) return 0
  let text: string
  try {
    text = readFileSync(ledger, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw new LlmError('budget', 'what was spent today cannot be read', { cause: error })
  }
  let usd = 0
  for (const line of text.split('\n')) {
    try {
      const entry = JSON.parse(line) as { day?: unknown; usd?: unknown }
      if (entry.day === today && typeof entry.usd === 'number') usd += entry.usd
    } catch {}
  }
  return usd
}
