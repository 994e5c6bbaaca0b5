import { Origins } from '../../base/text/origins.ts'

/** Texts within which no comment begins, and comments. What is not closed goes on to the end, of the line or of all, so that nothing is read twice. */
const PARTS =
  /"(?<=R")([^()\\\s]{0,16})\((?:[\s\S]*?\)\1"|[\s\S]*)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|\/\*(?:[\s\S]*?\*\/|[\s\S]*)|\/\/[^\n]*/g

/** Whether the comments of the language are those of C, within texts that are those of C. */
export function isOfC(language: string): boolean {
  return language === 'c' || language === 'cpp'
}

/**
 * A text of C or C++ with a space for each comment, in time linear to it. Where it is written as no program would be (a quote alone) a
 * comment may stay, or code go.
 */
export function removeComments(text: string): string {
  return text.replace(PARTS, part => (part.startsWith('/') ? ' ' : part))
}

/** Where the characters of a text without its comments, as `removeComments` gives it, stand in the text. */
export function mapWithoutComments(text: string): Origins {
  const origins = new Origins()
  let gone = 0
  for (const { 0: part, index } of text.matchAll(PARTS)) {
    if (!part.startsWith('/')) continue
    gone += part.length - 1
    origins.begin(index + part.length - gone, index + part.length)
  }
  return origins
}

/** The same with as many spaces as the comment has characters, and its lines: everything else stands where it stood. */
export function blankComments(text: string): string {
  return text.replace(PARTS, part => (part.startsWith('/') ? part.replace(/[^\r\n]/g, ' ') : part))
}
