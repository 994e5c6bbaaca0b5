import { compareFindings, type Finding, type FixEdit, rankSeverity } from '../base/records/finding.ts'
import { computeFingerprint, foldSpace } from '../base/records/fingerprint.ts'
import { findKey } from '../base/records/rule-ids.ts'
import { Positions } from '../base/text/positions.ts'
import type { Splice } from './encoded-text.ts'

/** A finding that carries a fix. */
export type Fixable = Finding & { fix: { edits: FixEdit[] } }

/** Why a fix was not applied. */
export type Refusal = 'changed' | 'overlaps' | 'encoding'

/** A fix that was not applied; the sentence says why, and names what stands in its way. */
export interface Refused {
  finding: Fixable
  reason: Refusal
  detail: string
}

export interface FixPlan {
  /** Sorted, none overlaps another. */
  splices: Splice[]
  /** In the order of compareFindings. */
  applied: Fixable[]
  /** In the order of compareFindings. */
  refused: Refused[]
}

/** As many equal matches in one file are told apart when a fingerprint is looked for. */
const MOST_EQUAL = 10_000

/** The findings that can be mended by their own fix. */
export function selectFixable(findings: Iterable<Finding>): Fixable[] {
  const found: Fixable[] = []
  for (const finding of findings) if (finding.fix && finding.fix.edits.length > 0) found.push(finding as Fixable)
  return found
}

/**
 * What to replace in a text, given the fixes of findings in it. A fix is taken whole or not at all, and only where the
 * text at the finding's place is still what was scanned. Of fixes that overlap, the one of the graver finding is taken,
 * then the one that comes first; the other is refused, unless it asks for the very same. The order in which the findings
 * are given makes no difference. Line feeds in a fix become the line ends of the line that it stands on.
 */
export function planFixes(text: string, findings: readonly Fixable[]): FixPlan {
  const places = new Places(text)
  const taken: { splice: Splice; by: Fixable }[] = []
  const applied: Fixable[] = []
  const refused: Refused[] = []
  const inOrder = [...findings].sort(
    (a, b) => rankSeverity(a.severity) - rankSeverity(b.severity) || compareFindings(a, b),
  )
  for (const finding of inOrder) {
    const splices = places.isAsScanned(finding) ? places.splicesOf(finding.fix.edits) : undefined
    if (!splices) {
      refused.push({ finding, reason: 'changed', detail: 'The code is no longer what was scanned.' })
      continue
    }
    const fresh = splices.filter(splice => !taken.some(other => same(other.splice, splice)))
    const other = taken.find(one => fresh.some(splice => overlap(one.splice, splice)))
    if (other || selfOverlapping(splices)) {
      const { rule_id, line } = other?.by ?? finding
      refused.push({ finding, reason: 'overlaps', detail: `It overlaps the fix of ${rule_id} on line ${line}.` })
      continue
    }
    for (const splice of fresh) taken.push({ splice, by: finding })
    applied.push(finding)
  }
  return {
    splices: taken.map(({ splice }) => splice).sort((a, b) => a.start - b.start || a.end - b.end),
    applied: applied.sort(compareFindings),
    refused: refused.sort((a, b) => compareFindings(a.finding, b.finding)),
  }
}

/** Finds places in a text and judges whether they are what a finding was found in. */
class Places {
  readonly #text: string
  readonly #positions: Positions
  readonly #equals = new Map<string, Set<string>>()

  constructor(text: string) {
    this.#text = text
    this.#positions = new Positions(text)
  }

  /**
   * The snippet shows whole lines exactly but only so much of them; the fingerprint knows the whole match but not its
   * white space. Together they leave no room. Secrets are masked in snippets, so there the fingerprint decides alone.
   */
  isAsScanned(finding: Fixable): boolean {
    const { line, column, end_line, end_column, category, snippet } = finding
    const start = this.#offset(line, column)
    const end = this.#offset(end_line, end_column)
    if (start === undefined || end === undefined || start > end) return false
    if (category !== 'secret' && this.#positions.snippet(line, end_line) !== snippet) return false
    return this.#isOneOf(finding, foldSpace(this.#text.slice(start, end)))
  }

  /** A fingerprint counts equal matches: they are made one after the other until it is found, and kept for its equals. */
  #isOneOf(finding: Fixable, folded: string): boolean {
    const { file, fingerprint: wanted } = finding
    const rule = findKey(finding)
    const key = `${rule}\0${file}\0${folded}`
    const made = this.#equals.get(key) ?? new Set<string>()
    this.#equals.set(key, made)
    while (!made.has(wanted) && made.size < MOST_EQUAL) made.add(computeFingerprint(rule, file, folded, made.size))
    return made.has(wanted)
  }

  /** The edits as replacements; undefined where one lies outside the text. */
  splicesOf(edits: readonly FixEdit[]): Splice[] | undefined {
    const splices: Splice[] = []
    for (const edit of edits) {
      const start = this.#offset(edit.start_line, edit.start_column)
      const end = this.#offset(edit.end_line, edit.end_column)
      if (start === undefined || end === undefined || start > end) return undefined
      splices.push({ start, end, text: setLineEnds(edit.text, detectLineEnd(this.#text, start)) })
    }
    return splices
  }

  /** Offset of a place that exists: on a line of the text, not past its end. */
  #offset(line: number, column: number): number | undefined {
    const offset = this.#positions.offset(line, column)
    const found = this.#positions.at(offset)
    return found.line === line && found.column === column ? offset : undefined
  }
}

/** The line end of the line at an offset, or of the one before where it is the last; a line feed where there is none. */
export function detectLineEnd(text: string, offset: number): '\n' | '\r\n' {
  const next = text.indexOf('\n', offset)
  const end = next === -1 ? text.lastIndexOf('\n') : next
  return end > 0 && text[end - 1] === '\r' ? '\r\n' : '\n'
}

/** A text whose line feeds are made to the line end of where it goes; what already has a carriage return stays. */
export function setLineEnds(text: string, lineEnd: '\n' | '\r\n'): string {
  return lineEnd === '\n' ? text : text.replace(/\r?\n/g, '\r\n')
}

/** Whether both ask to change the same characters; an insertion only meets another at its place, or a change around it. */
function overlap(a: Splice, b: Splice): boolean {
  if (a.start === a.end && b.start === b.end) return a.start === b.start
  return a.start < b.end && b.start < a.end
}

function same(a: Splice, b: Splice): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text
}

function selfOverlapping(splices: readonly Splice[]): boolean {
  return splices.some((splice, i) => splices.some((other, j) => j < i && overlap(splice, other)))
}
