import { readSource } from '../../base/disk/read.ts'
import type { Listing } from '../../base/records/source-file.ts'
import { decode } from '../../base/text/decode.ts'

/** The texts of files of a listing, `contents` before those on disk; the reason where one of them is not to be had whole. */
export function readCode(
  paths: readonly string[],
  { root, files }: Pick<Listing, 'root' | 'files'>,
  maxBytes: number,
  contents?: ReadonlyMap<string, Uint8Array>,
): { files: { path: string; text: string }[] } | { reason: string } {
  const known = new Map(files.map(file => [file.path, file]))
  const read: { path: string; text: string }[] = []
  for (const path of paths) {
    const file = known.get(path)
    const bytes =
      contents?.get(path) ?? (file?.blob === undefined ? file && readSource(root, file, maxBytes) : undefined)
    const decoded = bytes instanceof Uint8Array ? decode(bytes, file?.encoding) : undefined
    if (decoded === undefined || !('text' in decoded)) return { reason: `${path} cannot be read` }
    read.push({ path, text: decoded.text })
  }
  return { files: read }
}
