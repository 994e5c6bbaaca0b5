import { readSource } from '../../base/disk/read.ts'
import type { FlowStep } from '../../base/records/finding.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import { classify } from '../../base/text/classify.ts'
import { decode } from '../../base/text/decode.ts'
import type { Positions } from '../../base/text/positions.ts'
import { OneLine } from '../../detect/lexer/layout.ts'
import type { Trees } from '../../detect/rules/detector.ts'
import type { Limits } from '../../detect/rules/file-outcome.ts'
import { parseTrees } from '../../detect/syntax/between.ts'
import type { Handover } from '../../detect/taint/handovers.ts'
import type { Outcome, Returned } from '../../detect/taint/outside.ts'
import { computeGitName } from '../../sources/repository/git.ts'
import type { Passed } from './memory.ts'

/** A file as it is analyzed. */
export interface Opened {
  language: string
  text: string
  trees: Trees
  /** The bytes are those that git knows by `SourceFile.oid`, so what they come to may be kept under that name. */
  verified: boolean
}

/** Why a file was not analyzed: nothing in it asks for that; it is not read, which the search of its rules says; or it cannot be parsed. */
type NotOpened = { not: 'wanted'; verified: boolean } | { not: 'read' } | { not: 'parsed'; reason: string }

/**
 * A file's text; undefined where it is too large to parse, minified or not text. The search of its rules lists it. `contents` are those of files
 * that are git's objects.
 */
export function readText(
  root: string,
  file: SourceFile,
  limits: Limits,
  contents?: ReadonlyMap<string, Uint8Array>,
): { text: string; verified: boolean } | undefined {
  const bytes = file.blob === undefined ? readSource(root, file, limits.max_parse_bytes) : contents?.get(file.path)
  if (!(bytes instanceof Uint8Array) || classify(bytes, file.language!)) return undefined
  const decoded = decode(bytes, file.encoding)
  if (!('text' in decoded)) return undefined
  return { text: decoded.text, verified: file.oid !== undefined && file.oid === computeGitName(bytes, file.oid) }
}

/** A file's trees, where something in its text is wanted. */
export function openFile(
  root: string,
  file: SourceFile,
  limits: Limits,
  isWanted: (language: string, text: string) => boolean,
  contents?: ReadonlyMap<string, Uint8Array>,
): Opened | NotOpened {
  const language = file.language!
  const read = readText(root, file, limits, contents)
  if (!read) return { not: 'read' }
  const { text, verified } = read
  if (!isWanted(language, text)) return { not: 'wanted', verified }
  const trees = parseTrees(language, text, new OneLine(language))
  return 'reason' in trees
    ? { not: 'parsed', reason: trees.detail ?? trees.reason }
    : { language, text, trees, verified }
}

/** Turns offsets of one file into places as people count them, behind the ways that input came by in other files. */
export class Places {
  readonly #path: string
  readonly #positions: Positions
  readonly #begun: ReadonlyMap<string, readonly FlowStep[]> | undefined

  /** `begun`: the ways up to calls that gave input, by the calls' places. */
  constructor(path: string, positions: Positions, begun?: ReadonlyMap<string, readonly FlowStep[]>) {
    this.#path = path
    this.#positions = positions
    this.#begun = begun
  }

  /** The way that input came by before it reached the first place of a flow. */
  before([first]: readonly { start: number; end: number }[]): FlowStep[] {
    return [...((first && this.#begun?.get(`${first.start}:${first.end}`)) ?? [])]
  }

  at(offset: number): { line: number; column: number } {
    const { line, column } = this.#positions.at(offset)
    return { line, column }
  }

  toPassed({ callee, position, name, isMade, input, flow, start, end }: Handover): Passed {
    const called = callee.slice(callee.lastIndexOf('/') + 1)
    const steps = this.#toSteps([
      ...flow,
      { start, end, label: isMade ? `in the object of ${called}` : `passed to ${called}` },
    ])
    const at = { position, ...(name !== undefined && { name }), ...(isMade && { isMade }) }
    return { callee, ...at, input, steps: [...this.before(flow), ...steps] }
  }

  /** What a function returns; the ways of what it read itself, or took out of a request, with their places. */
  toOutcome({ ways, begins }: Returned, withSteps: boolean): Outcome {
    return {
      ways: ways.map(({ flow, ...way }) => ({
        ...way,
        steps: withSteps ? [...this.before(flow), ...this.#toSteps(flow)] : [],
      })),
      ...(begins !== undefined && { begins }),
    }
  }

  #toSteps(flow: readonly { start: number; end: number; label: string }[]): FlowStep[] {
    return flow.map(({ start, end, label }) => {
      const [from, to] = [this.#positions.at(start), this.#positions.at(end)]
      return {
        file: this.#path,
        line: from.line,
        column: from.column,
        end_line: to.line,
        end_column: to.column,
        label,
      }
    })
  }
}
