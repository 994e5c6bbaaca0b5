import type { Value } from './value.ts'

/** Up to the bracket in which a list of bytes stands, in any language: `new byte[] {`, `[]byte{`, `bytes([`, `&[`, `Uint8List.fromList([`. */
const OPENING =
  /[ \t]{0,8}(?:&|\(const \w{1,12} \*\)|new[ \t]{1,4}|vec!)?[\w.:<>[\] *!]{0,40}?[ \t]{0,4}[([{]{1,2}\s{0,80}(?=0x|-?\d|\(|')/y
/** One of them, with what casts it, what says its type, and a remark behind it. */
const BYTE =
  /(?:\((?:s?byte|char|u8|u?int8_t|unsigned char)\)[ \t]{0,2})?(?:(0x[0-9A-Fa-f]{1,2}|-?\d{1,3})(?:u8|U|L)?|'(\\?[!-~])')\s{0,80}(?:(?:\/\/[^\n]{0,80}\n|\/\*[^*]{0,80}\*\/)\s{0,80})?(,?)\s{0,80}/y
const CLOSING = /[)\]}]/
/** No key is longer, and no shorter one is worth anything. */
const MOST = 512
const FEWEST = 8

/** Keys of the standards' own examples and of papers, which every test of a cipher has. */
const PUBLISHED =
  /^(?:2b7e151628aed2a6|603deb1015ca71be|8e73b0f7da0e6452|feffe9928665731c|133457799bbcdff1|0123456789abcdef|fedcba98|00112233|80000000|0f0e0d0c|ffffffff|deadbeef|cafebabe|404142434445|6d5a56da255b0ec2|206e63ce206a3ffd)/

/**
 * A key that is written as the numbers of its bytes, or a password as its characters: `{0x7a, 0x31, …}`, `{'h', 'u', …}`. The value is
 * what the list says, in hexadecimal digits or letters. Rows of neighbours, few numbers again and again, and published examples are none.
 */
export function readBytes(text: string, at: number): Value | undefined {
  if (!mayBegin(text, at)) return undefined
  let from = at
  // The bracket may have been read with the name's own: `key[16] = {`.
  if (text[at - 1] === '{' || /[{[(]\s{0,4}$/.test(text.slice(Math.max(0, at - 5), at))) {
    while (/\s/.test(text[from] ?? '!')) from++
  }
  if (!/[\d\-'(]/.test(text[from] ?? '!') || from === at) {
    OPENING.lastIndex = at
    if (OPENING.test(text)) from = OPENING.lastIndex
    else if (from === at && !/[{[(]/.test(text[at - 1] ?? '')) return undefined
  }
  const start = from
  let end = from
  const bytes: number[] = []
  let letters = 0
  for (let more = true; more && bytes.length < MOST; ) {
    BYTE.lastIndex = from
    const found = BYTE.exec(text)
    if (!found) break
    const [, number, letter] = found
    bytes.push(letter === undefined ? Number(number) & 0xff : letter.charCodeAt(letter.length - 1))
    if (letter === undefined && (Number(number) > 255 || Number(number) < -128)) return undefined
    letters += Number(letter !== undefined)
    end = from + found[0].trimEnd().replace(/,$/, '').length
    from = BYTE.lastIndex
    more = found[3] === ','
  }
  if (!CLOSING.test(text[from] ?? '!')) return undefined
  // A character of zero ends a text of C.
  if (letters > 0 && bytes.at(-1) === 0x30) bytes.pop()
  const value =
    letters > 0 ? String.fromCharCode(...bytes) : bytes.map(byte => byte.toString(16).padStart(2, '0')).join('')
  if (letters > 0 ? letters < 6 || letters < bytes.length - 1 : !isKey(bytes, value)) return undefined
  return { start, end, text: value, quote: '"', wrapped: false, listed: true, after: from + 1 }
}

/** Whether a list of numbers may begin there: few values are, and an expression is compiled when it is first tried. */
function mayBegin(text: string, at: number): boolean {
  for (let i = at; i < at + 60 && i < text.length; i++) {
    const char = text[i]!
    if (char === ';' || char === '"' || char === '\\' || char === '$') return false
    if (char >= '0' && char <= '9' && '{[(, \t\n-x'.includes(text[i - 1] ?? '!')) return true
    if (char === "'") return '{[(, \t\n'.includes(text[i - 1] ?? '!') && text[i + 2] === "'"
  }
  return false
}

/** Whether bytes look drawn by chance: many different ones over the whole range, in no order. */
function isKey(bytes: readonly number[], value: string): boolean {
  if (bytes.length < FEWEST || PUBLISHED.test(value)) return false
  if (new Set(bytes).size < Math.min(bytes.length * 0.6, 40) || !bytes.some(byte => byte > 127)) return false
  // An object's identifier, an address or a table of small numbers.
  if (bytes.filter(byte => byte >= 64).length < bytes.length / 3) return false
  let steps = 0
  for (let i = 1; i < bytes.length; i++) {
    const step = bytes[i]! - bytes[i - 1]!
    if (Math.abs(step) === 1 || step === 0x11 || step === -0x11) steps++
  }
  return steps < bytes.length / 3
}
