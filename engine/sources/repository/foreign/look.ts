import { readRegular, readStart } from '../../../base/disk/read.ts'
import type { Listing, SourceFile } from '../../../base/records/source-file.ts'
import { classify } from '../../../base/text/classify.ts'
import { decode } from '../../../base/text/decode.ts'
import { toSystemPath } from '../../../base/text/path-name.ts'
import { findHeaderSign, getName } from './header.ts'
import type { Looked } from './suggest.ts'

/** A header says what it has to say within this many bytes. */
const HEAD = 8 * 1024
/** Files from this size on are measured; smaller ones are not minified for delivery. */
const WORTH_MEASURING = 2 * 1024
const MOST_MEASURED = 8 << 20
const MINIFIABLE = new Set(['javascript', 'typescript', 'css', 'html', 'json', 'xml'])

const BUNDLED = new Set(['javascript', 'typescript', 'css'])

/** What people write that is no code: such a file does not keep a folder of generated code from being left out as a whole. */
const NO_CODE = new Set([
  'markdown',
  'text',
  'rst',
  'asciidoc',
  'org',
  'json',
  'yaml',
  'toml',
  'xml',
  'ini',
  'csv',
  'diff',
])

/** Written by package managers, and all the same read for the dependencies that they pin. */
const LOCK = /(?:^|\/)(?:[^/]+[.-]lock(?:\.json|\.ya?ml)?|npm-shrinkwrap\.json|go\.sum)$/i

/**
 * Looks at each file for signs that nobody here wrote it: a header, a bundled library's banner, lines as only programs write them.
 * Reads the beginning of every file, and the whole of those that may be minified. What cannot be read bears no sign.
 */
export function listLooked(listing: Listing, signal?: AbortSignal): Looked[] {
  const own = ownNames(listing)
  return listing.files.map(file => {
    signal?.throwIfAborted()
    const { path, size, language } = file
    const looked: Looked = { path, size, code: language !== null && !NO_CODE.has(language) }
    const sign = signOf(listing.root, file, own)
    return sign ? { ...looked, sign } : looked
  })
}

function signOf(root: string, file: SourceFile, own: ReadonlySet<string>): Looked['sign'] {
  // The content of a bare repository is not on disk.
  if (file.blob !== undefined || LOCK.test(file.path)) return undefined
  const place = toSystemPath(root, file)
  const measured = MINIFIABLE.has(file.language ?? '') && file.size >= WORTH_MEASURING && file.size <= MOST_MEASURED
  const bytes = measured ? readRegular(place, MOST_MEASURED) : readStart(place, HEAD)
  if (!(bytes instanceof Uint8Array)) return undefined
  const minified = measured ? classify(bytes, file.language) : undefined
  if (minified?.shape === 'minified') return { kind: 'minified', what: minified.detail }
  const decoded = decode(bytes.subarray(0, HEAD), file.encoding)
  if ('skip' in decoded) return undefined
  const header = findHeaderSign(decoded.text, own, BUNDLED.has(file.language ?? ''))
  return header && { kind: header.kind, line: header.line, what: header.words }
}

/** What the project calls itself: its folder, and the name in the manifest at its root. Its own banner is no other library's. */
function ownNames({ root }: Listing): Set<string> {
  const names = new Set([getName(root.split('/').at(-1) ?? '')])
  const manifest = readRegular(`${root}/package.json`, 1 << 20)
  const name =
    manifest instanceof Uint8Array && /"name"\s*:\s*"([^"]+)"/.exec(Buffer.from(manifest).toString('utf8'))?.[1]
  if (name) names.add(getName(name))
  return names
}
