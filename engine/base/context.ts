/** How far a long operation is. Counts only grow within one run. */
export interface Progress {
  /** What is being done, one word for a person: discover, scan, merge, report. */
  phase: string
  done: number
  total: number
  bytes: number
  findings: number
}

/** What happens while an operation runs; every surface shows what it can. */
export type Event =
  | { type: 'progress'; progress: Progress }
  | { type: 'started'; run_id: string; files: number }
  | { type: 'finding'; finding: unknown }
  /** An entry of the audit log, as it is written. */
  | { type: 'entry'; entry: unknown }
  /** Something that changed while somebody listens; `id` says how things stand then. */
  | { type: 'live'; id: string; topic: string; data: unknown }
  /** The person is to confirm a code in a browser; the work waits for it. */
  | { type: 'sign_in'; sign_in: SignIn }

/** A code of the device authorization grant (RFC 8628), as the person needs it. */
export interface SignIn {
  issuer: string
  user_code: string
  verification_uri: string
  /** The address with the code in it, where the issuer has one. */
  verification_uri_complete?: string
  /** ISO time after which the code is refused. */
  expires_at: string
}

export type Surface = 'cli' | 'mcp' | 'rest'

/** What a surface knows of who calls, beyond the environment. */
export interface Caller {
  /** The process that was called, whose parents may tell; absent where the caller is elsewhere. */
  readonly pid?: number
  /** A person sits at a terminal, as far as one can see. */
  readonly terminal?: boolean
  /** The caller is elsewhere: the server's own environment, processes and commits tell nothing of it. REST callers always are. */
  readonly remote?: boolean
  /** The request carried the server's API key. */
  readonly api_key?: boolean
  /** The Host and Cookie headers of the request. */
  readonly host?: string
  readonly cookie?: string
  /** Tells clients of a server apart: a person's session, else the address. */
  readonly client?: string
  /** The W3C trace context of the request. */
  readonly traceparent?: string
  /** The request as it came, of an operation that checks who sent it by its bytes. */
  readonly delivery?: {
    readonly headers: Readonly<Record<string, string | string[] | undefined>>
    readonly body: Uint8Array
  }
  /** The agent's credential that came with the request. */
  readonly credential?: string
}

/** Whether the caller is elsewhere, so that only its request tells who it is. */
export function isRemote({ surface, caller }: Pick<Context, 'surface' | 'caller'>): boolean {
  return surface === 'rest' || caller?.remote === true
}

/** A metric of requests (engine/telemetry/figure.ts). */
export interface RequestFigure {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  samples: {
    labels?: Readonly<Record<string, string>>
    value: number
    suffix?: '_bucket' | '_sum' | '_count'
  }[]
}

/** What an operation gets from the surface that invoked it. It has no argv, no request and no terminal. */
export interface Context {
  surface: Surface
  /** Absolute folder that relative paths start from: the working directory, or the server's project. */
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  caller?: Caller
  /** Aborted when the caller has gone or pressed Ctrl-C. */
  signal: AbortSignal
  /** Called often; must be cheap. */
  emit(event: Event): void
  /** A sentence for the person, beside the answer: stderr, log notification. Never part of the output. */
  notice(text: string): void
  /** Writes a line to the answer at once, for an operation that stays; only the command line has it. */
  print?(line: string): void
  /** What an operation that stays is doing now, in a few words, in place of what it was doing before; only the command line has it. */
  status?(text: string): void
  /** Writes a line to the structured log; there where one was asked for (`--log-format json`). */
  log?(record: { level: 'info' | 'warn' | 'error'; message: string; fields?: Readonly<Record<string, unknown>> }): void
  /** What a server counts of its requests, for Prometheus; only REST has it. */
  figures?(): RequestFigure[]
  /** Reads all of standard input as text; only the command line has one. */
  readStdin?: () => Promise<string>
  /**
   * Lets the person choose one of these; undefined where they leave without. `initial` is the value that is marked first. Only the
   * command line has it, and only on a terminal: an operation must also be of use without.
   */
  choose?: (question: string, choices: readonly Choice[], initial?: string) => Promise<string | undefined>
  /** Called where a thread hangs in native code, in which nothing can stop it: whoever ends the process must not wait for it. */
  leftBehind?: () => void
  /** Starts svc with this command as a process that stays behind when the invocation is over; only the program itself has it. */
  stayBehind?: (command: string) => void
  /**
   * Starts a server surface and settles when it has closed, by the signal or because its client has gone; the engine
   * knows no HTTP and no protocol itself. Only the command line has it: a server never starts another.
   */
  serve?: (server: Server, input: Readonly<Record<string, unknown>>) => Promise<void>
}

/** Something to choose. */
export interface Choice {
  value: string
  /** What the person reads. */
  name: string
  /** Shown while it is marked. */
  description?: string
}

/** The server surfaces that the command line can start. */
export type Server = 'dashboard' | 'lsp' | 'mcp' | 'notary'
