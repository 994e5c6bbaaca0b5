import { isUtf8 } from 'node:buffer'

/**
 * Names of files are bytes; svc shows them as text that is never ambiguous.
 *
 * A name that is UTF-8 stands as it is. A name with other bytes stands with each of them as `\xNN` (lower-case hex) and
 * each backslash as `\\`. A name that is UTF-8 but already looks written like that (it has `\\` or `\xNN` in it) is
 * written so too. Two different names therefore never have the same text, and {@link encodePath} finds the bytes again.
 */
const LOOKS_WRITTEN = /\\\\|\\x[0-9a-f]{2}/
const WRITTEN = /\\\\|\\x[0-9a-f]{2}/g

export interface PathName {
  path: string
  /** The name's bytes, only where `path` is not just their UTF-8 text; a copy of its own, so that it may cross threads. */
  raw?: Uint8Array
}

/** The text of a path's bytes. */
export function parsePathName(bytes: Uint8Array): PathName {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isUtf8(buffer)) {
    const text = buffer.toString('utf8', 0, buffer.length)
    return LOOKS_WRITTEN.test(text)
      ? { path: text.replaceAll('\\', '\\\\'), raw: Uint8Array.from(bytes) }
      : { path: text }
  }
  let path = ''
  for (let at = 0; at < buffer.length; ) {
    const length = characterLength(buffer, at)
    if (length === 0) {
      path += `\\x${buffer[at]!.toString(16).padStart(2, '0')}`
      at += 1
    } else {
      const character = buffer.toString('utf8', at, at + length)
      path += character === '\\' ? '\\\\' : character
      at += length
    }
  }
  return { path, raw: Uint8Array.from(bytes) }
}

/** Whether in all of these bytes no name is written in any other way than as its UTF-8 text. */
export function isAllPlain(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes('\\')
}

/** The bytes that a path's text stands for: the inverse of {@link parsePathName}. */
export function encodePath(path: string): Buffer {
  if (!LOOKS_WRITTEN.test(path)) return Buffer.from(path, 'utf8')
  const parts: Buffer[] = []
  let from = 0
  for (const match of path.matchAll(WRITTEN)) {
    parts.push(Buffer.from(path.slice(from, match.index), 'utf8'))
    parts.push(match[0] === '\\\\' ? Buffer.from('\\') : Buffer.from([Number.parseInt(match[0].slice(2), 16)]))
    from = match.index + match[0].length
  }
  parts.push(Buffer.from(path.slice(from), 'utf8'))
  return Buffer.concat(parts)
}

/** What to give to the file system for a file below `root`: text where text is exact, bytes elsewhere. */
export function toSystemPath(root: string, file: PathName): string | Buffer {
  if (file.raw === undefined) return `${root}/${file.path}`
  return Buffer.concat([Buffer.from(`${root}/`, 'utf8'), file.raw])
}

/** Bytes of the UTF-8 character that begins at `at`; 0 where none does. */
function characterLength(buffer: Buffer, at: number): number {
  const first = buffer[at]!
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  return at + length <= buffer.length && isUtf8(buffer.subarray(at, at + length)) ? length : 0
}
