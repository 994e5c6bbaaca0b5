/** An entry of a ZIP file, by its central directory. */
export interface Entry {
  name: string
  /** Bytes of its content. */
  size: number
}

/**
 * Whether a name is one of a file below the directory that a bundle is unpacked to: relative, with slashes, without empty, `.` and `..`
 * parts, backslashes, drives and control characters.
 */
export function staysInside(name: string): boolean {
  if ([...name].some(char => char === '\\' || char === ':' || char < ' ')) return false
  return name.split('/').every(part => part !== '' && part !== '.' && part !== '..')
}

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50

/**
 * The entries of a ZIP file, or what speaks against it. Programs read such files in two ways, by the directory at the end or from the
 * beginning: both must see the same names, and nothing may lie before, between or after them that only one of them sees.
 */
export function listEntries(bytes: Buffer): Entry[] | { fault: string } {
  const end = bytes.length - 22
  if (end < 0 || bytes.readUInt32LE(end) !== END) return { fault: 'it is no ZIP file, or something was appended to it' }
  const count = bytes.readUInt16LE(end + 10)
  const from = bytes.readUInt32LE(end + 16)
  if (from + bytes.readUInt32LE(end + 12) !== end) return { fault: 'its directory is damaged' }
  const entries: Entry[] = []
  const names = new Set<string>()
  let [at, expected] = [from, 0]
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== CENTRAL) return { fault: 'its directory is damaged' }
    const packed = bytes.readUInt32LE(at + 20)
    const size = bytes.readUInt32LE(at + 24)
    const [length, extra, comment] = [28, 30, 32].map(offset => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const local = bytes.readUInt32LE(at + 42)
    const name = bytes.toString('utf8', at + 46, at + 46 + length)
    if (extra + comment > 0 || local !== expected) return { fault: `${name} does not follow the file before it` }
    if (local + 30 > from || bytes.readUInt32LE(local) !== LOCAL) return { fault: `${name} has no content` }
    const own = bytes.toString('utf8', local + 30, local + 30 + bytes.readUInt16LE(local + 26))
    if (own !== name) return { fault: `${name} is called ${JSON.stringify(own)} where its content begins` }
    if (!staysInside(name)) return { fault: `the name ${JSON.stringify(name)} leads out of the bundle` }
    if (names.has(name)) return { fault: `${name} is there twice` }
    names.add(name)
    entries.push({ name, size })
    // A writer that streams has the sizes after the content: signature, checksum and both sizes.
    const descriptor = (bytes.readUInt16LE(local + 6) & 8) !== 0 ? 16 : 0
    expected = local + 30 + length + bytes.readUInt16LE(local + 28) + packed + descriptor
    at += 46 + length
  }
  if (at !== end || expected !== from) return { fault: 'it has content that its directory does not list' }
  return entries
}
