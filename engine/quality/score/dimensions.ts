import type { DependencyHealth } from './dependencies.ts'

/** The six dimensions of the quality score, with the specification's weights in percent. */
export const DIMENSIONS = [
  { id: 'compliance', name: 'Compliance', weight: 25 },
  { id: 'complexity', name: 'Complexity', weight: 20 },
  { id: 'test_coverage', name: 'Test coverage', weight: 15 },
  { id: 'documentation', name: 'Documentation', weight: 10 },
  { id: 'consistency', name: 'Consistency', weight: 15 },
  { id: 'dependency_health', name: 'Dependency health', weight: 15 },
] as const

export type DimensionId = (typeof DIMENSIONS)[number]['id']

/** What one dimension came to. */
export interface Dimension {
  id: DimensionId
  name: string
  /** In percent of the whole score. */
  weight: number
  /** 0 to 100, one decimal; null where there is no data, which is left out of the score. */
  score: number | null
  /** One sentence: what was measured and how, or why there is no data. */
  detail: string
  formula: string
  /** The numbers that went into the formula. */
  inputs: Readonly<Record<string, number>>
}

/** What was measured; a part that is absent has no data. */
export interface QualityInputs {
  compliance?: { weighted_findings: number; lines: number }
  complexity?: readonly FileComplexity[]
  tests?: { source_files: number; test_files: number }
  /** Of a coverage report, over the source files that it names. */
  coverage?: { covered: number; total: number }
  documentation?: { public_declarations: number; documented: number }
  comments?: { comment_lines: number; code_lines: number }
  consistency?: Readonly<Record<ConsistencyPart, Checked>>
  /** Of source files, tests aside. */
  duplication?: { token_lines: number; duplicated_lines: number }
  dependencies?: DependencyHealth
}

/** The worst function of a file, and how many functions it has. */
export interface FileComplexity {
  functions: number
  max_cyclomatic: number
  max_nesting: number
  longest_function: number
}

export type ConsistencyPart = 'names' | 'indentation' | 'file_names'

/** How many were compared with a convention, and how many deviate. */
export interface Checked {
  checked: number
  deviating: number
}

/** One part of a dimension. */
type Part = [score: number, weight: number]

/** The parts of a dimension, none where there is no data, and the numbers that went into them. */
interface Scored {
  parts: Part[]
  inputs: Record<string, number>
}

/** Weighted findings per 1,000 lines at which compliance is 50. */
const HALF_DENSITY = 10
/** A smaller repository is taken for one of so many lines, so that one finding in ten lines is not a density of 100. */
const LEAST_LINES = 1000
/** Values at which a part of complexity is 100, and at which it is 0. */
const LIMITS = { max_cyclomatic: [10, 50], max_nesting: [4, 10], longest_function: [50, 300] } as const
/** The parts of consistency in the score of the dimension. */
const CONSISTENCY: Record<ConsistencyPart, number> = { names: 0.5, indentation: 0.15, file_names: 0.15 }
const DUPLICATION = 0.2
/** Shares of duplicated lines at which that part is 100, and at which it is 0. */
const DUPLICATED_LIMITS = [0.03, 0.3] as const
/** Test files per source file at which the ratio is full. */
const FULL_RATIO = 0.5
/** Share of comment lines at which comments are full. */
const FULL_COMMENTS = 0.15

/** How each dimension is computed. */
export const FORMULAS: Record<DimensionId, string> = {
  compliance: `100 · ${HALF_DENSITY} / (${HALF_DENSITY} + d), d = weighted findings per 1,000 lines (critical 10, high 5, medium 2, low 1; at least 1,000 lines)`,
  complexity:
    '0.4 cyclomatic + 0.3 nesting + 0.3 length, each the mean over files weighted by functions: 100 up to 10, 4 and 50, 0 from 50, 10 and 300, linear between',
  test_coverage: `covered lines / lines of the coverage report · 100; without a report min(1, test files / source files / ${FULL_RATIO}) · 100`,
  documentation: `0.7 documented public declarations / public declarations · 100 + 0.3 min(1, comment share / ${FULL_COMMENTS}) · 100`,
  consistency:
    '0.5 names + 0.15 indentation + 0.15 file names, each 100 · (1 − deviating / checked), + 0.2 duplication: 100 up to 3 % duplicated lines, 0 from 30 % on, linear between',
  dependency_health:
    '0.7 max(0, 100 − 25 critical − 10 high − 3 medium − low) of open vulnerabilities + 0.3 · 100 · (1 − (dependencies of high license risk + half of those of medium) / dependencies)',
}

/**
 * Each dimension's score from what was measured. Every formula is monotone: where one input gets worse (more findings, a deeper nesting, fewer
 * documented declarations), no score rises.
 */
export function scoreDimensions(
  inputs: QualityInputs,
  details: Readonly<Partial<Record<DimensionId, string>>> = {},
): Dimension[] {
  const scored: Record<DimensionId, Scored> = {
    compliance: scoreCompliance(inputs),
    complexity: scoreComplexity(inputs),
    test_coverage: scoreTests(inputs),
    documentation: scoreDocumentation(inputs),
    consistency: scoreConsistency(inputs),
    dependency_health: scoreDependencies(inputs),
  }
  return DIMENSIONS.map(({ id, name, weight }) => ({
    id,
    name,
    weight,
    score: combine(scored[id].parts),
    detail: details[id] ?? '',
    formula: FORMULAS[id],
    inputs: scored[id].inputs,
  }))
}

