import { makeContextReader } from '../../../detect/lexer/lexer.ts'

/** What begins and ends a comment, in one language or another. */
const MARKS: readonly (readonly [open: string, close: string])[] = [
  ['# ', ''],
  ['// ', ''],
  ['-- ', ''],
  ['/* ', ' */'],
  ['<!-- ', ' -->'],
  ['; ', ''],
]

/** The code as a comment of a language, line by line; undefined where the language has none that the lexer knows. */
export function commentOut(code: string, language: string): string | undefined {
  // The lexer forgives comments in JSON, but the format has none.
  if (language === 'json') return undefined
  for (const [open, close] of MARKS) {
    const lines = code.split('\n').map(line => (line.trim() === '' ? line : `${open}${line}${close}`))
    const text = lines.join('\n')
    const context = makeContextReader(language, text)
    let at = 0
    const all = lines.every(line => {
      const start = at
      at += line.length + 1
      return line.trim() === '' || context(start + open.length) === 'comment'
    })
    if (all) return text
  }
  return undefined
}
