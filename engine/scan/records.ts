import { decodeMetric, encodeMetric, METRIC_NAMES, makeMetrics } from '../base/records/file-metrics.ts'
import type { FixEdit } from '../base/records/finding.ts'
import type { PartlyScanned, Skip, SourceFile } from '../base/records/source-file.ts'
import type { Excluded, RuleFailure, Silence } from '../detect/rules/file-outcome.ts'
import type { InlineIgnore } from '../detect/rules/inline.ts'
import type { Match, MatchAlias } from '../detect/rules/match.ts'
import type { ReleaseFacts } from '../detect/rules/release-facts.ts'
import type { FileReport } from './batch.ts'

/**
 * What a batch came to, in the form in which it crosses the thread: two columns of numbers that are handed over without
 * a copy, one text, and the few things that are rare. Objects per file or match would cost more to clone than to compute.
 */
export interface Records {
  /** FILE_FIELDS numbers a file, in the batch's order: verified, language (-1 for a skipped file), bytes, and the metrics. */
  files: Int32Array
  /** MATCH_FIELDS numbers a match. */
  matches: Int32Array
  /** Fingerprint, snippet and note of each match, separated by NUL. */
  texts: string
  languages: string[]
  skips: Skip[]
  partly: { file: number; partly: Omit<PartlyScanned, 'path'> }[]
  /** Paths in archives. */
  inners: [match: number, inner: string][]
  aliases: [match: number, also: MatchAlias[]][]
  edits: [match: number, edits: FixEdit[]][]
  flows: [match: number, flow: NonNullable<Match['flow']>][]
  failures: ({ file: number } & RuleFailure)[]
  ignores: { file: number; ignores: InlineIgnore[] }[]
  silenced: { file: number; silenced: Silence[] }[]
  excluded: { file: number; excluded: Excluded[] }[]
  releases: { file: number; releases: ReleaseFacts }[]
}

export const FILE_FIELDS = 3 + METRIC_NAMES.length
export const MATCH_FIELDS = 7

/** Packs the reports of a batch. */
export function encodeRecords(reports: readonly FileReport[]): Records {
  const languages: string[] = []
  const indexOf = new Map<string, number>()
  const matches: number[] = []
  const texts: string[] = []
  const files = new Int32Array(reports.length * FILE_FIELDS)
  const records: Omit<Records, 'matches' | 'texts'> = {
    files,
    languages,
    skips: [],
    partly: [],
    inners: [],
    aliases: [],
    edits: [],
    flows: [],
    failures: [],
    ignores: [],
    silenced: [],
    excluded: [],
    releases: [],
  }
  reports.forEach(({ language, bytes, outcome, skip, partly, verified }, index) => {
    files[index * FILE_FIELDS] = verified ? 1 : 0
    if (skip) records.skips.push(skip)
    if (partly) records.partly.push({ file: index, partly })
    if (!outcome) {
      files[index * FILE_FIELDS + 1] = -1
      return
    }
    let languageIndex = indexOf.get(language)
    if (languageIndex === undefined) {
      languageIndex = languages.push(language) - 1
      indexOf.set(language, languageIndex)
    }
    files.set(
      [languageIndex, bytes, ...METRIC_NAMES.map(name => encodeMetric(outcome.pass[name]))],
      index * FILE_FIELDS + 1,
    )
    for (const match of outcome.matches) {
      if (match.inner !== undefined) records.inners.push([matches.length / MATCH_FIELDS, match.inner])
      if (match.also) records.aliases.push([matches.length / MATCH_FIELDS, match.also])
      if (match.edits) records.edits.push([matches.length / MATCH_FIELDS, match.edits])
      if (match.flow) records.flows.push([matches.length / MATCH_FIELDS, match.flow])
      matches.push(
        index,
        match.rule,
        match.line,
        match.column,
        match.end_line,
        match.end_column,
        Math.round(match.confidence * 1000),
      )
      texts.push(match.fingerprint, match.snippet, match.note ?? '')
    }
    for (const failure of outcome.failures) records.failures.push({ file: index, ...failure })
    if (outcome.ignores.length > 0) records.ignores.push({ file: index, ignores: outcome.ignores })
    if (outcome.silenced) records.silenced.push({ file: index, silenced: outcome.silenced })
    if (outcome.excluded) records.excluded.push({ file: index, excluded: outcome.excluded })
    if (outcome.releases) records.releases.push({ file: index, releases: outcome.releases })
  })
  return { ...records, matches: Int32Array.from(matches), texts: texts.join('\0') }
}

/** The reports of a batch again, for the files it was made of. */
export function decodeRecords(sources: readonly SourceFile[], records: Records): FileReport[] {
  const skips = new Map(records.skips.map(skip => [skip.path, skip]))
  const reports = sources.map((file, index): FileReport => {
    const fields = records.files.subarray(index * FILE_FIELDS, (index + 1) * FILE_FIELDS)
    const [known = 0, language = -1, bytes = 0] = fields
    const skip = skips.get(file.path)
    const verified = known === 1
    if (language === -1)
      return { file, language: file.language ?? 'text', bytes: file.size, verified, ...(skip ? { skip } : {}) }
    const pass = makeMetrics((_, at) => decodeMetric(fields[3 + at]!))
    const outcome = { pass, matches: [], failures: [], ignores: [], parsed: false }
    return { file, language: records.languages[language]!, bytes, verified, outcome, ...(skip ? { skip } : {}) }
  })
  for (const { file, ...failure } of records.failures) reports[file]!.outcome!.failures.push(failure)
  for (const { file, partly } of records.partly) reports[file]!.partly = partly
  for (const { file, excluded } of records.excluded) reports[file]!.outcome!.excluded = excluded
  for (const { file, releases } of records.releases) reports[file]!.outcome!.releases = releases
  for (const { file, ignores } of records.ignores) reports[file]!.outcome!.ignores = ignores
  for (const { file, silenced } of records.silenced) reports[file]!.outcome!.silenced = silenced
  decodeMatches(records, (file, match) => reports[file]!.outcome!.matches.push(match))
  return reports
}

function decodeMatches(
  { matches, texts, inners, aliases, edits, flows }: Records,
  take: (file: number, match: Match) => void,
): void {
  if (matches.length === 0) return
  const parts = texts.split('\0')
  const innerOf = new Map(inners)
  const aliasesOf = new Map(aliases)
  const editsOf = new Map(edits)
  const flowOf = new Map(flows)
  for (let i = 0; i * MATCH_FIELDS < matches.length; i++) {
    const at = i * MATCH_FIELDS
    const match: Match = {
      rule: matches[at + 1]!,
      line: matches[at + 2]!,
      column: matches[at + 3]!,
      end_line: matches[at + 4]!,
      end_column: matches[at + 5]!,
      confidence: matches[at + 6]! / 1000,
      fingerprint: parts[i * 3]!,
      snippet: parts[i * 3 + 1]!,
    }
    if (parts[i * 3 + 2]) match.note = parts[i * 3 + 2]!
    const inner = innerOf.get(i)
    if (inner !== undefined) match.inner = inner
    const also = aliasesOf.get(i)
    if (also) match.also = also
    const own = editsOf.get(i)
    if (own) match.edits = own
    const flow = flowOf.get(i)
    if (flow) match.flow = flow
    take(matches[at]!, match)
  }
}
