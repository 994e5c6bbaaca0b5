import type { Listing } from '../../base/records/source-file.ts'
import type { Config } from '../config/load.ts'
import { discover } from '../repository/discover.ts'

/** The files that a scan would look at; an empty list where there are none or no repository that can be read. */
export async function listScannedFiles(
  config: Pick<Config, 'root' | 'scan_exclude'>,
  signal: AbortSignal,
): Promise<Listing['files']> {
  return (await discover(config.root, { exclude: config.scan_exclude, signal })).files
}

/** The languages of these files. */
export function listLanguages(files: Listing['files']): Set<string> {
  return new Set(files.flatMap(({ language }) => language ?? []))
}
