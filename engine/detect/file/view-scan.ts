import { Positions } from '../../base/text/positions.ts'
import { findInlineSuppressions, type InlineIgnore } from '../rules/inline.ts'
import type { RawMatch, SearchedView } from '../rules/match.ts'
import type { View } from '../rules/view.ts'
import { makeTouched } from '../syntax/touched-lines.ts'
import type { TextScan } from './text-scan.ts'

/** A view of a file under its rules: what is found in it, said of the file. */
export class ViewScan {
  readonly scan: TextScan
  readonly #view: View

  constructor(view: View, scan: TextScan) {
    this.#view = view
    this.scan = scan
  }

  /** What was found in the view, in the file; for when all its steps are done. */
  locate(): RawMatch[] {
    const searched: SearchedView = { view: this.#view }
    const { trees } = this.scan.parsed ?? {}
    if (trees) searched.root = trees.whole
    return this.scan.found.map(match => this.#moveIntoFile(match, searched))
  }

  /** Suppressions that are written in the view, by the lines of the file; one reaches into no other cell. */
  ignores(text: string): InlineIgnore[] {
    const view = this.#view
    const { language } = view
    const root = this.scan.parsed?.trees?.whole
    const own = findInlineSuppressions(language, view.text, makeTouched(language, view.text, root))
    if (own.length === 0) return []
    const lines = new Positions(view.text)
    const positions = new Positions(text)
    return own.map(ignore => {
      const start = lines.offset(ignore.line, 1)
      const lineOf = (line: number) => positions.at(view.start(lines.offset(line, 1))).line
      let last = ignore.last_line
      while (last > ignore.line && this.#sectionAt(lines.offset(last, 1)) !== this.#sectionAt(start)) last--
      const section = this.#sectionAt(start)
      const also = ignore.also?.filter(lines_ =>
        lines_.every(line => this.#sectionAt(lines.offset(line, 1)) === section),
      )
      return {
        ...ignore,
        line: lineOf(ignore.line),
        last_line: lineOf(last),
        ...(also && { also: also.map(([from, to]) => [lineOf(from), lineOf(to)] as const) }),
      }
    })
  }

  #sectionAt(offset: number): string | undefined {
    return this.#view.label?.(offset).split(',')[0]
  }

  #moveIntoFile({ edits: _, flow, ...match }: RawMatch, searched: SearchedView): RawMatch {
    const view = this.#view
    const moved: RawMatch = {
      ...match,
      start: view.start(match.start),
      end: view.end(match.end),
      seen: { start: match.start, end: match.end, in: searched },
    }
    if (moved.end < moved.start) moved.end = moved.start
    if (flow)
      moved.flow = flow.map(({ start, end, label }) => ({ start: view.start(start), end: view.end(end), label }))
    const label = view.label?.(match.start)
    if (label !== undefined) moved.note = match.note === undefined ? label : `${label}; ${match.note}`
    return moved
  }
}
