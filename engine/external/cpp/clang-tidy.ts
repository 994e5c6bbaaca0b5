import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { readRegular } from '../../base/disk/read.ts'
import { list, map, readString, readWhole } from '../../findings/sarif/form.ts'
import { type CommandOptions, runCommand } from '../command.ts'
import { DEFAULT_TIDY_CHECKS, describeTidyCheck } from './clang-tidy-checks.ts'
import type { CppOutcome, CppResult } from './results.ts'

/** Checks that say that the compiler gave up on the file. */
const NOT_COMPILED = /^clang-diagnostic-error$/
const MOST_MESSAGE = 300
const MOST_SOURCE = 256 << 20

export interface TidyRequest {
  program: string
  /** Absolute, symlinks resolved. */
  root: string
  /** Path from the root. */
  file: string
  flags: readonly string[]
  /** As `--checks` names them; empty for the default. */
  checks: readonly string[]
  /** An empty directory for this run alone. */
  folder: string
}

/**
 * Runs clang-tidy on one file. Its settings are all on the command line: a `.clang-tidy` of the repository is not read, since its
 * ExtraArgs can have clang load a shared library, and a compilation database reaches it as the flags that keepSafeFlags keeps.
 */
export async function runClangTidy(request: TidyRequest, options: Omit<CommandOptions, 'cwd'>): Promise<CppOutcome> {
  const { program, root, file, flags, checks, folder } = request
  const report = join(folder, 'clang-tidy.yaml')
  const config = JSON.stringify({ Checks: writeChecks(checks), InheritParentConfig: false })
  const header = `^${root.replace(/[^\w/]/g, '\\$&')}/`
  const command = [
    ...[program, `--config=${config}`, `--header-filter=${header}`, `--export-fixes=${report}`],
    ...[join(root, file), '--', ...flags],
  ]
  const ended = await runCommand(command, { ...options, cwd: root })
  if ('failure' in ended)
    return { results: [], nolint: 0, failure: { reason: 'scanner_failed', detail: ended.failure } }
  const nolint = Number(/\b(\d+) NOLINT\b/.exec(ended.stderr)?.[1] ?? 0)
  const { parse } = await import('yaml')
  let document: unknown
  try {
    document = existsSync(report) ? parse(readFileSync(report, 'utf8'), { maxAliasCount: 0 }) : {}
  } catch {
    return { results: [], nolint, failure: { reason: 'scanner_failed', detail: 'its report is not valid YAML' } }
  }
  const { results, errors } = readDiagnostics(document, root)
  if (errors[0] !== undefined) return { results, nolint, failure: { reason: 'not_understood', detail: errors[0] } }
  if (ended.code !== 0) {
    const said = ended.stderr.trim().split('\n').at(-1)?.slice(0, MOST_MESSAGE) ?? ''
    const detail = `it ended with ${ended.code ?? 'a signal'}${said && `: ${said}`}`
    return { results, nolint, failure: { reason: 'scanner_failed', detail } }
  }
  return { results, nolint }
}

/** A list of checks as clang-tidy takes it: names alone are the only ones, names to leave out are taken from the default. */
export function writeChecks(checks: readonly string[]): string {
  const whole = checks.every(name => name.startsWith('-')) && checks[0] !== '-*'
  return [...(whole ? DEFAULT_TIDY_CHECKS : ['-*']), ...checks].join(',')
}

/** The results in an export of clang-tidy (`--export-fixes`), and what kept the compiler from understanding the file. */
export function readDiagnostics(document: unknown, root: string): { results: CppResult[]; errors: string[] } {
  const results: CppResult[] = []
  const errors: string[] = []
  const texts = new Map<string, Buffer | undefined>()
  for (const diagnostic of list(map(document).Diagnostics).map(map)) {
    const check = readString(diagnostic.DiagnosticName)
    const { Message, FilePath, FileOffset } = map(diagnostic.DiagnosticMessage)
    const message = readString(Message)
    if (check === undefined || message === undefined) continue
    if (NOT_COMPILED.test(check)) {
      errors.push(`the compiler stopped: ${message.slice(0, MOST_MESSAGE)}`)
      continue
    }
    const named = readString(FilePath)
    if (named === undefined) continue
    const path = resolve(root, named)
    const file = relative(root, path).split(sep).join('/')
    if (file === '' || file.startsWith('..')) continue
    if (!texts.has(path)) texts.set(path, readText(path))
    const { severity, cwe } = describeTidyCheck(check)
    const at = locate(texts.get(path), readWhole(FileOffset) ?? 0)
    const known = cwe !== undefined && { cwe: `CWE-${cwe}` }
    results.push({ tool: 'clang-tidy', check, message, severity, ...known, file, ...at })
  }
  return { results, errors }
}

function readText(path: string): Buffer | undefined {
  const bytes = readRegular(path, MOST_SOURCE)
  return bytes instanceof Uint8Array ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : undefined
}

/** Line and column, in UTF-16 units from 1, of an offset in bytes. */
function locate(bytes: Buffer | undefined, offset: number): { line: number; column: number } {
  if (!bytes) return { line: 1, column: 1 }
  const end = Math.min(offset, bytes.length)
  let line = 1
  let start = 0
  for (let at = bytes.indexOf(10); at !== -1 && at < end; at = bytes.indexOf(10, at + 1)) {
    line++
    start = at + 1
  }
  return { line, column: bytes.subarray(start, end).toString('utf8').length + 1 }
}
