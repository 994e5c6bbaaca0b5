import type { Caller, Context, Server } from '../engine/base/context.ts'
import type { ManifestRow } from '../engine/door/operation.ts'
import type { Schemas } from '../engine/door/schemas.ts'

/** What the command line needs of an output stream. */
export interface Output {
  write(text: string, done?: (error?: Error | null) => void): unknown
  on?(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
  isTTY?: boolean
  columns?: number
}

/** What the command line needs of the standard input. */
export interface Input extends AsyncIterable<Uint8Array | string> {
  isTTY?: boolean
}

/** The world around one command; tests bring their own. */
export interface Host {
  operations: readonly ManifestRow[]
  schemas: (id: string) => Schemas
  stdin: Input
  stdout: Output
  stderr: Output
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  signal: AbortSignal
  /** Who calls: the process, and whether a person sits at a terminal. */
  caller?: Caller
  /** Called where a thread hangs (Context.leftBehind). */
  leftBehind?: () => void
  /** Starts a process that stays behind (Context.stayBehind). */
  stayBehind?: (command: string) => void
  /** Starts a server and settles when it has closed (Context.serve). */
  serve?: (server: Server, input: Readonly<Record<string, unknown>>, context: Context) => Promise<void>
}
