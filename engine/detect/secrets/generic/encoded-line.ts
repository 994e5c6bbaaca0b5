const FULL_UU = 61
const FULL_PATCH = 66
/** So much of a line is looked at on either side; Ascii85 may have no other line ends. */
const REACH = 100

/**
 * Whether the text at `start` stands in a line of bytes that are written as letters and signs (uuencode, Ascii85, the binary part of a
 * patch): whatever looks like a name or an address there is none.
 */
export function isEncodedLine(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - REACH), start)
  const after = text.slice(start, start + REACH)
  const from = start - before.length + before.lastIndexOf('\n') + 1
  const closing = after.search(/\r?\n/)
  const to = closing === -1 ? start + after.length : start + closing
  const line = text.slice(from, to)
  return isUu(text, line, from, to) || isAscii85(line) || isPatch(line)
}

/** The first sign of a line says how many bytes it holds, and a line beside it is full. */
function isUu(text: string, line: string, from: number, to: number): boolean {
  if (!/^[!-`][ -`]{8,62}$/.test(line)) return false
  const digits = Math.ceil(((line.charCodeAt(0) - 32) & 63) / 3) * 4
  if (line.length < 1 + digits || line.length > 3 + digits) return false
  return isFull(text.slice(Math.max(0, from - FULL_UU - 2), from)) || isFull(text.slice(to, to + FULL_UU + 4))
}

function isFull(line: string): boolean {
  return /(?:^|\n)M[ -`]{60}\r?(?:\n|$)/.test(line)
}

/** Letters up to `u` and as many different signs as no program's text has in so little room, without a blank. */
function isAscii85(line: string): boolean {
  return /^[!-uz]{60,}$/.test(line) && new Set(line.match(/[^A-Za-z0-9]/g)).size >= 18
}

function isPatch(line: string): boolean {
  return line.length === FULL_PATCH && /^z[0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]+$/.test(line)
}
