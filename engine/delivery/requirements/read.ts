import { readSource } from '../../base/disk/read.ts'
import type { Listing, SourceFile } from '../../base/records/source-file.ts'
import { decode } from '../../base/text/decode.ts'
import type { Config } from '../../sources/config/load.ts'
import { collectRequirements, findRequirementFiles, type ReadText } from './collect.ts'
import type { RequirementSet } from './model.ts'
import { MOST_REQUIREMENT_BYTES } from './yaml.ts'

/** Reads the requirements of a listing from the work tree; empty where it has none. */
export async function readRequirements(
  listing: Pick<Listing, 'root' | 'files'>,
  { requirements }: Pick<Config, 'requirements'>,
  signal?: AbortSignal,
): Promise<RequirementSet> {
  return collectRequirements(findRequirementFiles(listing, requirements.files), makeReadText(listing.root), signal)
}

/** Reads files of a work tree as text; links, and files that are no text, are refused with the reason. */
export function makeReadText(root: string, maxBytes = MOST_REQUIREMENT_BYTES): ReadText {
  return (file: SourceFile) => {
    if (file.blob !== undefined) return { reason: 'it is not in a working tree' }
    const bytes = readSource(root, file, maxBytes)
    if (!(bytes instanceof Uint8Array)) return { reason: bytes.detail ?? bytes.reason.replaceAll('_', ' ') }
    const decoded = decode(bytes, file.encoding)
    return 'text' in decoded ? decoded : { reason: 'it is no text' }
  }
}
