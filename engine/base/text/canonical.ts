/**
 * A JSON value as its one canonical text (RFC 8785, JSON Canonicalization Scheme): keys sorted by UTF-16 code units, no
 * white space, numbers and strings as ECMAScript writes them. Two equal values have the same text, so a digest or a
 * signature of it holds for the value. Keys whose value is undefined are left out.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(item => canonical(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields: string[] = []
  for (const key of Object.keys(value).sort()) {
    const field = (value as Record<string, unknown>)[key]
    if (field !== undefined) fields.push(`${JSON.stringify(key)}:${canonical(field)}`)
  }
  return `{${fields.join(',')}}`
}
