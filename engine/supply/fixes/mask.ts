/** Blanks of the length of a span, its line ends kept: offsets and lines stay those of the text. */
function blank(span: string): string {
  return span.replace(/[^\n]/g, ' ')
}

/** XML with comments and exclusions blanked: what they name is not what a dependency declares. */
export function maskXml(text: string): string {
  let masked = ''
  let at = 0
  for (const [open, close] of findSpans(text, [
    ['<!--', '-->'],
    ['<exclusions>', '</exclusions>'],
  ])) {
    masked += text.slice(at, open) + blank(text.slice(open, close))
    at = close
  }
  return masked + text.slice(at)
}

function* findSpans(text: string, marks: readonly (readonly [string, string])[]): Generator<[number, number]> {
  for (let at = 0; ; ) {
    const found = marks
      .map(([open, close]) => ({ start: text.indexOf(open, at), open, close }))
      .filter(({ start }) => start !== -1)
      .sort((a, b) => a.start - b.start)[0]
    if (!found) return
    const end = text.indexOf(found.close, found.start + found.open.length)
    const stop = end === -1 ? text.length : end + found.close.length
    yield [found.start, stop]
    at = stop
  }
}

/** A text whose lines that are comments are blanked: those that begin with one of the marks. */
export function maskCommentLines(text: string, ...marks: string[]): string {
  return text
    .split('\n')
    .map(line => (marks.some(mark => line.trimStart().startsWith(mark)) ? blank(line) : line))
    .join('\n')
}
