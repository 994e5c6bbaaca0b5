import type { Severity } from '../../../base/records/finding.ts'
import { isObject } from '../../../base/text/json-object.ts'
import type { ImportKind } from '../graph.ts'
import { COMPUTED } from './literal.ts'
import type { CruiserRule, CruiserRules, PathTest, TargetTest, Untranslated } from './rules.ts'

/** dependency-cruiser's levels; rules of the level `ignore` are off. */
const SEVERITIES: Record<string, Severity> = { error: 'high', warn: 'medium', info: 'low' }
/** Options that change how imports are drawn, written down or cached, and not which there are. */
const HARMLESS =
  /^(?:doNotFollow|tsPreCompilationDeps|exclude|includeOnly|tsConfig|babelConfig|webpackConfig|enhancedResolveOptions|moduleSystems|preserveSymlinks|progress|reporterOptions|cache|prefix|suffix|combinedDependencies|maxDepth|metrics|skipAnalysisNotInRules|detectJSDocImports|detectProcessBuiltinModuleCalls|builtInModules|parser|experimentalStats)$/
const KINDS: Record<string, ImportKind> = {
  'type-only': 'type',
  export: 'reexport',
  'dynamic-import': 'dynamic',
  require: 'require',
  import: 'import',
}
/** How long an expression may be. */
const LONGEST = 2000

/** An expression as a test of texts; throws where it is none. */
export type CompileExpression = (expression: string) => PathTest

class NoCounterpart extends Error {}

/** The rules in a dependency-cruiser configuration (its "Rules reference"), and the parts that have no counterpart. */
export function translateRules(
  value: unknown,
  compile: CompileExpression,
): { rules: CruiserRules; untranslated: Untranslated[] } {
  const untranslated: Untranslated[] = []
  const attempt = <T>(rule: string, translate: () => T): T[] => {
    try {
      return [translate()]
    } catch (error) {
      if (!(error instanceof NoCounterpart)) throw error
      untranslated.push({ rule, reason: error.message })
      return []
    }
  }
  const file = isObject(value) ? value : {}
  if (!isObject(value)) untranslated.push({ rule: 'the configuration', reason: 'it is computed by code' })
  for (const key of ['extends', 'required'] as const)
    if (file[key] !== undefined)
      untranslated.push({ rule: key, reason: key === 'extends' ? 'other files are not read' : 'there is no such rule' })
  const options = isObject(file.options) ? file.options : {}
  for (const key of Object.keys(options).sort())
    if (!HARMLESS.test(key)) untranslated.push({ rule: `options.${key}`, reason: 'there is no such option' })
  const rules: CruiserRules = {
    forbidden: [],
    countsTypes: options.tsPreCompilationDeps === true || options.tsPreCompilationDeps === 'specify',
    includes: attempt('options', () => readIncludes(options, compile))[0] ?? (() => true),
  }
  for (const [index, rule] of listRules(file, 'forbidden', untranslated).entries()) {
    const name = isObject(rule) && typeof rule.name === 'string' ? rule.name : `forbidden.${index}`
    if (isObject(rule) && rule.severity === 'ignore') continue
    rules.forbidden.push(...attempt(name, () => translateForbidden(rule, name, compile)))
  }
  if (file.allowed !== undefined && file.allowedSeverity !== 'ignore')
    for (const allowed of attempt('allowed', () => translateAllowed(file, untranslated, compile)))
      rules.allowed = allowed
  return { rules, untranslated }
}

function listRules(file: Record<string, unknown>, key: string, untranslated: Untranslated[]): unknown[] {
  const rules = file[key]
  if (rules === undefined) return []
  if (Array.isArray(rules)) return rules
  untranslated.push({ rule: key, reason: 'it is computed by code' })
  return []
}

function readIncludes(options: Record<string, unknown>, compile: CompileExpression): PathTest {
  const read = (key: string) => {
    const value = options[key]
    return value === undefined ? undefined : readExpression(isObject(value) ? value.path : value, key, compile)
  }
  const [only, not] = [read('includeOnly'), read('exclude')]
  return path => (only?.(path) ?? true) && !(not?.(path) ?? false)
}

/** All alternatives must be known: leaving one out of the imports that are allowed would report what the file allows. */
function translateAllowed(
  file: Record<string, unknown>,
  untranslated: Untranslated[],
  compile: CompileExpression,
): NonNullable<CruiserRules['allowed']> {
  const rules = listRules(file, 'allowed', untranslated).map(rule => {
    const { from, to } = readRule(rule)
    for (const key of ['orphan', 'circular', 'couldNotResolve'])
      if (from[key] !== undefined || to[key] !== undefined)
        throw new NoCounterpart(`${key} in allowed is not known here`)
    return { from: readPaths(from, ['path', 'pathNot'], compile), to: readTarget(to, [], compile) }
  })
  if (rules.length === 0) throw new NoCounterpart('it lists no rule')
  return { severity: SEVERITIES[String(file.allowedSeverity ?? 'warn')] ?? 'medium', rules }
}

