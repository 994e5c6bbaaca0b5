import type { ElementKind, Level, Stride, ThreatSeverity } from './model.ts'

/** A row of the tables: a threat that holds for every element or flow with these facts. */
export interface StrideRow {
  /** Unique; part of the threat's identity. */
  id: string
  stride: Stride
  /** Kinds of element, or `flow`. */
  on: readonly (ElementKind | 'flow')[]
  /** Facts that it must have, all of them. `crosses` is a flow over a trust boundary; `zone:x` the zone of an element, `to:x` of a flow's end. */
  when: readonly string[]
  /** Facts that it must not have. */
  unless?: readonly string[]
  /** `{name}` is the component. */
  title: string
  description: string
  attack_vector: string
  impact: string
  likelihood: Level
  severity: ThreatSeverity
  mitigation: string
  /** Weaknesses that make it real: rules and findings with one of them bear on it. */
  cwe: readonly string[]
  /** Facts that are controls against it. They lower the likelihood, and close nothing. */
  controls?: readonly string[]
}
