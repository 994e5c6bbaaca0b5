/** A block is at most so long: what follows is not part of the decision. */
const MOST_LINES = 60

/**
 * The last line (from 1) of the statement that begins on a line: the lines below it that are indented further, and the closing line.
 * By layout alone. Decorators and annotations go on to what they stand above.
 */
export function findBlockEnd(lines: readonly string[], line: number): number {
  const own = lines[line - 1] ?? ''
  const indent = indentOf(own)
  let end = line
  let isHead = /^\s*(?:@|#\[|\[\w)/.test(own)
  for (let at = line; at < Math.min(lines.length, line + MOST_LINES); at++) {
    const text = lines[at]!
    if (text.trim() === '') continue
    const depth = indentOf(text)
    if (depth > indent) {
      end = at + 1
      isHead = false
      continue
    }
    if (depth < indent) break
    if (isHead) {
      end = at + 1
      isHead = /^\s*(?:@|#\[|\[\w)/.test(text)
      continue
    }
    if (/^\s*[)\]}]|^\s*end\b/.test(text) && end > line) end = at + 1
    break
  }
  return end
}

function indentOf(line: string): number {
  const at = line.search(/\S/)
  return at === -1 ? Number.MAX_SAFE_INTEGER : at
}
