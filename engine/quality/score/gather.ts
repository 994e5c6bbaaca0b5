import type { SourceFile } from '../../base/records/source-file.ts'
import { formatCount, groupDigits } from '../../base/text/words.ts'
import { SEVERITY_WEIGHT } from '../../findings/score.ts'
import type { FindingCount, StoredFile } from '../../sources/store/files.ts'
import type { FoundCoverage } from '../coverage/find.ts'
import { takesSkill } from '../expertise/areas.ts'
import { PROGRAM_LANGUAGES } from '../languages.ts'
import { findDominant, type LanguageConventions } from '../profile/conventions.ts'
import { isProgramFile } from '../sources.ts'
import { type DependencyHealth, describeDependencies } from './dependencies.ts'
import type { Checked, ConsistencyPart, DimensionId, FileComplexity, QualityInputs } from './dimensions.ts'
import type { QualityExcludes } from './excludes.ts'

/** The least tokens of a clone that counts: a function rather than a line. */
export const DUPLICATION_TOKENS = 100

/** Languages in which nothing is built or configured: a repository of these alone has no compliance. */
const PROSE = new Set('asciidoc bibtex csv diff ignore latex markdown org rst text'.split(' '))

/** What was read of a repository for its score. */
export interface Gathered {
  /** Files that are not excluded. */
  files: readonly SourceFile[]
  excludes: QualityExcludes
  conventions: readonly LanguageConventions[]
  /** Files that conventions were counted in, where they are fewer than there are. */
  sampled?: number
  coverage: FoundCoverage
  /** Of source files, tests aside: lines with a token, and those of them that are in a clone. */
  duplication: { lines: number; duplicated_lines: number }
  /** Results of `svc vulns` and `svc licenses`. */
  dependencies?: DependencyHealth
  /** The latest scan of the whole repository; absent where there is none. */
  run?: {
    id: string
    files: readonly StoredFile[]
    findings: readonly FindingCount[]
  }
}

/** The inputs of the score, and a sentence about each dimension. */
export function gatherInputs(gathered: Gathered): {
  inputs: QualityInputs
  details: Record<DimensionId, string>
} {
  const { run, excludes } = gathered
  const scanned = run?.files.filter(({ path }) => !excludes.isExcluded(path)) ?? []
  const complexity = scanned.flatMap(file => readComplexity(file) ?? [])
  const comments = sumComments(scanned)
  const { tests, coverage, detail } = gatherTests(gathered)
  const documentation = {
    public_declarations: sum(gathered.conventions, each => each.public_declarations),
    documented: sum(gathered.conventions, each => each.documented),
  }
  const findings = run?.findings.filter(({ file }) => !excludes.isExcluded(file)) ?? []
  // Lines of data and prose are none in which code goes wrong: they would thin the findings out.
  const lines = sum(
    scanned.filter(({ language }) => takesSkill({ kind: 'language', name: language })),
    ({ code_lines, lines }) => code_lines ?? lines ?? 0,
  )
  const isJudged = run !== undefined && gathered.files.some(({ language }) => language !== null && !PROSE.has(language))
  return {
    inputs: {
      ...(isJudged && {
        compliance: {
          weighted_findings: sum(findings, ({ severity, count }) => count * SEVERITY_WEIGHT[severity]),
          lines,
        },
      }),
      complexity,
      tests,
      ...(coverage && { coverage }),
      documentation,
      ...(comments && { comments }),
      consistency: gatherConsistency(gathered.conventions),
      duplication: {
        token_lines: gathered.duplication.lines,
        duplicated_lines: gathered.duplication.duplicated_lines,
      },
      ...(gathered.dependencies && { dependencies: gathered.dependencies }),
    },
    details: {
      compliance: run
        ? describeCompliance(
            run.id,
            sum(findings, ({ count }) => count),
            lines,
            isJudged,
          )
        : 'no data: no scan of the whole repository is stored (svc scan)',
      complexity:
        complexity.length > 0
          ? `${formatCount(complexity.length, 'file')} with functions in run ${run!.id}`
          : run
            ? `no data: run ${run.id} has no complexity metrics`
            : 'no data: no scan of the whole repository is stored (svc scan)',
      test_coverage: detail,
      documentation: describeDocumentation(documentation.public_declarations, comments !== undefined, gathered.sampled),
      consistency: describeConsistency(gathered),
      dependency_health: describeDependencies(gathered.dependencies ?? {}),
    },
  }
}

function describeCompliance(id: string, findings: number, lines: number, isJudged: boolean): string {
  const found = `${formatCount(findings, 'finding')} of run ${id}, suppressed ones aside`
  return isJudged
    ? `${found}, in ${formatCount(lines, 'line')} of code`
    : `no data: the repository has neither code nor settings (${found})`
}

