import { findBlockEnd } from '../code/blocks.ts'
import { type CodeFile, makeCodeFile } from '../code/code-file.ts'
import { findSymbolIn } from '../code/symbols.ts'
import { compareKeywords, type DesignDecision, digestCode, type FoundDecision, makeId } from './decision.ts'
import { foldLine } from './find.ts'

/** Two summaries of a model about the same code are one decision from this likeness on. */
const ALIKE = 0.2

/** What became of the stored decisions. */
export interface Merged {
  decisions: DesignDecision[]
  /** Stored decisions whose code is gone. */
  obsolete: number
}

/**
 * The found decisions with what is stored of them, and the stored ones whose code still exists. An acknowledgment stays while the code is
 * unchanged, whatever its lines and the summary's words are now; otherwise the decision is pending again.
 */
export function mergeDecisions(
  stored: readonly DesignDecision[],
  found: readonly FoundDecision[],
  readFile: (path: string) => string | undefined,
  now: string,
): Merged {
  const left = new Set(stored)
  const ids = new Set<string>()
  const decisions: DesignDecision[] = []
  for (const each of found) {
    const known = findStored(each, left)
    if (known) left.delete(known)
    const id = known?.id ?? makeUniqueId(each, ids)
    if (ids.has(id)) continue
    ids.add(id)
    decisions.push(carry(each, id, known, now))
  }
  let obsolete = 0
  const files = new Map<string, CodeFile | undefined>()
  for (const each of left) {
    if (ids.has(each.id)) continue
    if (!files.has(each.file)) {
      const text = readFile(each.file)
      files.set(each.file, text === undefined ? undefined : makeCodeFile(each.file, text))
    }
    const refreshed = refresh(each, files.get(each.file))
    if (refreshed === undefined) obsolete++
    else {
      ids.add(each.id)
      decisions.push(refreshed)
    }
  }
  return { decisions: decisions.sort(byPlace), obsolete }
}

/** The stored record of a found decision: the same id, or for a model's the same code in other words. */
function findStored(found: FoundDecision, stored: ReadonlySet<DesignDecision>): DesignDecision | undefined {
  const id = makeId('DD', found)
  let best: DesignDecision | undefined
  let likeness = 0
  for (const each of stored) {
    if (each.category !== found.category || each.file !== found.file || each.source !== found.source) continue
    // Equal words at equal places are told apart by the code they speak of.
    if (each.id === id && each.code_digest === found.code_digest) return each
    if (each.symbol !== found.symbol || each.kind !== found.kind) continue
    const alike = compareKeywords(each.summary, found.summary) + (each.evidence === found.evidence ? 0.5 : 0)
    const isSame =
      each.id === id ||
      (found.source === 'llm' &&
        each.code_digest === found.code_digest &&
        each.evidence === found.evidence &&
        alike >= ALIKE + 0.5)
    if (isSame && alike > likeness) {
      best = each
      likeness = alike
    }
  }
  return best
}

/** The id, and for the second of equal words at one place that of its number. */
function makeUniqueId(found: FoundDecision, ids: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const summary = number === 1 ? found.summary : `${found.summary} occurrence${number}`
    const id = makeId('DD', { ...found, summary })
    if (!ids.has(id)) return id
  }
}

function carry(found: FoundDecision, id: string, known: DesignDecision | undefined, now: string): DesignDecision {
  const base = { id, ...found, first_seen: known?.first_seen ?? now }
  if (known?.status !== 'acknowledged') return { ...base, status: 'pending', ...keepMark(known) }
  if (known.code_digest !== found.code_digest)
    return { ...base, status: 'pending', changed_since_acknowledgment: true, ...takeNote(known) }
  return {
    ...{ ...base, status: 'acknowledged' },
    ...(known.acknowledged_at !== undefined && { acknowledged_at: known.acknowledged_at }),
    ...(known.acknowledged_by !== undefined && { acknowledged_by: known.acknowledged_by }),
    ...(known.seal !== undefined && { seal: known.seal }),
    ...takeNote(known),
  }
}

function takeNote({ note }: DesignDecision): Pick<DesignDecision, 'note'> {
  return note === undefined ? {} : { note }
}

function keepMark(known: DesignDecision | undefined): Partial<DesignDecision> {
  if (!known?.changed_since_acknowledgment) return {}
  return { changed_since_acknowledgment: true, ...takeNote(known) }
}

/** A stored decision as the file is now; undefined where the code it speaks of is gone. */
function refresh(stored: DesignDecision, file: CodeFile | undefined): DesignDecision | undefined {
  if (file === undefined) return undefined
  const lines = file.code.split('\n')
  const places = lines.flatMap((line, index) => (foldLine(line) === stored.evidence ? [index + 1] : []))
  // A removal holds until what was removed is back.
  if (stored.code_digest === digestCode(`removed ${stored.evidence}`)) return places.length > 0 ? undefined : stored
  const same = places.find(line => digestAt(lines, stored, line) === stored.code_digest)
  const line = same ?? places.find(place => findSymbolIn(lines, place) === stored.symbol) ?? places[0]
  if (line === undefined) return undefined
  const end_line =
    stored.source === 'llm' ? Math.min(lines.length, line + stored.end_line - stored.line) : endAt(lines, stored, line)
  const moved = { ...stored, line, end_line }
  if (same !== undefined) return moved
  const { acknowledged_at: _at, acknowledged_by: _by, seal: _seal, ...rest } = moved
  const code_digest = digestAt(lines, stored, line)
  const mark = stored.status === 'acknowledged' ? { changed_since_acknowledgment: true as const } : {}
  return { ...rest, status: 'pending', code_digest, ...mark }
}

function endAt(lines: readonly string[], { kind }: DesignDecision, line: number): number {
  return kind === 'dependency' ? line : findBlockEnd(lines, line)
}

function digestAt(lines: readonly string[], decision: DesignDecision, line: number): string {
  if (decision.source === 'llm') return digestAround(lines, line)
  return digestCode(lines.slice(line - 1, endAt(lines, decision, line)).join('\n'))
}

/** The digest of the function around a line, or of the statement where there is none: what a model's answer speaks of. */
export function digestAround(lines: readonly string[], line: number): string {
  const symbol = findSymbolIn(lines, line)
  let from = line
  if (symbol !== '')
    for (let at = line; at >= Math.max(1, line - 400); at--)
      if (lines[at - 1]!.includes(symbol) && findBlockEnd(lines, at) >= line) {
        from = at
        break
      }
  return digestCode(lines.slice(from - 1, Math.max(line, findBlockEnd(lines, from))).join('\n'))
}

function byPlace(a: DesignDecision, b: DesignDecision): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || (a.id < b.id ? -1 : 1)
}
