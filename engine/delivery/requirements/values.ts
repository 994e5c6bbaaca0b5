/** A value of YAML as text; '' for what is none. */
export function readText(value: unknown): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

/** A list, a single value, or a text with commas, as a list of texts; each once. */
export function readList(value: unknown): string[] {
  const items = Array.isArray(value) ? value.map(readText) : readText(value).split(/[,\n]/)
  return [...new Set(items.map(item => item.trim()).filter(item => item !== ''))]
}