/** The complexity of a file with functions; undefined where the run has no such metrics. */
function readComplexity(file: StoredFile): FileComplexity | undefined {
  const { functions, max_cyclomatic, max_nesting, longest_function } = file
  if (!functions || max_cyclomatic === null || max_nesting === null || longest_function === null) return undefined
  return { functions, max_cyclomatic, max_nesting, longest_function }
}

function sumComments(files: readonly StoredFile[]): QualityInputs['comments'] {
  const counted = files.filter(
    ({ language, comment_lines, code_lines }) =>
      PROGRAM_LANGUAGES.has(language) && comment_lines !== null && code_lines !== null,
  )
  if (counted.length === 0) return undefined
  return {
    comment_lines: sum(counted, each => each.comment_lines ?? 0),
    code_lines: sum(counted, each => each.code_lines ?? 0),
  }
}

/** The ratio of tests, the coverage of source files where a report names them, and what to say of both. */
function gatherTests({ files, excludes, coverage }: Gathered) {
  const programs = files.filter(isProgramFile)
  const sources = new Set(programs.filter(({ in_test }) => !in_test).map(({ path }) => path))
  const tests = { source_files: sources.size, test_files: programs.length - sources.size }
  const units = [...coverage.files]
    .filter(([path]) => sources.has(path))
    .flatMap(([, file]) => [...file.units.values()])
  const covered = sum(units, ({ hit, weight }) => (hit ? weight : 0))
  const total = sum(units, ({ weight }) => weight)
  const named = [...coverage.files.keys()].filter(path => sources.has(path)).length
  const ratio = `${formatCount(tests.test_files, 'test file')} for ${formatCount(tests.source_files, 'source file')}`
  const parts: string[] = []
  for (const { path, format, matched, files: all } of coverage.reports)
    parts.push(`${path} (${format}): ${groupDigits(matched)} of its ${formatCount(all, 'file')} matched`)
  if (total > 0) parts.push(`it covers ${groupDigits(named)} of ${formatCount(sources.size, 'source file')}; ${ratio}`)
  else if (coverage.reports.length > 0) parts.push(`no source file matched, so the ratio counts: ${ratio}`)
  else parts.push(sources.size === 0 ? 'no data: no source files' : `no coverage report found; ${ratio}`)
  for (const { path, reason } of coverage.skipped) parts.push(`${path} is no coverage report: ${reason}`)
  if (excludes.ignored.length > 0)
    parts.push(`scan_exclude is applied without ${excludes.ignored.join(', ')}, which would hide tests`)
  return { tests, ...(total > 0 && { coverage: { covered, total } }), detail: parts.join('; ') }
}

/** Deviations from the convention of the language, and from the most frequent form in its files. */
function gatherConsistency(conventions: readonly LanguageConventions[]): Record<ConsistencyPart, Checked> {
  const minority = (form: 'indentation' | 'file_names'): Checked => {
    const counted = conventions.map(each => {
      const checked = sum(Object.values(each[form]), n => n)
      return { checked, deviating: checked - (findDominant(each[form])?.count ?? 0) }
    })
    return { checked: sum(counted, each => each.checked), deviating: sum(counted, each => each.deviating) }
  }
  return {
    names: {
      checked: sum(conventions, each => each.names),
      deviating: sum(conventions, each => each.deviating_names),
    },
    indentation: minority('indentation'),
    file_names: minority('file_names'),
  }
}

function describeDocumentation(declarations: number, hasComments: boolean, sampled?: number): string {
  const of = sampled === undefined ? '' : ` of a sample of ${formatCount(sampled, 'file')}`
  const comments = hasComments ? 'comment lines of source and test files' : 'no comment metrics in the run'
  if (declarations === 0) return hasComments ? comments : 'no data: no public declarations and no comment metrics'
  return `${formatCount(declarations, 'public declaration')}${of}, read line by line; ${comments}`
}

function describeConsistency({ conventions, sampled }: Gathered): string {
  const counted = conventions.filter(({ names, indentation }) => names > 0 || Object.keys(indentation).length > 0)
  if (counted.length === 0) return 'no data: no source files'
  const of = sampled === undefined ? '' : `, in a sample of ${formatCount(sampled, 'file')}`
  return `names against the convention of ${counted.map(({ language }) => language).join(', ')}; indentation and file names against the most frequent form${of}; clones of ${DUPLICATION_TOKENS} tokens and more in source files`
}

function sum<T>(items: Iterable<T>, value: (item: T) => number): number {
  let total = 0
  for (const item of items) total += value(item)
  return total
}
