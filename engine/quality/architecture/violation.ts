import type { Severity } from '../../base/records/finding.ts'
import { type Edge, type ImportGraph, nameTarget } from './graph.ts'
import type { Told } from './rules.ts'

/** A breach of a rule, at an import or at a file. */
export interface Violation {
  /** The name of the rule: findings have `architecture:<rule>`. */
  rule: string
  title: string
  /** What is wrong here, one sentence. */
  message: string
  /** Why the rule exists, in the words of architecture.yaml; '' where it says nothing. */
  reason: string
  severity: Severity
  file: string
  /** From 1; 1 where the violation is about the file as a whole. */
  line: number
  column: number
  /** The imported module as the file has it; null where the violation is about the file. */
  imported: string | null
  /** What that is: a path of the repository, or a package. */
  target: string | null
  /** How to fix it, an instruction. */
  remediation: string
  /** The files of a shortest cycle, the first not repeated. */
  cycle?: string[]
}

/** What a rule says of all its violations. */
export type Heading = Pick<Violation, 'rule' | 'title' | 'remediation'> & { told: Told; severity: Severity }

/** A violation at an import. */
export function makeImportViolation(graph: ImportGraph, edge: Edge, heading: Heading, message: string): Violation {
  return {
    ...makeHead(heading, message),
    file: graph.paths[edge.from]!,
    line: edge.line,
    column: edge.column,
    imported: edge.specifier,
    target: nameTarget(graph, edge),
  }
}

/** A violation of a file as a whole. */
export function makeFileViolation(graph: ImportGraph, file: number, heading: Heading, message: string): Violation {
  return { ...makeHead(heading, message), file: graph.paths[file]!, line: 1, column: 1, imported: null, target: null }
}

function makeHead({ rule, title, remediation, told, severity }: Heading, message: string) {
  return { rule, title, remediation, message, reason: told.reason ?? '', severity: told.severity ?? severity }
}

/** The order in which violations are shown: by file, line, column, rule and target. */
export function compareViolations(a: Violation, b: Violation): number {
  const by = (x: string | null, y: string | null) => ((x ?? '') < (y ?? '') ? -1 : (x ?? '') > (y ?? '') ? 1 : 0)
  return by(a.file, b.file) || a.line - b.line || a.column - b.column || by(a.rule, b.rule) || by(a.target, b.target)
}
