/** Offset of the next byte that is no white space. */
export function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at]! <= 32) at++
  return at
}

/** Whether a name may begin with a byte. */
export function isNameStart(byte: number | undefined): boolean {
  if (byte === undefined) return false
  return (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || byte === 95 || byte === 36 || byte > 127
}
