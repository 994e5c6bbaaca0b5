import type { BlockComment, Interpolation, Lexis, LineComment, StringForm } from './language.ts'

// The forms that languages share, so that the tables read as words.

export const slashes: LineComment = { open: '//' }
export const hash: LineComment = { open: '#' }
export const dashes: LineComment = { open: '--' }
export const semicolon: LineComment = { open: ';' }
export const percent: LineComment = { open: '%' }
/** `#` where a word of a shell may begin. */
export const shellHash: LineComment = { open: '#', after: ' \t;&|()`' }
/** `#` behind a blank. */
export const spacedHash: LineComment = { open: '#', after: ' \t' }
/** `#` as the first thing on its line. */
export const firstHash: LineComment = { open: '#', first: true }

export const slashStar: BlockComment = { open: '/*', close: '*/' }
export const nestedSlashStar: BlockComment = { ...slashStar, nested: true }
export const parenStar: BlockComment = { open: '(*', close: '*)', nested: true }
export const markup: BlockComment = { open: '<!--', close: '-->' }
export const hashBars: BlockComment = { open: '#|', close: '|#', nested: true }

/** A string whose delimiter a backslash escapes; it ends with its line unless told otherwise. */
export function makeQuotedForm(open: string, more: Partial<StringForm> = {}): StringForm {
  return { open, escape: '\\', ...more }
}

/** A string without escapes in which the delimiter is doubled. */
export function makeDoublingForm(open: string, more: Partial<StringForm> = {}): StringForm {
  return { open, doubled: true, ...more }
}

export const double = makeQuotedForm('"')
export const single = makeQuotedForm("'")
export const doubleLines = makeQuotedForm('"', { multiline: true })
export const singleLines = makeQuotedForm("'", { multiline: true })
export const tripleDouble = makeQuotedForm('"""', { multiline: true })
export const tripleSingle = makeQuotedForm("'''", { multiline: true })
/** A character literal; a tick that is none stays code. */
export const charTick = makeQuotedForm("'", { char: true })

export const dollarBrace: Interpolation = { open: '${', close: '}', lines: true }
export const hashBrace: Interpolation = { open: '#{', close: '}', lines: true }
export const dollarParen: Interpolation = { open: '$(', close: ')', lines: true }

/** Comments and strings of C, as a great many languages have them. */
export const cLike: Lexis = { line: [slashes], block: [slashStar], strings: [double, single] }
/** `#` comments and strings of one line. */
export const hashLike: Lexis = { line: [hash], strings: [double, single] }
/** Comments of a markup file, and nothing else that hides text. */
export const markupLike: Lexis = { block: [markup] }
