/** What a control came to (decisions "Rules and packs"). Not evaluated: nothing checked it, or not everything that should have. */
export const CONTROL_STATES = ['violated', 'met', 'manual', 'not_applicable', 'not_evaluated'] as const

export type ControlState = (typeof CONTROL_STATES)[number]

/** What a documentation obligation came to. */
export interface ObligationResult {
  id: string
  title: string
  /** What a person must show. */
  evidence: string
  /** Files of the repository that can be that evidence; what stands in them is for a person to judge. */
  files: string[]
}

/** What one control came to in a run, and by what. */
export interface ControlResult {
  id: string
  title: string
  state: ControlState
  /** One sentence for a person. */
  because: string
  /** Rules that bear on the control and looked at every file of theirs. */
  checked: number
  /** Rules that bear on it and could not be evaluated on some file or on all. */
  not_evaluated: string[]
  /** Rules that bear on it and had no file in their languages. */
  without_files: number
  /** Findings that violate it: open ones, and those that the baseline holds back from the gate. */
  findings: number
  /** Findings that were accepted with a reason. */
  accepted: number
  obligations: ObligationResult[]
}

/** How many controls are in each state. */
export type StateCounts = Record<ControlState, number>

/** What a framework came to in a run. */
export interface FrameworkResult {
  id: string
  /** With the edition. */
  name: string
  pack_id: string
  pack_version: string
  /** Controls of the whole framework, where the pack says how many; `controls` holds those that the pack carries. */
  controls_total?: number
  counts: StateCounts
  /** met / (met + violated) in percent, to one decimal; absent where neither is there. */
  coverage?: number
  controls: ControlResult[]
}
