/** Why a model gave no answer that can be used. */
export type LlmErrorKind =
  | 'not_configured'
  | 'not_trusted'
  | 'budget'
  | 'invalid_answer'
  | 'refused'
  | 'timed_out'
  | 'unreachable'
  | 'rejected'
  | 'too_large'
  | 'replay_miss'

/** An exchange with a model that failed. What it was for is not evaluated then, never clean. */
export class LlmError extends Error {
  override name = 'LlmError'
  readonly kind: LlmErrorKind
  /** The answer as it came, where one did. */
  readonly raw: string | undefined

  constructor(kind: LlmErrorKind, message: string, more: { raw?: string; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.kind = kind
    this.raw = more.raw
  }
}
