import type { distill, Type } from 'arktype'
import type { EngineError } from '../base/errors.ts'
import type { View } from '../base/text/view.ts'
import type { GovernedContext } from '../governance/context.ts'
import type { GuardedAction } from '../governance/trust.ts'

/** What an operation does to the world; decides permission, audit entry and MCP hints. */
export type Effect = 'read' | 'write' | 'destroy'

/**
 * One capability. Input and output are ArkType types: they give the TypeScript types here, and `npm run generate` turns
 * them into the JSON Schemas of the manifest, which is all that the three binders read. Every description completes
 * "must be …", so one phrase serves help, OpenAPI, the MCP tool list and the error message.
 */
export interface Operation<I, O> {
  /** `<domain>.<verb>`, as the file's path says: engine/ops/<domain>/<verb>.ts. */
  id: string
  /** One sentence. */
  summary: string
  effect: Effect
  /**
   * The action that whoever does this must be permitted (docs/governance.md), by name or by what was asked; null where
   * nobody needs permission. Left out: read_findings for what reads, edit_config, which takes admin, for all else.
   */
  action?: GuardedAction | null | ((input: distill.Out<I>) => GuardedAction)
  /** Whether what is asked weakens what changes are judged by (packs, severities, exclusions, baseline, suppressions, guard): then every agent, of whatever trust, needs a person. */
  weakens?: true | ((input: distill.Out<I>) => boolean)
  /** It may be done without a task session even where one is required: it is how one gets a session or a permission. */
  unbound?: boolean
  /** Repository paths that it will write, as far as the input tells; relative to the folder it is done in. Fields of engine/door/written.ts count anyway. */
  paths?(input: distill.Out<I>): readonly string[]
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
  /** REST answers without the server's key: the operation checks a token of its own. */
  open?: true
  /** REST hands over headers and body as they came (`context.caller.delivery`); the input comes from the path alone. */
  delivery?: true
  /** REST takes a body of YAML, too: as the text of this field. */
  yaml_field?: string
  /** The HTTP answer is not JSON of the output: this field's text is sent with this media type. */
  raw?: { field: string; type: (output: O) => string }
  /** REST sends the browser to the output's `location`, with its `cookie`; a client that accepts JSON alone gets the output. */
  redirects?: true
  /**
   * REST answers with server-sent events fed by `context.emit` and the output as `done`: always, or where the request's
   * Accept header asks for text/event-stream.
   */
  streams?: boolean | 'asked'
  /** The process stays (a server): the command line waits for `run` to settle and prints nothing of it. */
  resident?: boolean
  /**
   * What the answer depends on beyond the input, where that is cheap to tell: the same value means the same answer. REST makes an
   * ETag of it. Undefined where the answer may change at any time.
   */
  revision?(input: distill.Out<I>, context: GovernedContext): Promise<string | undefined> | string | undefined
  /**
   * What is wrong with an input beyond its schema, as the error that `run` would throw: called before a reviewer is asked for approval, so
   * that no request is made of an input that cannot succeed. Changes nothing; not called where nothing is governed. Every operation that can wait
   * for a reviewer has one, or stands in test/door/check-table.process.test.ts with the reason why it needs none.
   */
  check?(input: distill.Out<I>, context: GovernedContext): Promise<void> | void
  /** The input comes with its defaults filled in. */
  run(input: distill.Out<I>, context: GovernedContext): Promise<O> | O
  /** The human answer for the command line and for MCP text. `verbose` is -v. */
  text(output: O, view: View): string
  /** Exit code of an answer that is no error; 0 where absent. */
  exit?(output: O): number
  /**
   * What went wrong beside an answer that is right, such as a run that could not be stored. The command line reports it after the answer, also with
   * --quiet; its exit code counts where that of the answer is 0, so that a result such as a failed gate stays one.
   */
  problem?(output: O): EngineError | undefined
}

/** Declares an operation; the default export of engine/ops/<domain>/<verb>.ts. */
export function defineOperation<I, O>(operation: Operation<I, O>): Operation<I, O> {
  return operation
}

/** A row of the generated manifest: what the binders need without loading the operation. */
export interface ManifestRow {
  id: string
  summary: string
  effect: Effect
  /** `by-input` where the operation tells it from its input; left out in rows that are not generated: the effect's default. */
  action?: GuardedAction | 'by-input' | null
  unbound?: boolean
  cli: string | null
  rest: string | null
  mcp: string | null
  short: Record<string, string>
  examples: readonly (readonly [string, string])[]
  streams: boolean | 'asked'
  resident: boolean
  /** Answered without the server's key; left out where it is not. */
  open?: boolean
  /** Headers and body are handed over as they came; left out where they are not. */
  delivery?: boolean
  /** The field that a body of YAML is the text of; left out where none is taken. */
  yaml_field?: string
  /** Media type is decided by the operation (`raw`), not JSON. */
  raw: boolean
  load: () => Promise<{ default: Operation<never, never> }>
}

/** The action where an operation names none: reading is free of danger, and all else takes the highest trust. */
export function getDefaultAction(effect: Effect): GuardedAction {
  return effect === 'read' ? 'read_findings' : 'edit_config'
}
