import { EngineError } from '../../base/errors.ts'

interface Asked {
  issuer: string
  client_id: string
  signal: AbortSignal
}

/** As much of the errors of the OAuth library and of the transport as is read. Their messages may quote an answer, which can have a token. */
interface Failure {
  /** Error code of the answer (RFC 6749 5.2, RFC 8628 3.5). */
  error?: unknown
  code?: unknown
  status?: unknown
  cause?: unknown
}

/** What an issuer's refusal or silence means to the person. Never repeats what the issuer wrote, but for a well-formed error code. */
export function nameFailure(failure: unknown, what: string, { issuer, client_id, signal }: Asked): EngineError {
  if (failure instanceof EngineError) return failure
  if (signal.aborted) return new EngineError('INTERRUPTED', 'The work was interrupted.')
  const word = readErrorCode(failure)
  if (word === 'access_denied')
    return new EngineError('FORBIDDEN', `The login was denied at ${issuer}.`, {
      hint: 'Run `svc login` again, and confirm the code in the browser.',
    })
  if (word === 'expired_token') return makeExpired(issuer)
  if (word !== undefined && ['invalid_client', 'unauthorized_client', 'invalid_scope'].includes(word))
    return new EngineError('CONFIG_INVALID', `${issuer} refuses the client ${JSON.stringify(client_id)}: ${word}.`, {
      hint: 'Check login.client_id and login.scopes; the client must be public and have the device authorization grant.',
    })
  const reason =
    word ?? findSystemCode(failure) ?? (isServerFault(failure) ? 'an error of the server' : readCode(failure))
  return new EngineError('TOOL_MISSING', `${what} could not be had from ${issuer}: ${reason}.`, {
    hint: 'Check login.issuer, the network, HTTPS_PROXY and GUARD_CA_FILE; then run the command again.',
  })
}

/** The person did not confirm in time. */
export function makeExpired(issuer: string): EngineError {
  return new EngineError('FORBIDDEN', `The code expired before it was confirmed at ${issuer}.`, {
    hint: 'Run `svc login` again, and confirm the new code in time.',
  })
}

/** Whether the issuer gave no answer, or one of a server that is in trouble: it may answer later. */
export function isPassing(failure: unknown): boolean {
  return readErrorCode(failure) === undefined && (findSystemCode(failure) !== undefined || isServerFault(failure))
}

function readErrorCode(failure: unknown): string | undefined {
  const { error } = (failure ?? {}) as Failure
  if (typeof error !== 'string') return undefined
  return /^[a-z_]{1,40}$/.test(error) ? error : 'an unknown error'
}

/** Code of a broken connection, such as ECONNREFUSED or UND_ERR_SOCKET, of the failure or what caused it. */
function findSystemCode(failure: unknown): string | undefined {
  let at = failure as Failure | undefined
  for (let depth = 0; at && depth < 4; depth++) {
    if (typeof at.code === 'string' && /^(?:E[A-Z]{2,}|UND_ERR_[A-Z_]+|OAUTH_TIMEOUT)$/.test(at.code)) return at.code
    at = at.cause as Failure | undefined
  }
  return undefined
}

function isServerFault(failure: unknown): boolean {
  const { cause } = (failure ?? {}) as Failure
  const status = (cause as Failure | undefined)?.status
  return typeof status === 'number' && status >= 500
}

function readCode(failure: unknown): string {
  const { code } = (failure ?? {}) as Failure
  return typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code) ? code : 'the answer is not as it must be'
}
