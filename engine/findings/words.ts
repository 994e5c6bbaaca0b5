/** `1 finding`, `2 findings`; a plural that is not made with s is given. */
export function plural(count: number, singular: string, many = `${singular}s`): string {
  return `${grouped(count)} ${count === 1 ? singular : many}`
}

/** `1,234,567`. The locale's own formatter takes 15 ms to load. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** The first of these characters of a text, with an ellipsis where it was cut. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`
}

/** A value as a message says what it was: as JSON, at most 60 characters of it. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** A text as one word of a POSIX shell, quoted only where it must be. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
