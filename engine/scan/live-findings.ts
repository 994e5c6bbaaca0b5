import type { Event } from '../base/context.ts'
import type { Finding } from '../base/records/finding.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import { findTraits } from '../detect/rules/traits.ts'
import type { ScanContext } from './request.ts'

/**
 * Emits findings as they are found, except those that another file may still disprove or a rule that follows values may still replace: they are
 * emitted once the files are known together. So an event never has to be taken back, and the counts of progress only grow.
 */
export class LiveFindings {
  readonly #emit: ScanContext['emit']
  /** The weaknesses (CWE) of which a flow between files may replace findings. */
  readonly #followed: ReadonlySet<string>
  readonly #emitted = new Set<unknown>()

  constructor(rules: readonly CompiledRule[], emit: ScanContext['emit']) {
    this.#emit = emit
    this.#followed = new Set(rules.filter(followsValues).flatMap(({ cwe }) => cwe))
  }

  /** Takes an event of the search of files. */
  take(event: Event): void {
    if (event.type === 'progress')
      this.#emit({ ...event, progress: { ...event.progress, findings: this.#emitted.size } })
    else if (event.type !== 'finding') this.#emit(event)
    else if (!this.#isTentative(event.finding as Finding)) this.#emitFinding(event.finding as Finding)
  }

  /** Emits those of the findings that were not emitted yet. */
  emitRest(findings: readonly Finding[]): void {
    for (const finding of findings) if (!this.#emitted.has(finding)) this.#emitFinding(finding)
  }

  #emitFinding(finding: Finding): void {
    this.#emitted.add(finding)
    this.#emit({ type: 'finding', finding })
  }

  #isTentative({ flow, cwe }: Finding): boolean {
    return flow !== undefined || cwe.some(name => this.#followed.has(name))
  }
}

function followsValues(rule: CompiledRule): boolean {
  return findTraits(rule)?.evidence === 'flow' && (rule.type !== 'taint' || rule.sources.length > 0)
}
