/** `1 finding`, `2 findings`; a plural that is not made with s is given. */
export function formatCount(count: number, singular: string, many = `${singular}s`): string {
  return `${groupDigits(count)} ${count === 1 ? singular : many}`
}

/** `1,234,567`. The locale's own formatter takes 15 ms to load. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** The first of these characters of a text, with an ellipsis where it was cut. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`
}

/** A value as a message says what it was: as JSON, at most 60 characters of it. */
export function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** The kind of a value, for a message that must not quote it: what was read may be another file than the one that was meant. */
export function describeKind(value: unknown): string {
  if (value === null || value === undefined) return 'empty'
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'a map' : `a ${typeof value}`
}

/**
 * An unknown key where it may be quoted in a message. One that is not a plain word may be a line of another file than the one that
 * was meant (`TOKEN=…: …`), and is not quoted.
 */
export function findPlainKey(key: string): string | undefined {
  return /^[\p{L}\p{N}_.@/-]{1,64}$/u.test(key) ? key : undefined
}

/** A text as one word of a POSIX shell, quoted only where it must be. */
export function quoteShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
