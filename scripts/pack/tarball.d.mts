/** A file of a package. */
export interface Packed {
  to: string
  content: Buffer
  mode: number
}

/** The package.json of the checkout. */
export const own: { name: string; version: string; bin: Record<string, string> }
/** The files of a platform's package. */
export function listPackageFiles(platform: string, fields: Record<string, unknown>): Packed[]
/** Writes an npm tarball; sizes in bytes. */
export function writeTarball(
  path: string,
  files: readonly Packed[],
): Promise<{ size: number; unpacked: number; sha256: string }>