/** A part without data leaves its weight to the other. */
function scoreDependencies({ dependencies: { vulnerabilities, licenses } = {} }: QualityInputs): Scored {
  const parts: Part[] = []
  const inputs: Record<string, number> = {}
  if (vulnerabilities) {
    const { critical, high, medium, low, evaluated } = vulnerabilities
    parts.push([Math.max(0, 100 - 25 * critical - 10 * high - 3 * medium - low), 0.7])
    Object.assign(inputs, { critical, high, medium, low, evaluated })
  }
  if (licenses) {
    const { high, medium, total } = licenses
    parts.push([100 * (1 - Math.min(1, (high + medium / 2) / total)), 0.3])
    Object.assign(inputs, { high_license_risk: high, medium_license_risk: medium, licensed: total })
  }
  return { parts, inputs }
}

/** The weighted mean of the dimensions that have data, 0 to 100 with one decimal; null where none has. */
export function combineDimensions(dimensions: readonly Pick<Dimension, 'score' | 'weight'>[]): number | null {
  return combine(dimensions.flatMap(({ score, weight }): Part[] => (score === null ? [] : [[score, weight]])))
}

function scoreCompliance({ compliance }: QualityInputs): Scored {
  if (!compliance) return { parts: [], inputs: {} }
  const { weighted_findings, lines } = compliance
  const density = (weighted_findings * 1000) / Math.max(lines, LEAST_LINES)
  const parts: Part[] = [[(100 * HALF_DENSITY) / (HALF_DENSITY + density), 1]]
  return { parts, inputs: { weighted_findings, lines, density: round(density) } }
}

function scoreComplexity({ complexity = [] }: QualityInputs): Scored {
  const functions = complexity.reduce((sum, file) => sum + file.functions, 0)
  if (functions === 0) return { parts: [], inputs: {} }
  const mean = (metric: keyof typeof LIMITS) => {
    const [good, bad] = LIMITS[metric]
    const sum = complexity.reduce((all, file) => all + file.functions * ramp(file[metric], good, bad), 0)
    return sum / functions
  }
  const [cyclomatic, nesting, length] = [mean('max_cyclomatic'), mean('max_nesting'), mean('longest_function')]
  const parts: Part[] = [
    [cyclomatic, 0.4],
    [nesting, 0.3],
    [length, 0.3],
  ]
  const inputs = {
    files: complexity.length,
    functions,
    cyclomatic: round(cyclomatic),
    nesting: round(nesting),
    length: round(length),
  }
  return { parts, inputs }
}

function scoreTests({ coverage, tests }: QualityInputs): Scored {
  if (coverage && coverage.total > 0) {
    const parts: Part[] = [[(100 * coverage.covered) / coverage.total, 1]]
    return { parts, inputs: { covered_lines: coverage.covered, lines: coverage.total, ...tests } }
  }
  if (!tests || tests.source_files === 0) return { parts: [], inputs: {} }
  const parts: Part[] = [[100 * Math.min(1, tests.test_files / tests.source_files / FULL_RATIO), 1]]
  return { parts, inputs: { ...tests } }
}

function scoreDocumentation({ documentation, comments }: QualityInputs): Scored {
  const parts: Part[] = []
  if (documentation && documentation.public_declarations > 0)
    parts.push([(100 * documentation.documented) / documentation.public_declarations, 0.7])
  const lines = comments ? comments.comment_lines + comments.code_lines : 0
  if (comments && lines > 0) parts.push([100 * Math.min(1, comments.comment_lines / lines / FULL_COMMENTS), 0.3])
  return { parts, inputs: parts.length === 0 ? {} : { ...documentation, ...comments } }
}

function scoreConsistency({ consistency, duplication }: QualityInputs): Scored {
  const parts: Part[] = []
  const inputs: Record<string, number> = {}
  for (const [part, weight] of Object.entries(CONSISTENCY) as [ConsistencyPart, number][]) {
    const { checked, deviating } = consistency?.[part] ?? { checked: 0, deviating: 0 }
    if (checked === 0) continue
    parts.push([100 * (1 - deviating / checked), weight])
    inputs[part] = checked
    inputs[`deviating_${part}`] = deviating
  }
  if (duplication && duplication.token_lines > 0) {
    const share = duplication.duplicated_lines / duplication.token_lines
    parts.push([ramp(share, ...DUPLICATED_LIMITS), DUPLICATION])
    Object.assign(inputs, duplication, { duplicated_share: round(share) })
  }
  return { parts, inputs }
}

/** 100 up to `good`, 0 from `bad` on, linear between. */
function ramp(value: number, good: number, bad: number): number {
  return 100 * Math.min(1, Math.max(0, (bad - value) / (bad - good)))
}

/** The mean of the parts by their weights, to one decimal; null where there is none. */
function combine(parts: readonly Part[]): number | null {
  const weights = parts.reduce((sum, [, weight]) => sum + weight, 0)
  if (weights === 0) return null
  return Math.round((parts.reduce((sum, [score, weight]) => sum + score * weight, 0) / weights) * 10) / 10
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
