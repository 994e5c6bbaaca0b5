import type { Finding } from '../finding.ts'
import { filesAround } from '../repository/archive-path.ts'
import type { Change, ChangedFile } from '../repository/changes.ts'
import { isTestPath, languageOf } from '../repository/languages.ts'
import type { SourceFile } from '../repository/source-file.ts'

/**
 * The changed files with their content from before the change, for those that have open findings and were there before. They
 * carry the path of now, so that a rename keeps findings' identity, and the size of now (`listed`), which is about that of before.
 */
export function filesBefore(change: Change, findings: readonly Finding[], listed: readonly SourceFile[]): SourceFile[] {
  const open = findings.filter(({ status }) => status === 'open')
  const wanted = new Set(open.flatMap(({ file }) => filesAround(file)))
  const sizes = new Map(listed.map(({ path, size }) => [path, size]))
  return change.files
    .filter(
      (file): file is ChangedFile & { before: { path: string; blob: string } } =>
        wanted.has(file.path) && file.before !== undefined,
    )
    .map(({ path, before }) => ({
      path,
      size: sizes.get(path) ?? 0,
      language: languageOf(path),
      in_test: isTestPath(path),
      blob: before.blob,
    }))
}

/** The findings, with those that were there before the change set aside as `baseline`: the change did not introduce them. */
export function markIntroduced(findings: readonly Finding[], before: ReadonlySet<string>): Finding[] {
  return findings.map(finding =>
    finding.status === 'open' && before.has(finding.fingerprint) ? { ...finding, status: 'baseline' } : finding,
  )
}
