import type { Defect } from '../../base/records/rule.ts'
import type { Span } from '../taint/ir.ts'

/** Something that a function does wrong, and the places that led to it, the last of them where it happens. */
export interface Report extends Span {
  defect: Defect
  flow: (Span & { label: string })[]
}

/** Collects what is found; the same place once. */
export abstract class Reports {
  readonly found = new Map<string, Report>()

  protected report(defect: Defect, { start, end }: Span, before: Report['flow']): void {
    const key = `${defect}:${start}:${end}`
    if (!this.found.has(key)) this.found.set(key, { defect, start, end, flow: before })
  }

  /** Something that was taken is lost: it is one defect, told at the first place where the function is left without giving it back. */
  protected reportLost(defect: Defect, { start, end }: Span, taken: Report['flow'][number]): void {
    const key = `${defect} of ${taken.start}`
    const known = this.found.get(key)
    if (!known || start < known.start) this.found.set(key, { defect, start, end, flow: [taken] })
  }
}
