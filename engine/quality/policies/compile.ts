import type { Severity } from '../../base/records/finding.ts'
import { compileGlob } from '../../base/text/glob.ts'
import { findGlobFault } from '../../base/text/glob-fault.ts'
import { CelTypeError } from './cel/check.ts'
import type { CelCompiler, CompiledCel } from './cel/compile.ts'
import type { CelSubject, Expression, PathFilter, Policy, PolicyCheck } from './policy.ts'

/** A policy as the schema has admitted it. */
export interface WrittenPolicy {
  name: string
  severity: Severity
  reason?: string
  except?: string[]
  required_files?: string[]
  forbidden_files?: string[]
  naming?: { files?: string[]; folders?: string[]; style?: string; pattern?: string }
  structure?: { folders: string[]; contains?: string[]; owner?: boolean; test?: boolean }
  content?: { files: string[]; must_contain?: string[]; must_not_contain?: string[]; ignore_case?: boolean }
  dependencies?: {
    manifests?: string[]
    forbidden?: string[]
    required?: string[]
    pinned?: boolean
    scopes?: string[]
  }
  cel?: { for: CelSubject; files?: string[]; check: string; message?: string }
  opa?: { module: string; entrypoint?: string; data?: unknown }
}

/** A fault of one policy, by the keys that lead to it; `offset` within the value, where it is an expression. */
export interface PolicyFault {
  path: string[]
  message: string
  offset?: number
}

type Report = (fault: PolicyFault) => void

/** Styles of names, each for the part before the first dot. */
const STYLES: Readonly<Record<string, RegExp>> = {
  'kebab-case': /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  snake_case: /^_*[a-z0-9]+(?:_[a-z0-9]+)*_*$/,
  camelCase: /^[a-z][a-zA-Z0-9]*$/,
  PascalCase: /^[A-Z][a-zA-Z0-9]*$/,
  lowercase: /^[a-z0-9]+$/,
  UPPER_CASE: /^[A-Z0-9]+(?:_[A-Z0-9]+)*$/,
}

/** Makes a policy of what the file says; undefined where a fault was reported. */
export function compilePolicy(
  written: WrittenPolicy,
  line: number,
  cel: CelCompiler | undefined,
  report: Report,
): Policy | undefined {
  let isFaulty = false
  const fault: Report = each => {
    isFaulty = true
    report(each)
  }
  const check = compileCheck(written, line, cel, fault)
  const isExempt = compileGlobs(written.except ?? [], ['except'], fault)
  if (isFaulty || !check) return undefined
  const { name, severity, reason } = written
  return { name, severity, ...(reason !== undefined && { reason }), isExempt, line, check }
}

function compileCheck(
  {
    name,
    required_files,
    forbidden_files,
    naming,
    structure,
    content,
    dependencies,
    cel: expression,
    opa,
  }: WrittenPolicy,
  line: number,
  cel: CelCompiler | undefined,
  fault: Report,
): PolicyCheck | undefined {
  if (required_files) {
    const globs = required_files.map((glob, index) => ({
      glob,
      matches: compileGlobs([glob], ['required_files'], fault, index),
      line,
    }))
    return { kind: 'required_files', globs }
  }
  if (forbidden_files)
    return { kind: 'forbidden_files', matches: compileGlobs(forbidden_files, ['forbidden_files'], fault) }
  if (naming) return compileNaming(naming, fault)
  if (structure) {
    const { folders, contains = [], owner = false, test = false } = structure
    if (contains.length === 0 && !owner && !test)
      fault({
        path: ['structure'],
        message: `The policy ${name} asks nothing of the directories: add contains, owner or test.`,
      })
    return {
      kind: 'structure',
      matches: compileGlobs(folders, ['structure', 'folders'], fault),
      contains: contains.map((glob, index) => ({
        glob,
        matches: compileGlobs([glob], ['structure', 'contains'], fault, index),
      })),
      owner,
      test,
    }
  }
  if (content) {
    const { files, must_contain = [], must_not_contain = [], ignore_case = false } = content
    if (must_contain.length + must_not_contain.length === 0)
      fault({
        path: ['content'],
        message: `The policy ${name} asks nothing of the files: add must_contain or must_not_contain.`,
      })
    const compile = (key: string, list: readonly string[]) =>
      list.flatMap((source, index) => compileExpression(source, ignore_case, ['content', key, String(index)], fault))
    return {
      kind: 'content',
      matches: compileGlobs(files, ['content', 'files'], fault),
      must_contain: compile('must_contain', must_contain),
      must_not_contain: compile('must_not_contain', must_not_contain),
    }
  }
  if (dependencies) {
    const { manifests = ['**'], forbidden = [], required = [], pinned = false, scopes = [] } = dependencies
    if (forbidden.length + required.length === 0 && !pinned)
      fault({
        path: ['dependencies'],
        message: `The policy ${name} asks nothing of dependencies: add forbidden, required or pinned.`,
      })
    return {
      kind: 'dependencies',
      matches: compileGlobs(manifests, ['dependencies', 'manifests'], fault),
      forbidden,
      required,
      pinned,
      scopes,
    }
  }
  if (expression && cel) return compileCel(expression, cel, fault)
  return opa && { kind: 'opa', ...opa }
}

