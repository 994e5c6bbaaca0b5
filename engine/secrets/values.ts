import { readSource } from '../base/disk/read.ts'
import { detectLanguage } from '../base/languages/languages.ts'
import type { SourceFile } from '../base/records/source-file.ts'
import { decode } from '../base/text/decode.ts'
import { Positions } from '../base/text/positions.ts'
import { readEntries } from '../detect/archive/entries.ts'
import { detectArchiveKind, MOST_ARCHIVE_BYTES } from '../detect/archive/kind.ts'
import { BOUNDS } from '../detect/archive/scan.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import { findHidden } from '../detect/secrets/hidden/find.ts'
import { identifySecret } from '../detect/secrets/identity.ts'
import { runFormat } from '../detect/secrets/run.ts'
import { BlobReader } from '../sources/repository/blobs.ts'
import type { Place, Secret } from './secret.ts'

/** What is known of the scan that found the secrets. */
export interface Known {
  /** Files by path, as far as reading them again goes. */
  sources: ReadonlyMap<string, SourceFile | { text: string }>
  rules: ReadonlyMap<string, CompiledRule>
  /** Under which identities were made. */
  key: string
  maxBytes: number
}

/**
 * The values of secrets, read again from where they were found, by the secrets' identities: findings never carry them. One that can no
 * longer be found, since the file has gone or changed, is left out.
 */
export async function readValues(root: string, secrets: readonly Secret[], known: Known): Promise<Map<string, string>> {
  const values = new Map<string, string>()
  const reader = new BlobReader(root)
  try {
    for (const { id, rule_id, places } of secrets) {
      const place = places.find(each => each.rule_id === rule_id) ?? places[0]!
      const text = await textOf(root, place, known, reader)
      if (text === undefined) continue
      for (const value of readings(text, place, known.rules.get(rule_id))) {
        if (identifySecret(known.key, value) !== id) continue
        values.set(id, value)
        break
      }
    }
  } finally {
    reader.close()
  }
  return values
}

/** What the place may say: what stands there, then what that means once it is decoded or put together. */
function* readings(text: string, place: Place, rule: CompiledRule | undefined): Generator<string> {
  const positions = new Positions(text)
  const start = positions.offset(place.line, place.column)
  yield text.slice(start, positions.offset(place.end_line, place.end_column))
  if (rule?.type !== 'secret' || rule.detector.format === undefined) return
  const bytes = Buffer.from(text, 'latin1')
  const language = detectLanguage(place.file) ?? 'text'
  for (const stretch of findHidden(text, bytes, language, { escapes: true, joints: true }))
    for (const { start: from, end } of runFormat(rule, stretch.text)) yield stretch.text.slice(from, end)
}

async function textOf(root: string, place: Place, known: Known, reader: BlobReader): Promise<string | undefined> {
  for (let at = place.file.indexOf('!'); at !== -1; at = place.file.indexOf('!', at + 1)) {
    const outer = { ...place, file: place.file.slice(0, at) }
    const kind = detectArchiveKind(outer.file)
    if (kind === undefined) continue
    const archive = (await contentOf(root, outer, { ...known, maxBytes: MOST_ARCHIVE_BYTES }, reader))?.bytes
    if (!archive) continue
    let found: string | undefined
    const bounds = { ...BOUNDS, entry_bytes: known.maxBytes, time_ms: Number.POSITIVE_INFINITY }
    await readEntries(archive, { kind, name: outer.file }, bounds, ({ path, bytes }) => {
      if (path === place.file.slice(at + 1)) found = decoded(bytes)
    }).catch(() => undefined)
    return found
  }
  const content = await contentOf(root, place, known, reader)
  return content && ('text' in content ? content.text : decoded(content.bytes, content.encoding))
}

async function contentOf(
  root: string,
  { file, commit }: Place,
  { sources, maxBytes }: Known,
  reader: BlobReader,
): Promise<{ text: string; bytes?: undefined } | { bytes: Uint8Array; encoding?: string } | undefined> {
  const source = sources.get(file)
  if (source && 'text' in source) return { text: source.text }
  const blob = commit === undefined ? source?.blob : `${commit}:${file}`
  const bytes =
    blob !== undefined ? (await reader.read([blob], maxBytes))[0] : source && readSource(root, source, maxBytes)
  return bytes instanceof Uint8Array
    ? { bytes, ...(source?.encoding !== undefined && { encoding: source.encoding }) }
    : undefined
}

function decoded(bytes: Uint8Array, encoding?: string): string | undefined {
  const result = decode(bytes, encoding)
  return 'text' in result ? result.text : undefined
}
