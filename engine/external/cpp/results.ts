import type { Severity } from '../../base/records/finding.ts'
import type { NotEvaluated } from '../../base/records/run.ts'

/** The analyzers, in the order in which they are asked. */
export const CPP_TOOLS = ['clang-tidy', 'cppcheck'] as const
export type CppTool = (typeof CPP_TOOLS)[number]

/** What `svc analyze-cpp` leaves in the output directory, where scans read it. */
export const CPP_RECORD = 'cpp_findings.json'

/** What an analyzer reports, before it is placed in the repository. */
export interface CppResult {
  tool: CppTool
  /** The tool's own name of the check. */
  check: string
  message: string
  severity: Severity
  /** `CWE-476`; absent where the check is of none. */
  cwe?: string
  /** Path from the root. */
  file: string
  /** From 1. */
  line: number
  column: number
}

/** What became of one file in one analyzer. */
export interface CppOutcome {
  results: CppResult[]
  /** Why the answer is not the whole: the tool crashed or did not understand the file. */
  failure?: Pick<NotEvaluated, 'reason' | 'detail'>
  /** Results that the source itself suppresses, by NOLINT. */
  nolint: number
}

/** A program that is installed. */
export interface InstalledTool {
  name: CppTool
  /** Absolute, outside of the repository. */
  program: string
  version: string
}
