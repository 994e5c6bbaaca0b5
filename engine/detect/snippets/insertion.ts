/** A place in code: line and column from 1, the column in UTF-16 units. */
export interface Place {
  line: number
  column: number
}

/** Code with lines put into it. */
export interface Insertion {
  code: string
  /** Characters that were put in front of the rest. */
  length: number
  /** The first of the lines that were put in. */
  line: number
  /** What stays in front of them of the line that they part, which is `parted` in the code. */
  prefix: string
  parted: number
  /** Where a place of the code was before; undefined for one in what was put in. */
  restore(place: Place): Place | undefined
}

/** The code with lines in front of what is at an offset, and others behind its end. */
export function insertLines(code: string, at: number, lines: readonly string[], after = ''): Insertion {
  const head = code.slice(0, at)
  // What stays in front may be a line's beginning, whose rest then stands on a line of its own.
  const opening = head === '' || head.endsWith('\n') ? '' : '\n'
  const put = lines.length === 0 ? '' : `${opening}${lines.join('\n')}\n`
  const headLines = head.split('\n')
  const last = { line: headLines.length, column: headLines.at(-1)!.length }
  const count = put === '' ? 0 : put.split('\n').length - 1
  const end = code.split('\n').length
  return {
    code: `${head}${put}${code.slice(at)}${after === '' ? '' : `\n${after}`}`,
    length: put.length,
    line: last.line + opening.length,
    prefix: headLines.at(-1)!,
    parted: last.line,
    restore({ line, column }) {
      const isInHead = line < last.line || (line === last.line && column <= last.column + opening.length)
      if (isInHead) return { line, column }
      const old = line - count
      if (old < last.line || old > end) return undefined
      return { line: old, column: old === last.line && put !== '' ? column + last.column : column }
    },
  }
}
