import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { makeTemporaryFolder, removeTemporary } from '../../base/disk/temporary.ts'
import type { NotEvaluated } from '../../base/records/run.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import type { CommandOptions } from '../command.ts'
import { compileCppcheckFilter } from './checks.ts'
import { runClangTidy } from './clang-tidy.ts'
import type { CompileDatabase } from './compile-database.ts'
import { runCppcheck } from './cppcheck.ts'
import { type MergedResult, mergeResults } from './merge.ts'
import type { CppOutcome, CppResult, CppTool, InstalledTool } from './results.ts'

/** An analyzer that needs longer for one file is ended, and the file is not evaluated. */
const MOST_MS = 600_000

export interface CppRequest {
  /** Absolute, symlinks resolved. */
  root: string
  /** Sources, by path from the root. */
  files: readonly string[]
  tools: readonly InstalledTool[]
  /** What each is asked for; one without an entry is not run. */
  checks: ReadonlyMap<CppTool, readonly string[]>
  database: CompileDatabase
  /** Processes at a time; one per processor where absent. */
  jobs?: number
}

export interface CppAnalysis {
  results: MergedResult[]
  not_evaluated: NotEvaluated[]
  /** Results that NOLINT comments suppress. */
  nolint: number
}

/** Runs the analyzers over the files, one process a file, and merges what they report. `onFile` is told how many are done. */
export async function analyzeCpp(
  request: CppRequest,
  options: Pick<CommandOptions, 'env' | 'signal'>,
  onFile: (done: number, total: number) => void,
): Promise<CppAnalysis> {
  const { root, files, tools, checks, database, jobs = availableParallelism() } = request
  const tasks = files.flatMap(file => tools.filter(({ name }) => checks.has(name)).map(tool => ({ file, tool })))
  const outcomes: CppOutcome[] = new Array(tasks.length)
  const keep = compileCppcheckFilter(checks.get('cppcheck') ?? [])
  const folder = makeTemporaryFolder('svc-cpp-')
  let next = 0
  let done = 0
  const work = async () => {
    while (next < tasks.length) {
      const index = next++
      const { file, tool } = tasks[index]!
      const own = join(folder, String(index))
      mkdirSync(own)
      const flags = database.entries.get(file) ?? database.otherwise
      const asked = { program: tool.program, root, file, flags, checks: checks.get(tool.name)!, folder: own }
      const run = tool.name === 'cppcheck' ? runCppcheck : runClangTidy
      outcomes[index] = await run(asked, { ...options, timeout_ms: MOST_MS })
      onFile(++done, tasks.length)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(jobs, tasks.length) }, work))
  } finally {
    removeTemporary(folder)
  }
  const results: CppResult[] = []
  const not_evaluated: NotEvaluated[] = []
  outcomes.forEach((outcome, index) => {
    const { file, tool } = tasks[index]!
    for (const result of outcome.results) if (tool.name !== 'cppcheck' || keep(result.check)) results.push(result)
    if (!outcome.failure) return
    const detail = escapeInvisibleLine(outcome.failure.detail ?? '')
    not_evaluated.push({ rule_id: `${tool.name}:*`, file, ...outcome.failure, detail })
  })
  const nolint = outcomes.reduce((sum, outcome) => sum + outcome.nolint, 0)
  return { results: mergeResults(results), not_evaluated, nolint }
}
