import { readSource } from '../../base/disk/read.ts'
import type { Listing, SourceFile } from '../../base/records/source-file.ts'
import { decode } from '../../base/text/decode.ts'
import { BlobReader } from '../../sources/repository/blobs.ts'
import { ORDERED_ECOSYSTEMS } from '../versions/covered.ts'
import type { Format } from './formats.ts'
import { compileFormats, MOST_BYTES } from './select.ts'
import { normalizeText, refuseUnusable } from './syntax/whole.ts'

/**
 * The first manifest or lock file that names a package which advisories could be about; undefined where there is none. It reads the small
 * files first and no more than it must. A file that cannot be read counts: what it names is not known.
 */
export async function findFirstPackage(
  { root, files }: Pick<Listing, 'root' | 'files'>,
  signal?: AbortSignal,
): Promise<{ file: string } | undefined> {
  const formatOf = compileFormats()
  const chosen = files.flatMap(file => {
    const format = formatOf(file.path)
    return format?.load === undefined ? [] : [{ file, format }]
  })
  if (chosen.length === 0) return undefined
  chosen.sort((a, b) => a.file.size - b.file.size || (a.file.path < b.file.path ? -1 : 1))
  const blobs = new BlobReader(root)
  try {
    for (const { file, format } of chosen) {
      signal?.throwIfAborted()
      if (await namesPackage(root, file, format, blobs)) return { file: file.path }
    }
    return undefined
  } finally {
    blobs.close()
  }
}

async function namesPackage(root: string, file: SourceFile, format: Format, blobs: BlobReader): Promise<boolean> {
  const content =
    file.blob === undefined ? readSource(root, file, MOST_BYTES) : (await blobs.read([file.blob], MOST_BYTES))[0]!
  const covered: ReadonlySet<string> = new Set(ORDERED_ECOSYSTEMS)
  const counts = ({ ecosystem = format.ecosystem, version }: { ecosystem?: string; version?: string }) =>
    covered.has(ecosystem) && (ecosystem !== 'GitHub Actions' || /^v?\d+\.\d+\.\d+/.test(version ?? ''))
  if (!(content instanceof Uint8Array)) return covered.has(format.ecosystem)
  const decoded = decode(content, file.encoding)
  if (!('text' in decoded)) return covered.has(format.ecosystem)
  try {
    const text = normalizeText(decoded.text)
    refuseUnusable(text)
    const { entries = [], projects = [], faults = [] } = (await format.load!()).parse(text, file.path)
    return (
      entries.some(counts) ||
      projects.some(({ declares = [] }) => declares.some(counts)) ||
      (faults.length > 0 && covered.has(format.ecosystem))
    )
  } catch {
    return covered.has(format.ecosystem)
  }
}
