import type { SgNode } from '@ast-grep/napi'
import type { Binding } from './bindings.ts'
import type { Declared } from './file-types.ts'
import type { SimpleTypes } from './simple-types.ts'
import type { Verdict } from './types.ts'

/** The evaluation of one file's expressions, as its parts (calls, members, formats) see it. */
export interface Evaluation {
  readonly language: SimpleTypes
  readonly declared: Declared
  /** How many nodes may still be visited. */
  readonly limit: { left: number }
  /** What an expression can be. */
  judge(node: SgNode, depth: number): Verdict
  /** What a declared type says of its values. */
  judgeType(written: string): Verdict
  /** What a name holds, by all that gives it a value. */
  judgeBindings(bindings: readonly Binding[], depth: number): Verdict
}
