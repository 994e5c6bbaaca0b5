import { BlobReader } from '../../repository/blobs.ts'
import { decode } from '../../repository/decode.ts'
import { readSource } from '../../repository/read.ts'
import type { SourceFile } from '../../repository/source-file.ts'
import { Positions } from '../../rules/positions.ts'
import type { Place, Secret } from './secret.ts'

/** Files of a scan by path, as far as reading them again goes. */
export type Sources = ReadonlyMap<string, SourceFile | { text: string }>

/**
 * The values of secrets, read again from where they were found, by the secrets' identities: findings never carry them. A file that
 * has gone or changed since gives another value or none; the caller compares identities.
 */
export async function valuesOf(
  root: string,
  secrets: readonly Secret[],
  sources: Sources,
  maxBytes: number,
): Promise<Map<string, string>> {
  const values = new Map<string, string>()
  const reader = new BlobReader(root)
  try {
    for (const { id, places } of secrets) {
      const place = places[0]!
      const text = await textOf(root, place, sources, reader, maxBytes)
      if (text === undefined) continue
      const positions = new Positions(text)
      const start = positions.offset(place.line, place.column)
      values.set(id, text.slice(start, positions.offset(place.end_line, place.end_column)))
    }
  } finally {
    reader.close()
  }
  return values
}

async function textOf(
  root: string,
  { file, commit }: Place,
  sources: Sources,
  reader: BlobReader,
  maxBytes: number,
): Promise<string | undefined> {
  if (commit !== undefined) return decoded((await reader.read([`${commit}:${file}`], maxBytes))[0])
  const source = sources.get(file)
  if (source === undefined) return undefined
  if ('text' in source) return source.text
  if (source.blob !== undefined) return decoded((await reader.read([source.blob], maxBytes))[0], source.encoding)
  return decoded(readSource(root, source, maxBytes), source.encoding)
}

function decoded(bytes: unknown, encoding?: string): string | undefined {
  if (!(bytes instanceof Uint8Array)) return undefined
  const result = decode(bytes, encoding)
  return 'text' in result ? result.text : undefined
}
