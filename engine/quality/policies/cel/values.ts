import type { CelInput } from '@bufbuild/cel'
import type { FileMetrics } from '../../../base/records/file-metrics.ts'
import type { Finding } from '../../../base/records/finding.ts'
import type { RuleNaming } from '../../../base/records/rule-ids.ts'
import type { SourceFile } from '../../../base/records/source-file.ts'
import type { GitFacts, LastChange } from '../facts.ts'
import type { Dependency } from '../manifests/manifest.ts'

/** An object of an expression; whole numbers are bigint, as the language's int is. */
export type CelObject = Record<string, CelInput>

/** What is known of a file beside the listing. */
export interface FileExtra {
  metrics?: FileMetrics | undefined
  change?: LastChange | undefined
}

/** A file as expressions see it; what is not known has no field, so that an expression that asks for it is not evaluated. */
export function toFileObject({ path, size, language, in_test }: SourceFile, { metrics, change }: FileExtra): CelObject {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return {
    ...{ path, name, folder: path.slice(0, Math.max(0, path.length - name.length - 1)) },
    ...{ extension: dot > 0 ? name.slice(dot + 1) : '', language: language ?? '', size: BigInt(size), in_test },
    ...toIntegers(metrics ?? {}),
    ...(change && { last_author: change.last_author, days_since_change: BigInt(change.days_since_change) }),
  }
}

/** A directory as expressions see it. */
export function toFolderObject(path: string, files: CelObject[]): CelObject {
  return { path, name: path.slice(path.lastIndexOf('/') + 1), files }
}

/** A dependency as expressions see it. */
export function toDependencyObject({ line, pinned, ...rest }: Dependency): CelObject {
  return { ...rest, line: BigInt(line), ...(pinned !== undefined && { pinned }) }
}

/** A finding as expressions see it: as rules report it, before suppressions and the baseline. */
export function toFindingObject(finding: Finding, nameRule: RuleNaming): CelObject {
  const { base_severity, category, title, file, line, cwe, in_test } = finding
  return {
    rule: nameRule(finding),
    severity: base_severity,
    category,
    title,
    file,
    line: BigInt(line),
    cwe: [...cwe],
    in_test,
  }
}

/** The repository's state in git as expressions see it. */
export function toGitObject({ days_since_last_commit, ...rest }: GitFacts): CelObject {
  return { ...rest, days_since_last_commit: BigInt(days_since_last_commit) }
}

function toIntegers(numbers: Partial<Record<string, number | null>>): CelObject {
  const known = Object.entries(numbers).filter(([, value]) => typeof value === 'number' && Number.isFinite(value))
  return Object.fromEntries(known.map(([name, value]) => [name, BigInt(Math.trunc(value!))]))
}
