import { detectLanguage } from '../base/languages/languages.ts'
import { makeGapKey, type NotEvaluated } from '../base/records/run.ts'
import type { PartlyReason, PartlyScanned, Skip, SkipReason } from '../base/records/source-file.ts'
import type { Config } from '../sources/config/load.ts'

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

/** Languages of programs that are minified for delivery; what is minified of any other is data or a style sheet. */
const MINIFIED_SOURCE: ReadonlySet<string> = new Set(['javascript', 'typescript'])
/** Paths of what was built from source code, or was taken over from elsewhere. */
const BUILT = /(?:^|\/)(?:dist|vendor|vendored|third[-_]party|node_modules|bower_components|\.yarn)\/|[.-]min\.[^./]+$/i

/** A file that was not read, or only in part. */
type Unread = Pick<Skip | PartlyScanned, 'path' | 'reason'> & { language?: string | null }

/** A source file of a change that not every detector could read. */
export interface UnreadFile {
  path: string
  reason: SkipReason | PartlyReason
  detail?: string
  /** It is minified, and its path is that of what was built or taken over: it fails nothing. */
  isBuilt?: true
}

/** What a scan came to, as far as it says which files were read. */
export interface Looked {
  skipped: readonly Skip[]
  partly?: readonly PartlyScanned[]
}

/** What was known of a change's files before it: that one was minified then is no news. */
export interface Known {
  gaps: ReadonlySet<string>
  /** What .gitattributes say of a file. */
  isForeign: (path: string) => boolean
}

/** That a file is minified, as a gap of the state before the change. */
export function makeMinifiedGap(path: string): Pick<NotEvaluated, 'file' | 'rule_id'> {
  return { file: path, rule_id: 'minified' }
}

/** The paths of source files that count as minified. */
export function listMinifiedSources({ partly = [] }: Pick<Looked, 'partly'>): string[] {
  return partly.filter(isMinifiedSource).map(({ path }) => path)
}

/** The unread source files of a change, by path; none under `gate.unread: ignore`, where only the run's own lists have them. */
export function findUnread(
  { skipped, partly = [] }: Looked,
  { gate }: Pick<Config, 'gate'>,
  known?: Known,
): UnreadFile[] {
  if (gate.unread === 'ignore') return []
  const found: UnreadFile[] = []
  for (const file of [...skipped, ...partly]) {
    const { path, reason, detail } = file
    const isMinified = isMinifiedSource(file) && !known?.gaps.has(makeGapKey(makeMinifiedGap(path)))
    if (!isMinified && !(NOT_READ.has(reason) && isSource(file))) continue
    const isBuilt = isMinified && (BUILT.test(path) || known?.isForeign(path) === true)
    found.push({ path, reason, ...(detail !== undefined && { detail }), ...(isBuilt && { isBuilt }) })
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Whether a file that could not be read, or only in part, is source code: what is built, data or prose fails no change. */
export function isUnreadSource(file: Unread): boolean {
  if (isMinifiedSource(file)) return !BUILT.test(file.path)
  return NOT_READ.has(file.reason) && isSource(file)
}

/** Padding makes any code count as minified, and then no rule that parses is asked. */
function isMinifiedSource(file: Unread): boolean {
  return file.reason === 'minified' && MINIFIED_SOURCE.has(languageIn(file) ?? '')
}

function isSource(file: Unread): boolean {
  const language = languageIn(file)
  if (language === null || NO_SOURCE.has(language)) return false
  return file.reason !== 'too_large' || !DATA.has(language)
}

function languageIn({ path, language }: Unread): string | null {
  return detectLanguage(path) ?? language ?? null
}
