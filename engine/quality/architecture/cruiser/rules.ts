import type { Severity } from '../../../base/records/finding.ts'
import type { ImportKind } from '../graph.ts'

/** Tells of a path whether it matches `path` and none of `pathNot`, both regular expressions that may match anywhere in it. */
export type PathTest = (path: string) => boolean

/** What a rule asks of the end of an import. */
export interface TargetTest {
  matches: PathTest
  /** What the target is, where the rule asks for that. */
  classes?: readonly ('local' | 'core')[]
  /** How it is imported, where the rule asks for that. */
  kinds?: readonly ImportKind[]
}

interface Named {
  name: string
  /** Its `comment`. */
  reason: string
  severity: Severity
  from: PathTest
}

/** A rule of dependency-cruiser that has a counterpart here. */
export type CruiserRule =
  | (Named & { form: 'import'; to: TargetTest })
  | (Named & { form: 'cycle' | 'unresolved'; to: TargetTest })
  | (Named & { form: 'orphan' })

/** The rules of a dependency-cruiser configuration. */
export interface CruiserRules {
  forbidden: CruiserRule[]
  /** Imports that match none of these violate `not-in-allowed`; absent where the file has no `allowed`. */
  allowed?: { severity: Severity; rules: { from: PathTest; to: TargetTest }[] }
  /** Whether imports that are erased when the program is built count (`tsPreCompilationDeps`). */
  countsTypes: boolean
  includes: PathTest
}

/** A part of the file that has no counterpart, and why. */
export interface Untranslated {
  /** The rule, or the key of an option. */
  rule: string
  reason: string
}
