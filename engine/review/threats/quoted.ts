import { createHash } from 'node:crypto'
import { findBlockEnd } from '../code/blocks.ts'
import { digestCode } from '../design/decision.ts'
import { foldLine } from '../design/find.ts'
import { maskSecrets } from '../llm/mask.ts'
import { digestElement } from './derive.ts'
import type { DataFlowModel, FoundThreat, Threat } from './model.ts'

/** What a model's threat speaks of: the element, and the code around the line that it quotes. A mitigation holds while both are the same. */
export function digestQuoted(
  subject: Parameters<typeof digestElement>[0],
  lines: readonly string[],
  line: number,
): string {
  return createHash('sha256')
    .update(`${digestElement(subject)} ${digestCode(takeBlock(lines, line))}`)
    .digest('hex')
    .slice(0, 32)
}

/** Reads a file of the repository; undefined where it is gone. */
export type ReadFile = (path: string) => string | undefined

/** The lines of a file with its secrets masked: what is kept of a quoted line is no secret. None where they cannot be masked for certain. */
export function readMasked(path: string, readFile: ReadFile): string[] {
  const text = readFile(path)
  return (text === undefined ? undefined : maskSecrets(path, text))?.text.split('\n') ?? []
}

/**
 * A stored threat of a model as the code is now: where its quoted code has changed around its line, it is pending again. Undefined where
 * element or code are gone. A threat without a quotation, of an older version, goes by its element alone.
 */
export function refreshQuoted(threat: Threat, model: DataFlowModel, readFile: ReadFile): Threat | undefined {
  const subject = [...model.elements, ...model.flows].find(({ id }) => id === threat.element)
  if (subject === undefined) return undefined
  const [place] = threat.places
  if (threat.evidence === undefined || place === undefined) return withDigest(threat, digestElement(subject))
  const lines = readMasked(place.file, readFile)
  const found = lines.flatMap((text, index) => (foldLine(text) === threat.evidence ? [index + 1] : []))
  const same = found.find(line => digestQuoted(subject, lines, line) === threat.digest)
  const line = same ?? found[0]
  if (line === undefined) return undefined
  const moved = { ...threat, places: [{ ...place, line }] }
  return withDigest(moved, digestQuoted(subject, lines, line))
}

function withDigest(threat: Threat, digest: string): Threat {
  if (digest === threat.digest || threat.status !== 'mitigated') return { ...threat, digest }
  const { mitigated_at: _at, mitigated_by: _by, seal: _seal, ...rest } = threat
  return { ...rest, status: 'pending', digest, changed_since_mitigation: true }
}

/** Lines above the quoted one in which its statement may begin. */
const MOST_ABOVE = 400

/** The whole statement around a line, from the side of the file: a function, or the call that a handler is passed to. */
function takeBlock(lines: readonly string[], line: number): string {
  let from = line
  let indent = countIndent(lines[line - 1] ?? '')
  for (let at = line - 1; at >= Math.max(1, line - MOST_ABOVE) && indent > 0; at--) {
    const text = lines[at - 1]!
    const own = countIndent(text)
    if (text.trim() === '' || own >= indent || findBlockEnd(lines, at) < line) continue
    from = at
    indent = own
  }
  return lines.slice(from - 1, Math.max(line, findBlockEnd(lines, from))).join('\n')
}

function countIndent(text: string): number {
  return text.length - text.trimStart().length
}

/** Whether a model's answer is a stored one in other words: the same category, element and code, and some of the same words. */
export function isReworded(
  stored: Threat,
  found: FoundThreat,
  likeness: (one: string, other: string) => number,
): boolean {
  return (
    stored.source === 'llm' &&
    found.source === 'llm' &&
    stored.stride === found.stride &&
    stored.element === found.element &&
    stored.evidence !== undefined &&
    stored.evidence === found.evidence &&
    stored.digest === found.digest &&
    stored.places[0]?.file === found.places[0]?.file &&
    likeness(stored.title, found.title) >= ALIKE
  )
}

/** Two titles about the same code are one threat from this likeness on. */
const ALIKE = 0.2
