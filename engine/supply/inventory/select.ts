import { compileGlob } from '../../base/text/glob.ts'
import { FORMATS, type Format } from './formats.ts'

/** Bytes that a manifest may have; the largest lock files known have a tenth of it. */
export const MOST_BYTES = 64 * 2 ** 20

/** Finds the format of a path by name; undefined for files that are no manifest. */
export function compileFormats(formats: readonly Format[] = FORMATS): (path: string) => Format | undefined {
  const byName = new Map<string, Format>()
  const globs: { format: Format; takes: (path: string) => boolean; byPath: boolean }[] = []
  for (const format of formats)
    for (const pattern of format.files) {
      if (!/[*/{[]/.test(pattern)) {
        if (!byName.has(pattern)) byName.set(pattern, format)
      } else globs.push({ format, takes: compileGlob(pattern), byPath: pattern.includes('/') })
    }
  return path => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return byName.get(name) ?? globs.find(({ takes, byPath }) => takes(byPath ? path : name))?.format
  }
}
