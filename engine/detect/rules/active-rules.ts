import type { AstRule, PackedRule } from '../../base/records/rule.ts'
import type { Requirement } from './requirement.ts'

/** A rule with what compiling found out; plain data. */
export type CompiledRule = PackedRule & {
  requirement: Requirement
  /** Of a syntax rule, what its file says, where expressions in it were rewritten to compile fast. */
  written?: WrittenSyntax
  /** Of a rule with a regular expression, where in a text it can match. */
  vicinity?: Vicinity
  /**
   * It is off, and says nothing. It runs where rules that are on need it: one analysis serves all taint rules, and what it follows, and which
   * rules of syntax it makes needless, must not depend on which of them are on.
   */
  muted?: true
  /** Digest of everything that it finds by, where it was made beforehand. */
  digest?: string
  /** Where its requirement is among those of svc's own rules, which are put together beforehand. */
  number?: number
  /** Digests of what it finds and of what it says, where they were made beforehand. */
  digests?: { detection: string; wording: string }
}

/** Where an expression can match: near one of its literals. */
export interface Vicinity {
  /** Every match has one of these, as they are written. */
  literals: readonly string[]
  /** So many lines before and behind that one's the match, and what it looks at, reaches at most. */
  lines: number
  /** As many runs of blank lines may lie in it besides. */
  runs: number
}

/** The parts of a syntax rule that hold expressions. */
export type WrittenSyntax = Pick<AstRule, 'rule' | 'constraints' | 'utils'>

/** The rules of a scan as detectors ask them, each by its index. */
export interface ActiveRules {
  readonly rules: readonly CompiledRule[]
  /** They judge the same files again and again, so that what was found out of a text is worth keeping. */
  readonly isResident?: boolean
  /** A compiled expression with the flags that textual rules run under (spec "rule types"): global, multi-line, Unicode. */
  expression(source: string, ignoreCase: boolean): RegExp
  /** Offsets of the anchors of secrets in the bytes that the prefilter saw last. */
  readonly prefilter: { anchors(): Int32Array }
  /** Which of a detector's lists of signs (`Detector.signs`) the file has that the prefilter saw last. */
  findSigns(type: string): boolean[]
  /** Of the rules that `isAsked`, by their indexes, those that these bytes leave a chance. What the prefilter knew of another file is gone then. */
  admit(bytes: Uint8Array, file: { language: string; path: string }, isAsked: (rule: number) => boolean): number[]
}
