import type { JsonEdit } from './insert-json.ts'
import type { Target } from './targets.ts'

/** A longer text is none of svc's, however it is indented. */
const MOST = 8000

/**
 * Whether a text is what svc inserts for a target, in any layout. The record of insertions is a file of the repository: what it names is
 * taken out only where svc itself could have put it there.
 */
export function isOwnText(target: Target, piece: string, wholeFile: string | undefined): boolean {
  if (target.kind === 'whole') return piece === target.content
  if (target.kind === 'block') return joinLines(piece).replace(/^\n{1,2}/, '') === target.block
  if (piece === wholeFile) return true
  if (piece.length > MOST) return false
  const compact = withoutBlanks(piece).replace(/,$/, '')
  return target.edits.some(edit => listInsertions(edit).includes(compact))
}

/** Whether a marked section, or a file, has the very text of svc; line ends may be those of the file. */
export function isSameText(text: string, own: string): boolean {
  return joinLines(text).trimEnd() === own.trimEnd()
}

function joinLines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** The text without what JSON allows between tokens. */
function withoutBlanks(text: string): string {
  return text.replace(/("(?:[^"\\\n]|\\.)*")|[ \t\r\n]+/g, (_, string: string | undefined) => string ?? '')
}

/** What an edit inserts, without blanks: its value, within as many objects as the file may lack. */
function listInsertions({ keys, name, value }: JsonEdit): string[] {
  return Array.from({ length: keys.length + 1 }, (_, at) => {
    const rest = keys.slice(at)
    const path = name === undefined ? rest : [...rest, name]
    const inner: unknown = name === undefined && rest.length > 0 ? [value] : value
    const nested = path.slice(1).reduceRight<unknown>((within, key) => ({ [key]: within }), inner)
    return path[0] === undefined ? JSON.stringify(nested) : `${JSON.stringify(path[0])}:${JSON.stringify(nested)}`
  })
}
