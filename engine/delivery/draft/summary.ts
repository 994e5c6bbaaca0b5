/** More lines of documentation are not read for its first sentence. */
const LINES = 30
const LONGEST = 300

/**
 * The first sentence of a declaration's documentation: of the comment above it, or the documentation string below; undefined where there is
 * none. `line` is the declaration's, from 1.
 */
export function readSummary(lines: readonly string[], line: number, where: 'above' | 'below'): string | undefined {
  const text = where === 'above' ? readAbove(lines, line - 1) : readBelow(lines, line)
  const plain = text
    .replace(/@\w+[\s\S]*$/, '')
    .replace(/<\/?[a-z]+>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const sentence = /^.{1,300}?[.!?](?=\s|$)/.exec(plain)?.[0] ?? plain
  return sentence === '' ? undefined : sentence.slice(0, LONGEST)
}

function readAbove(lines: readonly string[], index: number): string {
  const found: string[] = []
  for (let at = index - 1; at >= 0 && at >= index - LINES; at--) {
    const line = lines[at]!.slice(0, 1000).trim()
    if (/^(?:@|\[|#\[)/.test(line)) continue
    if (!/^(?:\/\/|\/?\*|#)/.test(line)) break
    found.unshift(line.replace(/^(?:\/{2,}!?|\/\*{1,2}|\*+\/?|#+)\s?/, '').replace(/\*\/$/, ''))
    if (line.startsWith('/*')) break
  }
  return found.join(' ')
}

function readBelow(lines: readonly string[], from: number): string {
  for (let at = from; at < lines.length && at < from + LINES; at++) {
    const opening = /^\s*[rRuU]?("""|'''|"|')/.exec(lines[at]!.slice(0, 1000))
    if (!opening) continue
    const quote = opening[1]!
    const text = lines
      .slice(at, at + LINES)
      .join('\n')
      .slice(opening[0].length)
    const end = text.indexOf(quote)
    return end === -1 ? text.slice(0, LONGEST) : text.slice(0, end)
  }
  return ''
}
