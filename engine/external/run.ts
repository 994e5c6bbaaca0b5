import type { Finding } from '../finding.ts'
import type { NotEvaluated, Notice } from '../scan/run.ts'

/** What the scanners that are configured beside svc came to. */
export interface Imported {
  findings: Finding[]
  notices: Notice[]
  /** A scanner that gave no result, as `<name>:*`: unknown, never clean. */
  not_evaluated: NotEvaluated[]
}
