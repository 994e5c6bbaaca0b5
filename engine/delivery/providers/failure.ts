import { EngineError, type ErrorCode } from '../../base/errors.ts'

/** Why a provider did not do what was asked. */
export type FailureKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'invalid'
  | 'limited'
  | 'unavailable'

const CODES: Record<FailureKind, ErrorCode> = {
  unauthenticated: 'TOOL_MISSING',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  invalid: 'INPUT_INVALID',
  limited: 'RATE_LIMITED',
  unavailable: 'TOOL_MISSING',
}

const HINTS: Record<FailureKind, string> = {
  unauthenticated: 'Create a new token and set it in the environment; `svc test-connection` tests it.',
  forbidden: 'Give the token the scopes of docs/providers.md; `svc test-connection` shows which it has.',
  not_found:
    'Check the repository and the number; a token without access to a private repository gets this answer too.',
  conflict: 'Run the command again.',
  invalid: 'Run with -v, and report what the provider refused.',
  limited: 'Wait, then run the command again.',
  unavailable: 'Check the network, the proxy and the status page of the provider, then run the command again.',
}

/** A request that a provider refused, or did not answer. The message names provider, method, path and status, and never a token. */
export class ProviderFailure extends EngineError {
  readonly kind: FailureKind
  readonly status: number | undefined
  /** Nothing tells whether the provider did what was asked: the answer was cut off, or an error of its own. */
  readonly isAmbiguous: boolean

  constructor(kind: FailureKind, message: string, more: { status?: number } = {}) {
    super(CODES[kind], message, { hint: HINTS[kind] })
    this.kind = kind
    this.status = more.status
    this.isAmbiguous = kind === 'unavailable'
  }
}

/** The kind of an HTTP status. */
export function classifyStatus(status: number | undefined): FailureKind {
  if (status === 401) return 'unauthenticated'
  if (status === 403) return 'forbidden'
  if (status === 404 || status === 410) return 'not_found'
  if (status === 409 || status === 412) return 'conflict'
  if (status === 429) return 'limited'
  if (status !== undefined && status >= 400 && status < 500) return 'invalid'
  return 'unavailable'
}

/** Text of a provider for a message: one line, short, without control characters. */
export function cleanText(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, 300)
}
