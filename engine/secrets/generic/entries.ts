import { quotedAt, type Value } from './value.ts'

const MOST = 40

/** The passwords of a table whose name says that they are some, each with the key that it stands under: `passwords = {"bob": "…"}`. */
export function entriesAt(text: string, name: string, end: number): { key: string; value: Value }[] {
  const out: { key: string; value: Value }[] = []
  // Expressions are made only where they are come by: a commit hook waits for each.
  if (!'sS'.includes(name.at(-1)!) || !/(?:pass(?:word|wd|phrase|code)?|pwd|kennw(?:o|oe)rt)s$/i.test(name)) return out
  const opening = /["'`]?\]?[ \t]{0,4}(?:=>|=|:)[ \t]{0,4}(?:new [\w<>, ]{1,40}|%)?\{\s{0,80}/y
  const keyed = /\s{0,80}(?:\{[ \t]{0,4})?(["'])([^"'\n]{1,60})\1[ \t]{0,4}(?:=>|:|,)[ \t]{0,4}(?=["'])/y
  const closing = /[ \t]{0,4}\}?[ \t]{0,4},?/y
  opening.lastIndex = end
  if (!opening.test(text)) return out
  let at = opening.lastIndex
  while (out.length < MOST) {
    keyed.lastIndex = at
    const key = keyed.exec(text)
    const value = key && quotedAt(text, keyed.lastIndex)
    if (!value) return out
    out.push({ key: key[2]!, value })
    closing.lastIndex = value.after
    closing.test(text)
    at = closing.lastIndex
  }
  return out
}
