import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import type { Severity } from '../../base/records/finding.ts'
import { type CommandOptions, runCommand } from '../command.ts'
import type { TidyRequest } from './clang-tidy.ts'
import type { CppOutcome, CppResult } from './results.ts'

/** The classes of `--enable`, which are also the severities of its results (cppcheck's manual, "Severities"). */
export const CPPCHECK_CLASSES = [
  'warning',
  'style',
  'performance',
  'portability',
  'information',
  'unusedFunction',
  'missingInclude',
  'all',
]
const DEFAULT_CLASSES = ['warning', 'performance', 'portability']
const SEVERITIES = new Map<string, Severity>([
  ['error', 'high'],
  ['warning', 'medium'],
  ['portability', 'low'],
  ['performance', 'low'],
  ['style', 'low'],
  ['information', 'info'],
])
/** Results that say that the file, or a part of it, was not analyzed. */
const NOT_ANALYZED =
  /^(?:syntaxError|unknownMacro|preprocessorErrorDirective|internalError|internalAstError|cppcheckError|noValidConfiguration|syntaxErrorReportedAs|unhandledChar|missingFile|simplifyCppcheck|instantiationError|includeNestedTooDeeply|bailout\w*|normalCheckLevelMaxBranches)$/
/** Between the fields of a result: a character that neither paths nor messages have. */
const MARK = '\x1f'
const FIELDS = ['{file}', '{line}', '{column}', '{severity}', '{id}', '{cwe}', '{message}']
/** Standards by the compilers' names, as cppcheck 2.10 knows them; a later one is taken for the last that it knows. */
const STANDARDS = new Map<string, string>([
  ...['c89', 'c99', 'c11', 'c++03', 'c++11', 'c++14', 'c++17', 'c++20'].map(name => [name, name] as const),
  ['c90', 'c89'],
  ...['c1x', 'c17', 'c18', 'c2x', 'c23'].map(name => [name, 'c11'] as const),
  ['c++98', 'c++03'],
  ['c++0x', 'c++11'],
  ['c++1y', 'c++14'],
  ['c++1z', 'c++17'],
  ...['c++2a', 'c++2b', 'c++23', 'c++2c', 'c++26'].map(name => [name, 'c++20'] as const),
])

/** Runs cppcheck on one file. It runs nothing of the repository: no addons, no project file, no library files are named. */
export async function runCppcheck(request: TidyRequest, options: Omit<CommandOptions, 'cwd'>): Promise<CppOutcome> {
  const { program, root, file, flags, checks, folder } = request
  const report = join(folder, 'cppcheck.txt')
  const named = checks.filter(name => CPPCHECK_CLASSES.includes(name))
  const command = [
    ...[program, '--quiet', `--enable=${(named.length > 0 ? named : DEFAULT_CLASSES).join(',')}`],
    ...[`--template=${FIELDS.join(MARK)}`, '--template-location=', `--output-file=${report}`],
    ...(/\.(?:h\+\+|hpp|hxx|hh|inl|ipp|tpp)$/i.test(file) ? ['--language=c++'] : []),
    ...toCppcheckFlags(flags),
    join(root, file),
  ]
  const ended = await runCommand(command, { ...options, cwd: root })
  if ('failure' in ended)
    return { results: [], nolint: 0, failure: { reason: 'scanner_failed', detail: ended.failure } }
  const { results, errors } = readReport(existsSync(report) ? readFileSync(report, 'utf8') : '', root)
  if (ended.code !== 0) {
    const said = `${ended.stdout}\n${ended.stderr}`.trim().split('\n').at(-1)?.slice(0, 300) ?? ''
    const detail = `it ended with ${ended.code ?? 'a signal'}${said && `: ${said}`}`
    return { results, nolint: 0, failure: { reason: 'scanner_failed', detail } }
  }
  if (errors[0] === undefined) return { results, nolint: 0 }
  return { results, nolint: 0, failure: { reason: 'not_understood', detail: errors[0] } }
}

/** The flags that cppcheck has too. Its headers of the system are built in, so `-isystem` is left out. */
export function toCppcheckFlags(flags: readonly string[]): string[] {
  const taken: string[] = []
  for (let at = 0; at < flags.length; at++) {
    const flag = flags[at]!
    const next = flags[at + 1]
    if (['-I', '-iquote', '-D', '-U'].includes(flag)) taken.push(`${flag === '-iquote' ? '-I' : flag}${next}`)
    else if (flag === '-include') taken.push(`--include=${next}`)
    else if (flag.startsWith('-std=')) {
      const named = flag.slice('-std='.length).replace('gnu', 'c')
      const standard = STANDARDS.get(named)
      if (standard !== undefined) taken.push(`--std=${standard}`)
    }
  }
  return taken
}

/** The results in what cppcheck writes by the template above, and why it did not analyze the whole file. */
export function readReport(text: string, root: string): { results: CppResult[]; errors: string[] } {
  const results: CppResult[] = []
  const errors: string[] = []
  for (const row of text.split('\n')) {
    const [named = '', line, column, said = '', check = '', cwe, message = ''] = row.split(MARK)
    if (check === '') continue
    if (NOT_ANALYZED.test(check)) {
      errors.push(`${check}: ${message.slice(0, 300)}`)
      continue
    }
    const file = relative(root, resolve(root, named)).split(sep).join('/')
    const severity = SEVERITIES.get(said)
    if (named === '' || file.startsWith('..') || severity === undefined) continue
    results.push({
      ...{ tool: 'cppcheck', check, message, severity, file },
      ...(cwe && cwe !== '0' && { cwe: `CWE-${cwe}` }),
      ...{ line: Math.max(1, Number(line) || 1), column: Math.max(1, Number(column) || 1) },
    })
  }
  return { results, errors }
}
