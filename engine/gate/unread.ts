import type { Config } from '../config/load.ts'
import { languageOf } from '../repository/languages.ts'
import type { PartlyReason, PartlyScanned, Skip, SkipReason } from '../repository/source-file.ts'

/** Reasons for which no detector read the content of a file that is there. */
const NOT_READ: ReadonlySet<SkipReason | PartlyReason> = new Set([
  'binary',
  'undecodable',
  'too_large',
  'lfs_pointer',
  'mixed_encoding',
])

/** Languages of prose and of plain data, which no program runs. */
const NO_SOURCE: ReadonlySet<string> = new Set(
  'asciidoc bibtex csv diff gherkin graphviz ignore latex markdown org rst text'.split(' '),
)
/** Data that is often large, and is then searched for secrets only. */
const DATA: ReadonlySet<string> = new Set('html json toml xml yaml'.split(' '))

/** A file of a change whose name is that of source code, and that not every detector could read. */
export interface UnreadFile {
  path: string
  reason: SkipReason | PartlyReason
  detail?: string
}

/** The unread source files of a change, by path; none under `gate.unread: ignore`, where only the run's own lists have them. */
export function findUnread(
  { skipped, partly = [] }: { skipped: readonly Skip[]; partly?: readonly PartlyScanned[] },
  { gate }: Pick<Config, 'gate'>,
): UnreadFile[] {
  if (gate.unread === 'ignore') return []
  const found: UnreadFile[] = []
  for (const { path, reason, detail } of [...skipped, ...partly]) {
    if (!NOT_READ.has(reason) || !isSource(path, reason)) continue
    found.push({ path, reason, ...(detail !== undefined && { detail }) })
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function isSource(path: string, reason: string): boolean {
  const language = languageOf(path)
  if (language === null || NO_SOURCE.has(language)) return false
  return reason !== 'too_large' || !DATA.has(language)
}
