import { readSource } from '../base/disk/read.ts'
import type { Listing } from '../base/records/source-file.ts'
import { decode } from '../base/text/decode.ts'
import type { Config } from '../sources/config/load.ts'
import { compileExcludes } from '../sources/repository/exclude.ts'

/** The repository as importing sees it. */
export function makeGround({ root, files, skipped }: Listing, config: Config) {
  const byPath = new Map(files.map(file => [file.path, file]))
  const others = new Set(skipped.map(({ path }) => path))
  return {
    root,
    has: (path: string) => byPath.has(path) || others.has(path),
    excluded: excludedBy(config),
    textOf(path: string): string | undefined {
      const file = byPath.get(path)
      if (!file) return undefined
      const bytes = readSource(root, file, config.scan.max_file_bytes)
      const decoded = bytes instanceof Uint8Array ? decode(bytes, file.encoding) : undefined
      return decoded && 'text' in decoded ? decoded.text : undefined
    },
  }
}

/** Whether scan_exclude, that of the path's folder, leaves a path out. */
function excludedBy(config: Config): (path: string) => boolean {
  const compiled = new Map<readonly string[], (path: string) => boolean>()
  return path => {
    const { scan_exclude } = config.for(path)
    const excludes = compiled.get(scan_exclude) ?? compileExcludes(scan_exclude)
    compiled.set(scan_exclude, excludes)
    return excludes(path)
  }
}
