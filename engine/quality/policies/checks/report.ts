import type { Policy, PolicyGap, PolicyResult, Violation } from '../policy.ts'

/** Violations of one policy that are listed. */
export const MOST_VIOLATIONS = 1000
/** Gaps of one policy that are listed. */
export const MOST_GAPS = 1000

/** Collects what one policy comes to. */
export class Report {
  readonly violations: Violation[] = []
  readonly gaps: PolicyGap[] = []
  readonly #policy: Policy
  #isFull = false

  constructor(policy: Policy) {
    this.#policy = policy
  }

  /** `subject` is what exactly it is about, without numbers that change with other lines. */
  violate(file: string, line: number, message: string, subject = ''): void {
    if (this.violations.length < MOST_VIOLATIONS) {
      const { name: policy, severity } = this.#policy
      this.violations.push({ policy, severity, file, line, message, subject })
    } else if (!this.#isFull) {
      this.#isFull = true
      this.skip('too_costly', `more than ${MOST_VIOLATIONS} violations: the others are not listed`)
    }
  }

  /** Something that could not be evaluated. */
  skip(reason: PolicyGap['reason'], detail: string, file?: string): void {
    if (this.gaps.length < MOST_GAPS)
      this.gaps.push({ policy: this.#policy.name, ...(file !== undefined && { file }), reason, detail })
    else if (this.gaps.length === MOST_GAPS)
      this.gaps.push({
        policy: this.#policy.name,
        reason: 'too_costly',
        detail: `more than ${MOST_GAPS} gaps: the others are not listed`,
      })
  }

  get result(): PolicyResult {
    return { violations: this.violations, gaps: this.gaps }
  }
}
