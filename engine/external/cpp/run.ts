import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../base/context.ts'
import { writeFault } from '../../base/disk/disk.ts'
import { resolveOutputFile, writeOutput } from '../../base/disk/output-file.ts'
import { EngineError } from '../../base/errors.ts'
import type { Finding } from '../../base/records/finding.ts'
import type { NotEvaluated } from '../../base/records/run.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import { formatCount } from '../../base/text/words.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { discover } from '../../sources/repository/discover.ts'
import { compileExcludes } from '../../sources/repository/exclude.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { formatOutput, locateOutput } from '../../sources/store/output-directory.ts'
import { makeGround } from '../ground.ts'
import { analyzeCpp } from './analyze.ts'
import { parseChecks, selectChecks } from './checks.ts'
import { type CompileDatabase, findCompileDatabase } from './compile-database.ts'
import { makeCppFindings } from './findings.ts'
import { type CppRecord, digestSource } from './record.ts'
import { CPP_RECORD } from './results.ts'
import { isCppSource } from './sources.ts'
import { findTools, type ToolChoice } from './tools.ts'

export interface CppInput {
  tool: ToolChoice
  checks?: string
  files?: readonly string[]
  output?: string
  jobs?: number
}

/** What an analysis came to, and where it was written. */
export interface CppAnswer {
  tools: { name: string; version: string }[]
  /** The compilation database that was read; null where flags were made. */
  compile_commands: string | null
  /** Sources that were analyzed, those without a result included. */
  files: number
  /** Of these, how many an analyzer did not evaluate. */
  files_not_evaluated: number
  not_evaluated: NotEvaluated[]
  findings: Finding[]
  /** Results that NOLINT comments suppress. */
  nolint: number
  file: string
}

/** Analyzes the C and C++ sources of the repository around `cwd`, and writes what is found. NOT_FOUND where there is no such source, TOOL_MISSING without an analyzer. */
export async function runCppAnalysis(input: CppInput, context: Context): Promise<CppAnswer> {
  const { env, signal } = context
  const config = await loadConfig(context.cwd, { env })
  const root = realpathSync(config.root)
  const listing = await discover(root, { exclude: config.scan_exclude, signal })
  const sources = selectSources(listing.files, input.files)
  const asked = { cwd: root, env, signal, timeout_ms: 60_000 }
  const tools = await findTools(input.tool, asked)
  const checks = await selectChecks(parseChecks(input.checks), tools, asked)
  for (const { name } of tools)
    if (!checks.has(name)) context.notice(`${name} was not run: --checks names none of its checks.`)
  const out = locateOutput(root, env, config.output_dir)
  const target = input.output === undefined ? undefined : resolveOutputFile(context.cwd, input.output)
  const database = findCompileDatabase(root, listing.files)
  noticeDatabase(database, sources, context)
  const [named, unnamed] = [sources.filter(({ raw }) => !raw), sources.filter(({ raw }) => raw)]
  const used = tools.filter(({ name }) => checks.has(name))
  const digests = named.map(file => ({ path: file.path, sha256: digestSource(root, file) ?? '' }))
  const paths = named.map(({ path }) => path)
  const request = { root, files: paths, tools: used, checks, database, ...(input.jobs && { jobs: input.jobs }) }
  const analysis = await analyzeCpp(request, { env, signal }, (done, total) =>
    context.emit({ type: 'progress', progress: { phase: 'analyze', done, total, bytes: 0, findings: 0 } }),
  )
  for (const { path } of unnamed)
    for (const { name } of used)
      analysis.not_evaluated.push({
        rule_id: `${name}:*`,
        file: path,
        reason: 'scanner_not_run',
        detail: 'its name is not UTF-8',
      })
  const findings = makeCppFindings(analysis.results, { ...makeGround(listing, config), git_sha: listing.git_sha })
  const record: CppRecord = {
    version: 1,
    scope: input.files === undefined ? 'everything' : 'files',
    tools: used.map(({ name, version }) => ({ name, version })),
    files: digests,
    not_evaluated: analysis.not_evaluated,
    findings,
  }
  const file = writeRecord(record, { root, out, target })
  if (target !== undefined && target !== join(out, CPP_RECORD))
    context.notice(`Scans read ${formatOutput(root, out)}/${CPP_RECORD} alone: the findings do not join them.`)
  return {
    tools: record.tools,
    compile_commands: database.file ?? null,
    files: sources.length,
    files_not_evaluated: new Set(analysis.not_evaluated.map(gap => gap.file)).size,
    not_evaluated: analysis.not_evaluated,
    findings,
    nolint: analysis.nolint,
    file,
  }
}

/** The sources that are asked for, by files, folders and globs from the root. */
function selectSources(files: readonly SourceFile[], asked: readonly string[] | undefined): SourceFile[] {
  if (asked === undefined) {
    const sources = files.filter(isCppSource)
    if (sources.length > 0) return sources
    throw new EngineError('NOT_FOUND', 'The repository has no C or C++ source file.', {
      hint: 'Headers are analyzed with the sources that include them; name one with --files.',
    })
  }
  const isCpp = ({ language }: SourceFile) => language === 'c' || language === 'cpp'
  const found = new Set<SourceFile>()
  for (const entry of asked.flatMap(each => each.split(',')).filter(Boolean)) {
    const takes = compileExcludes([entry])
    const taken = files.filter(
      file => takes(file.path) && (isCppSource(file) || file.path === entry.replace(/^\.\//, '')),
    )
    const sources = taken.filter(isCpp)
    if (sources.length === 0)
      throw new EngineError('NOT_FOUND', `files: ${JSON.stringify(entry)} is no C or C++ source of the repository.`)
    for (const file of sources) found.add(file)
  }
  return files.filter(file => found.has(file))
}

/** Says how the sources are taken to be compiled, where that is not plainly so. */
function noticeDatabase(database: CompileDatabase, sources: readonly SourceFile[], context: Context): void {
  for (const fault of database.faults) context.notice(fault)
  if (database.file === undefined) {
    const advice = 'with CMake, -DCMAKE_EXPORT_COMPILE_COMMANDS=ON writes one'
    context.notice(
      `No compile_commands.json was found, so flags were made from the directories of headers (${advice}).`,
    )
    return
  }
  const missing = sources.filter(({ path }) => !database.entries.has(path)).length
  if (missing > 0)
    context.notice(`${formatCount(missing, 'source')} not in ${database.file}: flags were made for them.`)
  if (database.dropped.length > 0)
    context.notice(`Flags of ${database.file} that are not passed to an analyzer: ${database.dropped.join(', ')}.`)
}

/** Writes the record in one step; answers where, as a person finds it. */
function writeRecord(
  record: CppRecord,
  { root, out, target }: { root: string; out: string; target: string | undefined },
): string {
  const text = `${JSON.stringify(record, null, 1)}\n`
  const path = target ?? join(out, CPP_RECORD)
  try {
    if (target === undefined) makeOut(out)
    writeOutput(path, text)
  } catch (error) {
    throw writeFault(error, root, path)
  }
  return target ?? `${formatOutput(root, out)}/${CPP_RECORD}`
}
