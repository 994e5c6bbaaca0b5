/** Escapes of HCL's quoted texts, and of the signs that fill something in ("Template Expressions", "Quoted Templates"). */
const ESCAPE = /\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[\s\S]?)|([$%])\2\{/g

const PLAIN: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', r: '\r', t: '\t' }

/** What a quoted text without parts stands for; undefined where an escape in it is none of HCL. */
export function decodeTemplate(text: string): string | undefined {
  if (!/[\\$%]/.test(text)) return text
  let isValid = true
  const decoded = text.replace(ESCAPE, (_, code: string | undefined, sign: string | undefined) => {
    if (sign !== undefined) return `${sign}{`
    const point = code && code.length > 1 ? Number.parseInt(code.slice(1), 16) : undefined
    const character =
      point === undefined ? PLAIN[code ?? ''] : point <= 0x10ffff ? String.fromCodePoint(point) : undefined
    if (character === undefined) isValid = false
    return character ?? ''
  })
  return isValid ? decoded : undefined
}
