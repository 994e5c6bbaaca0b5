/** `1 finding`, `2 findings`; a plural that is not made with s is given. */
export function plural(count: number, singular: string, many = `${singular}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? singular : many}`
}

/** The first of these characters of a text, with an ellipsis where it was cut. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`
}

/** A text as one word of a POSIX shell, quoted only where it must be. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