function translateForbidden(rule: unknown, name: string, compile: CompileExpression): CruiserRule {
  const { from, to, comment, severity } = readRule(rule)
  const named = {
    name,
    reason: typeof comment === 'string' ? comment : '',
    severity: SEVERITIES[String(severity ?? 'warn')] ?? ('medium' as const),
    from: readPaths(from, ['path', 'pathNot', 'orphan'], compile),
  }
  if (from.orphan === true) return { ...named, form: 'orphan' }
  const target = readTarget(to, ['circular', 'couldNotResolve'], compile)
  if (to.circular === true) return { ...named, form: 'cycle', to: target }
  if (to.couldNotResolve === true) return { ...named, form: 'unresolved', to: target }
  if (to.circular === false || to.couldNotResolve === false || from.orphan === false)
    throw new NoCounterpart('circular, couldNotResolve and orphan are known here only with true')
  return { ...named, form: 'import', to: target }
}

type Side = Record<string, unknown>

function readRule(rule: unknown): { from: Side; to: Side; comment: unknown; severity: unknown } {
  if (!isObject(rule) || hasComputed(rule)) throw new NoCounterpart('it is computed by code')
  const { from = {}, to = {}, comment, severity, scope = 'module' } = rule
  if (scope !== 'module' || 'module' in rule)
    throw new NoCounterpart('rules about modules or folders as a whole are not known here')
  if (!isObject(from) || !isObject(to)) throw new NoCounterpart('from or to is no object')
  return { from, to, comment, severity }
}

function hasComputed(value: unknown): boolean {
  if (value === COMPUTED) return true
  if (Array.isArray(value)) return value.some(hasComputed)
  return isObject(value) && Object.values(value).some(hasComputed)
}

function readPaths(side: Side, known: readonly string[], compile: CompileExpression): PathTest {
  const foreign = Object.keys(side).find(key => !known.includes(key))
  if (foreign !== undefined) throw new NoCounterpart(`there is no condition ${foreign}`)
  const [is, not] = ['path', 'pathNot'].map(key =>
    side[key] === undefined ? undefined : readExpression(side[key], key, compile),
  )
  return path => (is?.(path) ?? true) && !(not?.(path) ?? false)
}

function readExpression(value: unknown, key: string, compile: CompileExpression): PathTest {
  const parts = Array.isArray(value) ? value : [value]
  if (!parts.every(part => typeof part === 'string')) throw new NoCounterpart(`${key} is no text`)
  const expression = parts.join('|')
  if (expression.length > LONGEST) throw new NoCounterpart(`${key} has more than ${LONGEST} characters`)
  if (/\$\d/.test(expression)) throw new NoCounterpart(`${key} refers to a group of another expression`)
  try {
    return compile(expression)
  } catch {
    throw new NoCounterpart(`${key} is no regular expression that takes linear time: ${expression}`)
  }
}

function readTarget(to: Side, more: readonly string[], compile: CompileExpression): TargetTest {
  const { dependencyTypes, dynamic, ...rest } = to
  const target: TargetTest = { matches: readPaths(rest, ['path', 'pathNot', ...more], compile) }
  if (dependencyTypes !== undefined) Object.assign(target, readTypes(dependencyTypes))
  if (dynamic === undefined) return target
  if (target.kinds) throw new NoCounterpart('dynamic beside dependencyTypes is not known here')
  const kinds: ImportKind[] = dynamic === true ? ['dynamic'] : ['import', 'type', 'reexport', 'require']
  return { ...target, kinds }
}

function readTypes(value: unknown): Pick<TargetTest, 'classes' | 'kinds'> {
  const names = Array.isArray(value) ? value.map(String) : [String(value)]
  const classes = names.filter(name => name === 'local' || name === 'core')
  const kinds = names.filter(name => Object.hasOwn(KINDS, name)).map(name => KINDS[name]!)
  const other = names.find(name => !['local', 'core'].includes(name) && !Object.hasOwn(KINDS, name))
  if (other !== undefined) throw new NoCounterpart(`the kind of dependency ${other} is not told apart here`)
  if (classes.length > 0 && kinds.length > 0) throw new NoCounterpart('dependencyTypes mixes what is imported and how')
  return classes.length > 0 ? { classes } : { kinds }
}
