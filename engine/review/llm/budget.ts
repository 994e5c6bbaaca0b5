import { closeSync, constants, lstatSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { readRegular } from '../../base/disk/read.ts'
import type { SpendingLimits } from './limits.ts'
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
  { max_tokens_per_run, max_usd_per_day, limited_by, price }: SpendingLimits & { price: Price },
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
          `the budget of ${max_tokens_per_run} tokens a run does not suffice (${limited_by.tokens})`,
        )
      if (readSpent(ledger, today) + reservedUsd + usd > max_usd_per_day)
        throw new LlmError(
          'budget',
          `the budget of ${max_usd_per_day} US dollars a day does not suffice (${limited_by.usd})`,
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
          append(ledger, `${JSON.stringify({ day: today, usd: cost, ...used })}\n`)
        },
      }
    },
  }
}

/** A repository may bring a link of the ledger's name; nothing is written through it. */
const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0)
function append(ledger: string, line: string): void {
  const descriptor = openSync(ledger, APPEND, 0o600)
  try {
    writeSync(descriptor, line)
  } finally {
    closeSync(descriptor)
  }
}

const MOST_LEDGER_BYTES = 64 << 20

/**
 * The dollars that the ledger has for a day. A line that cannot be read was cut by a crash; it counts nothing, and neither does one of less
 * than nothing, which a repository could bring to lift the limit. What is there and no file of a sensible size spends everything.
 */
function readSpent(ledger: string | undefined, today: string): number {
  if (ledger === undefined) return 0
  if (!lstatSync(ledger, { throwIfNoEntry: false })) return 0
  const content = readRegular(ledger, MOST_LEDGER_BYTES)
  if (!(content instanceof Uint8Array))
    throw new LlmError(
      'budget',
      `what was spent today cannot be read: ${ledger} is no regular file (${content.reason})`,
    )
  let usd = 0
  for (const line of Buffer.from(content).toString('utf8').split('\n')) {
    try {
      const entry = JSON.parse(line) as { day?: unknown; usd?: unknown }
      if (entry.day === today && typeof entry.usd === 'number' && entry.usd > 0) usd += entry.usd
    } catch {}
  }
  return usd
}
