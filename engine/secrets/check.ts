import type { Secret } from './secret.ts'

/** Days after which the answer of a provider is out of date: what was live may be revoked, and what was revoked was so on that day. */
export const CURRENT_DAYS = 7

/** What providers say: `unknown` is an answer that is neither, `not_asked` none at all. */
export const CHECK_STATES = ['live', 'revoked', 'unknown', 'not_asked'] as const
/** Why there was no answer: the provider gave none, or the value is no longer in the file. */
export const CHECK_REASONS = ['no_answer', 'value_gone'] as const

/** A question to a provider, or why there was none. */
export interface Attempt {
  state: (typeof CHECK_STATES)[number]
  /** ISO 8601. */
  at: string
  reason?: (typeof CHECK_REASONS)[number]
}

/** What is kept of the questions about a secret. */
export interface Check extends Attempt {
  /** Method and address, with placeholders in the place of what is secret. */
  endpoint?: string
  /** Where SVC_VERIFY_BASE sent the question to instead. */
  via?: string
  /** A later question that was not answered live or revoked. */
  tried?: Attempt
}

/** As it is shown: a check that is not current says what was so at its time, and nothing of today. */
export interface ShownCheck extends Check {
  current: boolean
}

const DAY_MS = 86_400_000
/** Clocks of two machines may differ by this much; a check of later than that has a wrong time. */
const CLOCK_MS = 300_000

/** A check as it stands at this time, in milliseconds since 1970. */
export function showCheck(check: Check, now: number): ShownCheck {
  const age = now - Date.parse(check.at)
  return { ...check, current: age >= -CLOCK_MS && age <= CURRENT_DAYS * DAY_MS }
}

/** What to keep after another question: an answer of live or revoked is replaced by another one only, and stays beside whatever else came. */
export function mergeChecks(known: Check | undefined, next: Check): Check {
  const isClear = ({ state }: Check) => state === 'live' || state === 'revoked'
  if (known === undefined || isClear(next) || !isClear(known)) return next
  const { state, at, reason } = next
  return { ...known, tried: { state, at, ...(reason && { reason }) } }
}

/**
 * Puts live secrets first, those whose check is current before those that were live once; all others stay in their order, so that no answer
 * moves one back.
 */
export function sortLiveFirst<T extends Pick<Secret, 'checked'>>(secrets: readonly T[]): T[] {
  const rank = ({ checked }: T) => (checked?.state !== 'live' ? 2 : checked.current ? 0 : 1)
  return secrets.toSorted((a, b) => rank(a) - rank(b))
}
