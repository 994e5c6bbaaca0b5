import { EngineError } from '../../base/errors.ts'
import { compileGlob } from '../../base/text/glob.ts'
import { findNearest } from '../../base/text/nearest.ts'
import { type CommandOptions, runCommand } from '../command.ts'
import { CPPCHECK_CLASSES } from './cppcheck.ts'
import type { CppTool, InstalledTool } from './results.ts'

/** Warnings of the compiler are checks of clang-tidy, and in no list. */
const COMPILER = 'clang-diagnostic-'

/** Checks of cppcheck that its own list leaves out. */
const UNLISTED = ['uninitvar', 'legacyUninitvar', 'ctuuninitvar', 'ctunullpointer', 'ctuArrayIndex', 'ctuPointerArith']

/** The entries of `--checks`: checks of either analyzer, `*` for any part of a name, `-` before what is left out, classes of cppcheck. */
export function parseChecks(given: string | undefined): string[] {
  return (given ?? '').split(',').flatMap(entry => (entry.trim() === '' ? [] : [entry.trim()]))
}

/**
 * What each analyzer is asked of a list of checks: the entries that it knows, in their order; an analyzer that knows none of what is asked
 * for is left out. INPUT_INVALID for an entry that none knows, with the check that was probably meant.
 */
export async function selectChecks(
  checks: readonly string[],
  tools: readonly InstalledTool[],
  options: CommandOptions,
): Promise<Map<CppTool, string[]>> {
  const selected = new Map<CppTool, string[]>()
  if (checks.length === 0) return new Map(tools.map(({ name }) => [name, []]))
  const unknown = new Set(checks)
  const names: string[] = []
  for (const tool of tools) {
    const known = await listChecks(tool, options)
    names.push(...known)
    const own = checks.filter(entry => isKnown(entry, known, tool.name))
    for (const entry of own) unknown.delete(entry)
    const onlyLeavesOut = checks.every(entry => entry.startsWith('-'))
    if (onlyLeavesOut || own.some(entry => !entry.startsWith('-'))) selected.set(tool.name, own)
  }
  const [entry] = unknown
  if (entry === undefined) return selected
  const name = entry.replace(/^-/, '')
  const nearest = findNearest(name, names)
  const asked = tools.map(tool => `${tool.name} ${tool.version}`).join(' or ')
  const list = 'List them with `clang-tidy --list-checks --checks=*` and `cppcheck --errorlist`.'
  throw new EngineError('INPUT_INVALID', `checks: ${JSON.stringify(name)} is no check of ${asked}.`, {
    hint: nearest ? `Did you mean ${nearest}? ${list}` : list,
  })
}

/** Whether a check of cppcheck, which has no such option, is asked for: the last entry that names it or its class decides. */
export function compileCppcheckFilter(checks: readonly string[]): (check: string) => boolean {
  const takesAll = checks.every(entry => entry.startsWith('-'))
  const entries = checks.map(entry => {
    const name = entry.replace(/^-/, '')
    return { takes: !entry.startsWith('-'), matches: CPPCHECK_CLASSES.includes(name) ? () => true : compileGlob(name) }
  })
  return check => entries.reduce((taken, { takes, matches }) => (matches(check) ? takes : taken), takesAll)
}

async function listChecks({ name, program }: InstalledTool, options: CommandOptions): Promise<string[]> {
  const ended = await runCommand(
    [program, ...(name === 'cppcheck' ? ['--errorlist'] : ['--list-checks', '--checks=*'])],
    options,
  )
  if ('failure' in ended) throw new EngineError('TOOL_MISSING', `${name} did not list its checks: ${ended.failure}.`)
  const form = name === 'cppcheck' ? /<error id="(\w+)"/g : /^\s+([\w.-]+)\s*$/gm
  const found = [...ended.stdout.toString('utf8').matchAll(form)].map(([, id]) => id!)
  return name === 'cppcheck' ? [...CPPCHECK_CLASSES, ...UNLISTED, ...found] : found
}

function isKnown(entry: string, known: readonly string[], tool: CppTool): boolean {
  const name = entry.replace(/^-/, '')
  if (tool === 'clang-tidy' && name.startsWith(COMPILER)) return true
  return name.includes('*') ? known.some(compileGlob(name)) : known.includes(name)
}
