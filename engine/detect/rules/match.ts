import type { SgNode } from '@ast-grep/napi'
import type { FixEdit, FlowStep } from '../../base/records/finding.ts'
import type { View } from './view.ts'

/** A stretch of a text: offsets in its characters, the end exclusive. */
export interface Span {
  start: number
  end: number
}

/** A view as it was searched. */
export interface SearchedView {
  view: View
  /** Where it was parsed. */
  root?: SgNode
}

/** A match as a kind of rule reports it: offsets in the decoded text. */
export interface RawMatch {
  rule: number
  start: number
  end: number
  edits?: { start: number; end: number; text: string }[]
  /** The match is the file itself, not a place in it. */
  wholeFile?: boolean
  /** Said beside the rule's message: what exactly was found, where the kind of rule knows. */
  note?: string
  /** Of a secret: how sure its detector is. The span is the value's. */
  confidence?: number
  /** Of a secret: its value where that is not what stands at the place. It is hashed and goes no further. */
  value?: string
  /** Of a secret: the value stands encoded or in parts there. */
  hidden?: boolean
  /** Of a secret: a model judged the value by what stands around it, and no format of a provider did. */
  modeled?: boolean
  /** Of input that reaches a sink: the places that it comes by, from the source to the sink. */
  flow?: { start: number; end: number; label: string }[]
  /** It is counted and not reported: a rule that is off has found more at the same place. */
  isAside?: true
  /** It was found in a view of the file, from `start` to `end` there. */
  seen?: { start: number; end: number; in: SearchedView }
}

/** Another detector that reports the same location, and says less about it. */
export interface MatchAlias {
  rule_id: string
  confidence: number
  /** The identity that the match has under that rule. */
  fingerprint: string
}

/** A match ready to leave the worker: places as people count them, and its identity. */
export interface Match {
  rule: number
  line: number
  column: number
  end_line: number
  end_column: number
  confidence: number
  fingerprint: string
  snippet: string
  note?: string
  /** Of a secret: the less specific detectors that report it too, each once. */
  also?: MatchAlias[]
  /** Of an archive: the path in it. */
  inner?: string
  edits?: FixEdit[]
  /** Without the file, which is the match's own. */
  flow?: Omit<FlowStep, 'file'>[]
}
