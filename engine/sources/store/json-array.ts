import { closeSync, openSync, writeSync } from 'node:fs'

const BUFFER = 1 << 18
const END = '\n]\n'

/**
 * Writes a JSON array, one record a line, keys in the order of `keys` (a key that is not named there is not written), in
 * constant memory. Lone surrogates, which neither UTF-8 nor DuckDB can hold, become U+FFFD. Returns the bytes of the longest record.
 */
export function writeJsonArray<T extends object>(
  path: string,
  records: readonly T[],
  keys: readonly (keyof T & string)[],
): number {
  const buffer = Buffer.allocUnsafe(BUFFER)
  const names = keys.map(key => `${JSON.stringify(key)}:`)
  const fd = openSync(path, 'wx')
  try {
    let used = buffer.write('[')
    let longest = 0
    for (let i = 0; i < records.length; i++) {
      const text = `${i === 0 ? '\n' : ',\n'}${stringify(records[i]!, keys, names)}`
      const most = text.length * 3 + END.length
      if (used + most > BUFFER) {
        writeAll(fd, buffer.subarray(0, used))
        used = 0
      }
      if (most > BUFFER) {
        const bytes = Buffer.from(text)
        writeAll(fd, bytes)
        longest = Math.max(longest, bytes.length)
      } else {
        const size = buffer.write(text, used)
        used += size
        longest = Math.max(longest, size)
      }
    }
    used += buffer.write(END, used)
    writeAll(fd, buffer.subarray(0, used))
    return longest
  } finally {
    closeSync(fd)
  }
}

/** One write call may take only a part. */
function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
}

/** The record as JSON.stringify would write it with its keys in this order; `names` are the keys as they stand in JSON. */
function stringify<T extends object>(record: T, keys: readonly (keyof T & string)[], names: readonly string[]): string {
  let text = ''
  for (let i = 0; i < keys.length; i++) {
    const value: unknown = record[keys[i]!]
    if (value === undefined) continue
    text += (text === '' ? '{' : ',') + names[i] + valueText(value)
  }
  return text === '' ? '{}' : `${text}}`
}

/** Quotes, backslashes, what JSON escapes, and surrogates, of which lone ones must be mended. */
const NOT_AS_IT_IS = /["\\\u0000-\u001f\ud800-\udfff]/

function valueText(value: unknown): string {
  // Nearly all values of the hundreds of thousands of rows are such, and JSON.stringify takes several times as long for them.
  if (typeof value === 'string' && !NOT_AS_IT_IS.test(value)) return `"${value}"`
  if (typeof value === 'number' && Number.isInteger(value)) return String(value)
  const text = JSON.stringify(value)
  // JSON.stringify escapes surrogates only where they are lone; the search is cheap, the second pass is rare.
  return text.includes('\\ud') ? JSON.stringify(value, wellFormedText) : text
}

function wellFormedText(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll(/\p{Surrogate}/gu, '\ufffd') : value
}
