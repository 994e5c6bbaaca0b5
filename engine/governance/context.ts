import type { Context } from '../base/context.ts'
import type { OpenOptions } from '../sources/state/open.ts'
import type { State } from '../sources/state/state.ts'

/** What the guard is asked for once it has turned out. */
export interface PermitRequest {
  action: string
  paths: readonly string[]
  /** What would be written: an approval is bound to it. */
  content?: unknown
  /** The same as a unified diff, for the person who is asked. */
  diff?: string
  /** Others see what is done, at a service of theirs: every agent, of whatever trust, needs a person. */
  outward?: boolean
}

/** The context of one invocation as the guard hands it to the operation: what the surface gave, and what was decided. */
export interface GovernedContext extends Context {
  /** The agent that acts, as far as it is known, for the run's record. */
  agent?: string
  /**
   * Asks the guard for what the input did not tell: the action that turned out to be needed, the paths about to be written.
   * FORBIDDEN where it is refused, APPROVAL_NEEDED where a person must agree first. Absent where nothing is governed.
   */
  permit?: (request: PermitRequest) => Promise<void>
  /** The operation only reads, so it makes no records of governance where nothing is governed. */
  reads?: boolean
  /** Why governance fails the gate although its records could not be opened: sentences, each with the way out. */
  held?: string[]
  /** The records of governance that this invocation has opened; the guard closes them. */
  governance?: { close: () => Promise<void> }
  /** Opens the records where a process that stays holds them open; each use is closed like any other. */
  openRecords?: (root: string, options: OpenOptions) => Promise<State>
}