function compileNaming(
  { files, folders, style, pattern }: NonNullable<WrittenPolicy['naming']>,
  fault: Report,
): PolicyCheck | undefined {
  if ((files === undefined) === (folders === undefined))
    fault({ path: ['naming'], message: 'naming must have files or folders, and not both.' })
  if ((style === undefined) === (pattern === undefined))
    fault({ path: ['naming'], message: 'naming must have a style or a pattern, and not both.' })
  const key = files ? 'files' : 'folders'
  const matches = compileGlobs(files ?? folders ?? [], ['naming', key], fault)
  if (style !== undefined)
    return { kind: 'naming', of: key, matches, test: STYLES[style]!, isStem: true, wanted: style }
  const [compiled] = compileExpression(pattern ?? '', false, ['naming', 'pattern'], fault)
  if (!compiled) return undefined
  const test = new RegExp(`^(?:${compiled.source})$`, 'u')
  return { kind: 'naming', of: key, matches, test, isStem: false, wanted: compiled.source }
}

function compileCel(
  { for: subject, files = ['**'], check, message }: NonNullable<WrittenPolicy['cel']>,
  cel: CelCompiler,
  fault: Report,
): PolicyCheck | undefined {
  const compile = (key: 'check' | 'message', source: string): CompiledCel | undefined => {
    try {
      return cel.compile(source, subject, key === 'check' ? 'bool' : 'string')
    } catch (error) {
      if (!(error instanceof CelTypeError)) throw error
      fault({
        path: ['cel', key],
        message: `cel.${key}: ${error.message.replace(/([^.?])$/, '$1.')}`,
        offset: error.offset,
      })
      return undefined
    }
  }
  const compiled = compile('check', check)
  const text = message === undefined ? undefined : compile('message', message)
  const matches = compileGlobs(files, ['cel', 'files'], fault)
  return compiled && { kind: 'cel', for: subject, matches, check: compiled, ...(text && { message: text }) }
}

function compileGlobs(globs: readonly string[], path: string[], fault: Report, from = 0): PathFilter {
  for (const [index, glob] of globs.entries()) {
    const wrong = findGlobFault(glob)
    if (wrong !== undefined)
      fault({ path: [...path, String(from + index)], message: `The glob ${JSON.stringify(glob)} ${wrong}.` })
  }
  const compiled = globs.map(compileGlob)
  return file => compiled.some(matches => matches(file))
}

/** Multi-line and Unicode, as the expressions of rules. */
function compileExpression(source: string, ignoreCase: boolean, path: string[], fault: Report): Expression[] {
  try {
    return [{ source, expression: new RegExp(source, ignoreCase ? 'gimu' : 'gmu') }]
  } catch (error) {
    const reason = (error as Error).message.replace(/^Invalid regular expression: \/.*\/[a-z]*: /s, '')
    fault({ path, message: `The regular expression ${JSON.stringify(source)} cannot be compiled: ${reason}.` })
    return []
  }
}
