/** `#12`, `AB#12` and `PROJ-12` in any case; a number alone is none. */
export function listKeys(text: string): Set<string> {
  const found = new Set<string>()
  for (const [key] of text.slice(0, MOST_TEXT).matchAll(new RegExp(KEY, 'g'))) found.add(normalizeKey(key))
  return found
}

/** Keys that a message says it closes: behind close, fix or resolve, by the words that GitHub and GitLab take. */
export function listClosed(text: string): Set<string> {
  const found = new Set<string>()
  const pattern = new RegExp(`\\b(?:clos(?:e|es|ed)|fix(?:es|ed)?|resolv(?:e|es|ed)):? (${KEY})`, 'gi')
  for (const [, key] of text.slice(0, MOST_TEXT).matchAll(pattern)) found.add(normalizeKey(key!))
  return found
}

/** A number alone is written with `#` in messages. */
export function normalizeKey(key: string): string {
  return (/^\d+$/.test(key) ? `#${key}` : key).toLowerCase()
}

const KEY = '(?:[A-Za-z][A-Za-z0-9_]{0,30})?#\\d{1,9}|[A-Za-z][A-Za-z0-9_]{0,30}-\\d{1,9}'
/** Characters of a message that are searched. */
const MOST_TEXT = 20_000
