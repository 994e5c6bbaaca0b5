/** Kinds of archives that are opened. */
export type ArchiveKind = 'zip' | 'tar' | 'tar.gz' | 'gz'

const NAMES: readonly [RegExp, ArchiveKind][] = [
  [/\.(?:zip|jar|war|ear|aar|apk|ipa|whl|egg|nupkg|vsix|xpi|hpi|jpi|kmz)$/i, 'zip'],
  [/\.(?:tar\.gz|tgz|crate|gem\.gz)$/i, 'tar.gz'],
  [/\.(?:tar|gem|ova)$/i, 'tar'],
  [/\.gz$/i, 'gz'],
]

/** Bytes of an archive that are read; a larger one is too large, as any file may be. */
export const MOST_ARCHIVE_BYTES = 64 << 20

/** What kind of archive a path names, by its ending; undefined for anything else. */
export function detectArchiveKind(path: string): ArchiveKind | undefined {
  return NAMES.find(([name]) => name.test(path))?.[1]
}

/** Whether the bytes begin as the kind does: names lie, and a large file may be a pointer to where it is kept. */
export function isArchive(kind: ArchiveKind, bytes: Uint8Array): boolean {
  if (kind === 'zip') return bytes[0] === 0x50 && bytes[1] === 0x4b
  if (kind === 'tar') return Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar'
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}
