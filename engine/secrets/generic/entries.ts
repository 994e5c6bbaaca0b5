import { quotedAt, type Value } from './value.ts'

const PLURAL = /(?:pass(?:word|wd|phrase|code)?|pwd|kennw(?:o|oe)rt)s$/i
const OPENING = /["'`]?\]?[ \t]{0,4}(?:=>|=|:)[ \t]{0,4}(?:new [\w<>, ]{1,40}|%)?\{\s{0,80}/y
const KEY = /\s{0,80}(?:\{[ \t]{0,4})?(["'])([^"'\n]{1,60})\1[ \t]{0,4}(?:=>|:|,)[ \t]{0,4}(?=["'])/y
const CLOSING = /[ \t]{0,4}\}?[ \t]{0,4},?/y
const MOST = 40

/** The passwords of a table whose name says that they are some, each with the key that it stands under: `passwords = {"bob": "…"}`. */
export function entriesAt(text: string, name: string, end: number): { key: string; value: Value }[] {
  const out: { key: string; value: Value }[] = []
  if (!PLURAL.test(name)) return out
  OPENING.lastIndex = end
  if (!OPENING.test(text)) return out
  let at = OPENING.lastIndex
  while (out.length < MOST) {
    KEY.lastIndex = at
    const key = KEY.exec(text)
    const value = key && quotedAt(text, KEY.lastIndex)
    if (!value) return out
    out.push({ key: key[2]!, value })
    CLOSING.lastIndex = value.after
    CLOSING.test(text)
    at = CLOSING.lastIndex
  }
  return out
}
