import { demandSeenEverywhere, TOKEN, type Try, WEAK } from '../ground.ts'

const TEXT = `# settings\n${WEAK}token = "${TOKEN}"\n`

/** The text in two or four bytes a character. */
function wide(text: string, width: 2 | 4, little: boolean, mark: boolean): Buffer {
  const units = [...(mark ? '\uFEFF' : ''), ...text]
  const bytes = Buffer.alloc(units.length * width)
  units.forEach((unit, index) => {
    const code = unit.codePointAt(0)!
    if (width === 2 && little) bytes.writeUInt16LE(code, index * 2)
    else if (width === 2) bytes.writeUInt16BE(code, index * 2)
    else if (little) bytes.writeUInt32LE(code, index * 4)
    else bytes.writeUInt32BE(code, index * 4)
  })
  return bytes
}

/** Bytes of a Python file with a secret in it, by how they are written. */
const FORMS: Record<string, Buffer> = {
  'a NUL in a comment at the top': Buffer.from(`# \0 settings\n${TEXT}`),
  'a NUL at the very start': Buffer.from(`\0${TEXT}`),
  'ten thousand NULs behind a comment': Buffer.from(`# ${'\0'.repeat(10_000)}\n${TEXT}`),
  'UTF-16 with a byte order mark': wide(TEXT, 2, true, true),
  'UTF-16 without a byte order mark': wide(TEXT, 2, true, false),
  'big-endian UTF-16 without a byte order mark': wide(TEXT, 2, false, false),
  'UTF-32 with a byte order mark': wide(TEXT, 4, true, true),
  'big-endian UTF-32 without a byte order mark': wide(TEXT, 4, false, false),
  'Latin-1 bytes that are no UTF-8': Buffer.from(`# caf\xe9 \xff\xfe\n${TEXT}`, 'latin1'),
  'carriage returns alone as line ends': Buffer.from(TEXT.replaceAll('\n', '\r')),
  'three byte order marks': Buffer.from(`\uFEFF\uFEFF\uFEFF${TEXT}`),
  'the first bytes of a picture in a comment': Buffer.concat([
    Buffer.from('# '),
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]),
    Buffer.from(`\n${TEXT}`),
  ]),
  'controls that reorder what a reader sees': Buffer.from(`# \u202E\u2066 nothing here \u2069\n${TEXT}`),
}

export const encodings: Try[] = Object.entries(FORMS).map(
  ([what, bytes]): Try => ({
    name: `a secret in a source file with ${what}`,
    holds: 'a file with a source extension is decoded and searched whatever its first bytes are',
    attack: async ground => {
      ground.write({ 'settings.py': bytes })
      await demandSeenEverywhere(ground, 'settings.py')
    },
  }),
)
