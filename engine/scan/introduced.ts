import { detectLanguage, isTestPath } from '../base/languages/languages.ts'
import { listContainers } from '../base/records/archive-path.ts'
import type { Finding } from '../base/records/finding.ts'
import type { SourceFile } from '../base/records/source-file.ts'
import type { Change, ChangedFile } from '../sources/repository/changes.ts'

/** What the rules came to in the files as they were before a change. */
export interface Before {
  fingerprints: ReadonlySet<string>
  /** Those of them that an inline suppression covered. */
  suppressed: ReadonlySet<string>
  /** What could not be evaluated, by `makeGapKey`; that a source file was minified is one too. */
  gaps: ReadonlySet<string>
}

/**
 * The changed files of these paths with their content from before the change, where they were there. They
 * carry the path of now, so that a rename keeps findings' identity, and the size of now (`listed`), which is about that of before.
 */
export function readFilesBefore(change: Change, paths: readonly string[], listed: readonly SourceFile[]): SourceFile[] {
  const wanted = new Set(paths.flatMap(listContainers))
  const sizes = new Map(listed.map(({ path, size }) => [path, size]))
  return change.files
    .filter(
      (file): file is ChangedFile & { before: { path: string; blob: string } } =>
        wanted.has(file.path) && file.before !== undefined,
    )
    .map(({ path, before }) => ({
      path,
      size: sizes.get(path) ?? 0,
      language: detectLanguage(path),
      in_test: isTestPath(path),
      blob: before.blob,
    }))
}

/** Findings that an inline suppression covers which it did not cover before the change. */
export function listNewlySuppressed(findings: readonly Finding[], before: Before): Finding[] {
  return findings.filter(finding => isInline(finding) && !before.suppressed.has(finding.fingerprint))
}

/** Whether an inline suppression covers the finding. */
export function isInline({ status, suppression }: Finding): boolean {
  return status === 'suppressed' && suppression?.kind === 'inline'
}

/** The findings, with those that were there before the change set aside as `baseline`: the change did not introduce them. */
export function markIntroduced(findings: readonly Finding[], before: ReadonlySet<string>): Finding[] {
  return findings.map(finding =>
    finding.status === 'open' && before.has(finding.fingerprint) ? { ...finding, status: 'baseline' } : finding,
  )
}
