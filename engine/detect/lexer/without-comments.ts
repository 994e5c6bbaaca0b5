import { Origins } from '../../base/text/origins.ts'

/** A text within which no comment begins, from its quote. What is not closed goes on to the end, of the line or of all, so that nothing is read twice. */
const QUOTED =
  /"(?<=R")([^()\\\s]{0,16})\((?:[\s\S]*?\)\1"|[\s\S]*)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?/y

/** Whether the comments of the language are those of C, within texts that are those of C. */
export function isOfC(language: string): boolean {
  return language === 'c' || language === 'cpp'
}

/**
 * A text of C or C++ with a space for each comment, in time linear to it. Where it is written as no program would be (a quote alone) a
 * comment may stay, or code go.
 */
export function removeComments(text: string): string {
  return replaceComments(text, () => ' ')
}

/** Where the characters of a text without its comments, as `removeComments` gives it, stand in the text. */
export function mapWithoutComments(text: string): Origins {
  const origins = new Origins()
  let gone = 0
  eachComment(text, (start, end) => {
    gone += end - start - 1
    origins.begin(end - gone, end)
  })
  return origins
}

/** The same with as many spaces as the comment has characters, and its lines: everything else stands where it stood. */
export function blankComments(text: string): string {
  return replaceComments(text, comment => comment.replace(/[^\r\n]+/g, line => ' '.repeat(line.length)))
}

function replaceComments(text: string, replace: (comment: string) => string): string {
  const parts: string[] = []
  let from = 0
  eachComment(text, (start, end) => {
    parts.push(text.slice(from, start), replace(text.slice(start, end)))
    from = end
  })
  if (from === 0) return text
  // One piece more, and not put behind the others: a string of two would be copied again by whoever reads it.
  parts.push(text.slice(from))
  return parts.join('')
}

/** The comments of a text, in order. What may begin one is looked for sign by sign: an expression of all takes several times as long. */
function eachComment(text: string, take: (start: number, end: number) => void): void {
  let comment = findComment(text, 0)
  let [double, single] = [find(text, '"', 0), find(text, "'", 0)]
  while (comment < text.length) {
    const quote = Math.min(double, single)
    let at: number
    if (comment < quote) {
      at = text[comment + 1] === '/' ? find(text, '\n', comment) : find(text, '*/', comment + 2, 2)
      take(comment, at)
    } else {
      QUOTED.lastIndex = quote
      QUOTED.test(text)
      at = QUOTED.lastIndex
    }
    if (comment < at) comment = findComment(text, at)
    if (double < at) double = find(text, '"', at)
    if (single < at) single = find(text, "'", at)
  }
}

/** Where a comment may begin next; the text's length where none does. */
function findComment(text: string, from: number): number {
  let at = find(text, '/', from)
  while (at < text.length && text[at + 1] !== '/' && text[at + 1] !== '*') at = find(text, '/', at + 1)
  return at
}

/** Where the signs stand next, and so many characters behind that; the text's length where they do not. */
function find(text: string, signs: string, from: number, behind = 0): number {
  const at = text.indexOf(signs, from)
  return at === -1 ? text.length : at + behind
}
