import type { distill, Type } from 'arktype'
import type { Context } from './context.ts'

/** What an operation does to the world; decides permission, audit entry and MCP hints. */
export type Effect = 'read' | 'write' | 'destroy'

/**
 * One capability. Input and output are ArkType types: they give the TypeScript types here, and `npm run generate` turns
 * them into the JSON Schemas of the manifest, which is all that the three binders read. Every description completes
 * "must be …", so one phrase serves help, OpenAPI, the MCP tool list and the error message.
 */
export interface Operation<I, O> {
  /** `<folder>.<verb>`, as the file's path says: engine/<folder>/ops/<verb>.ts. */
  id: string
  /** One sentence. */
  summary: string
  effect: Effect
  /** The command with its positional parameters (`compare [run_id]`), or null: deliberately not on the command line. */
  cli: string | null
  /** Method and path (`GET /api/audit/runs/{run_id}`), or null. */
  rest: string | null
  /** Tool name, or null. */
  mcp: string | null
  input: Type<I>
  output: Type<O>
  /** One-letter forms of options: field → letter. */
  short?: Record<string, string>
  /** Command lines shown under Examples, each with what it does. */
  examples?: readonly (readonly [command: string, does: string])[]
  /** The HTTP answer is not JSON of the output: this field's text is sent with this media type. */
  raw?: { field: string; type: (output: O) => string }
  /** REST answers with server-sent events fed by `context.progress` and the output as `done`. */
  streams?: boolean
  /** The process stays (a server): the command line waits for `run` to settle and prints nothing of it. */
  resident?: boolean
  /** The input comes with its defaults filled in. */
  run(input: distill.Out<I>, context: Context): Promise<O> | O
  /** The human answer for the command line and for MCP text. `verbose` is -v. */
  text(output: O, view: View): string
  /** Exit code of an answer that is no error; 0 where absent. */
  exit?(output: O): number
}

/** What the human answer may depend on. */
export interface View {
  verbose: boolean
  quiet: boolean
  /** Colours a text where the stream takes colour, else returns it as it is. */
  paint: Paint
  /** Columns of the terminal, 80 where there is none. */
  width: number
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan'
export type Paint = (style: Style, text: string) => string

/** Declares an operation; the default export of engine/<folder>/ops/<verb>.ts. */
export function defineOperation<I, O>(operation: Operation<I, O>): Operation<I, O> {
  return operation
}

/** A row of the generated manifest: what the binders need without loading the operation. */
export interface ManifestRow {
  id: string
  summary: string
  effect: Effect
  cli: string | null
  rest: string | null
  mcp: string | null
  short: Record<string, string>
  examples: readonly (readonly [string, string])[]
  streams: boolean
  resident: boolean
  /** Media type is decided by the operation (`raw`), not JSON. */
  raw: boolean
  load: () => Promise<{ default: Operation<never, never> }>
}
