import { basename } from 'node:path'

/** One row of the errors table: what a code means on every surface. */
export interface ErrorRow {
  /** HTTP status of the problem document (RFC 9457). */
  status: number
  /** Exit code of the command line (spec "Errors"; decisions "Gate"). */
  exit: number
  /** Short, stable title; the detail says what happened this time. */
  title: string
  /** The next step, for a person; a thrown error may carry a better one. */
  hint: string
}

/**
 * Every error that svc raises on purpose. A code is part of the interface: it appears in problem documents, in `--json`
 * output and in MCP results, and docs/reference/errors.md is generated from this table.
 */
export const ERRORS = {
  USAGE: { status: 400, exit: 64, title: 'Usage error', hint: 'Run the command with --help.' },
  BAD_REQUEST: {
    status: 400,
    exit: 64,
    title: 'The request cannot be read',
    hint: 'Send well-formed HTTP with a JSON object as body.',
  },
  INPUT_INVALID: {
    status: 422,
    exit: 64,
    title: 'The input is not valid',
    hint: 'Correct the named field and try again.',
  },
  CONFIG_INVALID: {
    status: 422,
    exit: 64,
    title: 'The configuration is not valid',
    hint: 'Run `svc validate-config` to see every problem with its line.',
  },
  PACK_INVALID: {
    status: 422,
    exit: 64,
    title: 'The pack is not valid',
    hint: 'Correct the named location in the pack file.',
  },
  NOT_FOUND: { status: 404, exit: 66, title: 'Not found', hint: 'Check the name or the path.' },
  REPO_NOT_FOUND: {
    status: 404,
    exit: 66,
    title: 'No repository found',
    hint: 'Pass the path of an existing directory.',
  },
  REPO_UNREADABLE: {
    status: 422,
    exit: 66,
    title: 'The repository cannot be read',
    hint: 'Run `git status` in that directory and fix what it reports.',
  },
  NOTHING_TO_SCAN: {
    status: 422,
    exit: 66,
    title: 'No file to scan',
    hint: 'Check the skipped files and scan_exclude in .svc/config.yaml.',
  },
  RUN_NOT_FOUND: {
    status: 404,
    exit: 66,
    title: 'No such run',
    hint: 'Run `svc scan` first, or list the runs with `svc history-report --list`.',
  },
  RULE_NOT_FOUND: { status: 404, exit: 66, title: 'No such rule', hint: 'List the rules with `svc list-rules`.' },
  PATH_ESCAPES: {
    status: 400,
    exit: 64,
    title: 'The path is outside the project',
    hint: 'Pass a path inside the project root.',
  },
  UNAUTHENTICATED: {
    status: 401,
    exit: 64,
    title: 'A valid API key is required',
    hint: 'Send the key in the X-API-Key header.',
  },
  FORBIDDEN: {
    status: 403,
    exit: 64,
    title: 'Not permitted',
    hint: 'Request the trust level or the grant that the action requires.',
  },
  APPROVAL_NEEDED: {
    status: 403,
    exit: 64,
    title: 'Approval required',
    hint: 'Wait for the approval with `svc wait-approval`, then repeat the command.',
  },
  HOST_REFUSED: {
    status: 403,
    exit: 64,
    title: 'The request did not come from this server',
    hint: 'Open the dashboard by the address that `svc dashboard` printed, or send an API key.',
  },
  READ_ONLY: {
    status: 403,
    exit: 64,
    title: 'The server is read-only',
    hint: 'It was started with --read-only. Use the command line, or a server without that option.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    exit: 64,
    title: 'Method not allowed',
    hint: 'See /docs for the methods of this path.',
  },
  BODY_TOO_LARGE: { status: 413, exit: 64, title: 'The request body is too large', hint: 'Send at most 10 MiB.' },
  MEDIA_TYPE: { status: 415, exit: 64, title: 'The media type is not supported', hint: 'Send application/json.' },
  RATE_LIMITED: {
    status: 429,
    exit: 69,
    title: 'Too many requests',
    hint: 'Wait for the seconds named in Retry-After.',
  },
  CONFLICT: {
    status: 409,
    exit: 64,
    title: 'Conflict with the current state',
    hint: 'Check the current state and try again.',
  },
  TOOL_MISSING: {
    status: 503,
    exit: 69,
    title: 'A required tool or service is missing',
    hint: 'Run `svc install-check`.',
  },
  NOTARY_REFUSED: {
    status: 502,
    exit: 69,
    title: 'The answer of the notary is not acceptable',
    hint: 'Nothing was stored. Ask whoever runs the notary, and compare its log with another witness.',
  },
  STORE_UNREADABLE: {
    status: 500,
    exit: 70,
    title: 'Stored data cannot be read',
    hint: 'Run `svc install-check`; the named file may be damaged.',
  },
  DISK: {
    status: 500,
    exit: 74,
    title: 'The write to disk failed',
    hint: 'Free some space or check the permissions, then run again; nothing half-written is left.',
  },
  INTERRUPTED: {
    status: 499,
    exit: 130,
    title: 'Interrupted',
    hint: 'Run the command again; nothing half-written is left.',
  },
  INTERNAL: { status: 500, exit: 70, title: 'Internal error', hint: 'Run again with -v and report what it prints.' },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERRORS

/** Where in the input the fault lies: a file of the user's, with line and column counted from 1. */
export interface Place {
  file: string
  line?: number
  column?: number
}

/**
 * An error with a row in the table. The message says what is wrong and with which value, in one sentence that may be
 * shown to anybody who sent the input; internal paths and causes belong in `cause`, which only logs show.
 */
export class EngineError extends Error {
  override name = 'EngineError'
  readonly code: ErrorCode
  readonly hint: string
  readonly place: Place | undefined
  /** Several faults of one input, each a sentence with its place; empty for a single fault. */
  readonly faults: readonly Fault[]

  constructor(
    code: ErrorCode,
    message: string,
    more: { hint?: string; place?: Place; faults?: Fault[]; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.code = code
    this.hint = more.hint ?? ERRORS[code].hint
    this.place = more.place
    this.faults = more.faults ?? []
  }

  get row(): ErrorRow {
    return ERRORS[this.code]
  }
}

/** One fault of an input. */
export interface Fault {
  message: string
  place?: Place
  /** Keys that lead to the faulty value. */
  path?: string[]
}

/** System calls that only change what is on disk: a permission that they lack is one to write. */
const WRITING_CALLS = new Set([
  'mkdir',
  'rename',
  'unlink',
  'rmdir',
  'link',
  'symlink',
  'copyfile',
  'write',
  'ftruncate',
])

/**
 * The error as the table's: an EngineError stays, a full disk, a place that may not be written to or an abort gets its row, all else is
 * INTERNAL with its cause kept.
 */
export function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error
  const { code, syscall, path } = (error ?? {}) as { code?: unknown; syscall?: unknown; path?: unknown }
  if ((code === 'EACCES' || code === 'EPERM') && WRITING_CALLS.has(String(syscall))) {
    const what = typeof path === 'string' ? `${basename(path)} cannot be written` : 'The write failed'
    return new EngineError('DISK', `${what}: permission denied (${code}).`, { cause: error })
  }
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EROFS' || code === 'EFBIG' || code === 'EIO') {
    return new EngineError('DISK', `The write failed: ${code}.`, { cause: error })
  }
  if ((error as { name?: unknown } | null)?.name === 'AbortError') {
    return new EngineError('INTERRUPTED', 'The work was interrupted.', { cause: error })
  }
  return new EngineError('INTERNAL', 'An internal error occurred.', { cause: error })
}
