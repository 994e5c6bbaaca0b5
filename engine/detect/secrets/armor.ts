import type { Detector } from '../../base/records/secret-detector.ts'

/** A private key between its BEGIN and END lines (RFC 7468, RFC 9580 "ASCII armor"). */
export interface Armor {
  start: number
  /** Behind the END line's last dash. */
  end: number
  /** The key's base64, without anything that the notation added. */
  body: string
}

/** Of a key with decoration on each line: one of 16,384 bits takes 13,000 characters. */
const LONGEST = 32_000
const SHORTEST_BODY = 48

/** What ends a line, as it is or as strings, HTML and addresses write it. */
const LINE_END = /\r\n|[\r\n]|\\+[rn]|&#0*1[03];|&#[xX]0*[aAdD];|&NewLine;|<br\s{0,4}\/?>|%0[aAdD]/
const QUOTE = /&quot;|&apos;|&#0*3[49];|&#[xX]0*2[27];/g
/** What stands before a line's base64: comment marks, list signs, quotes, operators, an assignment or a call around a literal. */
const BEFORE =
  /^(?:[\s"'`#;*>|!%\\,.(){}[\]-]|\/\/?(?=\s)|\/\*+|\+(?=[\s"'`])|(?:REM|dnl)\s|[\w$.]{1,40}\s{0,4}(?:\+=|\.=|<<|\()\s{0,4}(?=["'`]))+/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}/
/** What stands behind it. */
const BEHIND = /^(?:$|[\s"'`\\<,;.)\]}>|*][^A-Za-z0-9]*$)/
const HEADER = /^[A-Za-z][A-Za-z-]{2,20}: ?\S/
const CHECKSUM = /^=[A-Za-z0-9+/]{4}(?![A-Za-z0-9+/=])/

/**
 * The private keys with one of the detector's labels, whatever their lines stand behind and end with. Only whole ones: what is cut off has no
 * END, and is left to the format. It takes time linear to the text.
 */
export function findArmor({ labels, encrypted = false }: NonNullable<Detector['armor']>, text: string): Armor[] {
  const found: Armor[] = []
  for (const label of labels) {
    const begin = `-----BEGIN ${label}-----`
    const end = `-----END ${label}-----`
    for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at + begin.length)) {
      const from = at + begin.length
      const inner = text.slice(from, from + LONGEST)
      const length = inner.indexOf(end)
      if (length < SHORTEST_BODY) continue
      const read = readLines(inner.slice(0, length))
      if (!read || (read.isEncrypted || label.startsWith('ENCRYPTED')) !== encrypted) continue
      found.push({ start: at, end: from + length + end.length, body: read.body })
    }
  }
  return found
}

/** The base64 of the lines; undefined where something else stands between them, another key's BEGIN for one. */
function readLines(inner: string): { body: string; isEncrypted: boolean } | undefined {
  if (inner.includes('-----BEGIN')) return undefined
  const lines = inner.replace(QUOTE, '"').split(LINE_END)
  // A slash is a digit of base64 too: two of them are a comment's mark where every line has them.
  const isCommented = lines.slice(1, -1).every(line => /^\s*(?:\/\/|$)/.test(line))
  let body = ''
  let isEncrypted = false
  for (const written of lines) {
    const line = (isCommented ? written.replace(/^\s*\/\//, '') : written).replace(BEFORE, '')
    if (line === '' || line === '+' || line === '/') continue
    if (HEADER.test(line)) {
      if (body !== '') return undefined
      isEncrypted ||= /^Proc-Type: ?4,ENCRYPTED/.test(line)
      continue
    }
    if (CHECKSUM.test(line)) continue
    const digits = BASE64.exec(line)?.[0] ?? ''
    if (digits === '' || !BEHIND.test(line.slice(digits.length))) return undefined
    body += digits
  }
  return body.length < SHORTEST_BODY ? undefined : { body, isEncrypted }
}
