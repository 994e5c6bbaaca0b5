import type { ParameterSpec, SourceSpec } from '../../base/records/taint-model.ts'
import type { Analysis } from './analysis.ts'
import { isCallable } from './callable.ts'
import { compileExpression } from './expression.ts'
import type { Expression, FunctionForm, Parameter } from './ir.ts'
import type { SourceIndex } from './knowledge.ts'
import { isOfFramework, type Origin } from './origins.ts'
import { makeLabel, sanitizeValue, unite, type Value } from './value.ts'
import { unwrapType } from './wrappers.ts'
import { readWritten } from './written.ts'

/** Whether the file imports something whose full name the expression matches. */
export function isImported({ module }: Analysis, wanted: string | undefined): boolean {
  if (wanted === undefined) return true
  const expression = compileExpression(wanted)
  for (const name of module.imports.values()) if (expression.test(name)) return true
  return false
}

/** The value that a source gives here. */
export function makeSourceValue(source: SourceSpec, at: { start: number; end: number }, type?: string): Value {
  const out: Value = source.carrier
    ? { labels: [], carrier: source.kind }
    : sanitizeValue({ labels: [makeLabel(source.kind, at, source.label)] }, source.harmless ?? [])
  if (source.begins !== undefined) out.prefix = source.begins
  const own = source.type ?? type
  if (own !== undefined) out.type = own
  return out
}

/**
 * A value with what sources of a repository's own libraries say of it. What is known of the value stays: labels are added, and a type, a
 * beginning or a carrier only where nothing of the kind is known.
 */
export function addSources(
  value: Value,
  sources: readonly SourceSpec[],
  at: { start: number; end: number },
  type?: string,
): Value {
  let out = value
  for (const source of sources) {
    const { labels, ...more } = makeSourceValue(source, at, type)
    const isKnown = out.labels.length > 0 || out.refs !== undefined || out.carrier !== undefined
    out = { ...(!isKnown && more), ...out, labels: unite(out.labels, labels) }
  }
  return out
}

/** The source that a member of an object of a known type is. */
export function findTypedSource(
  { knowledge, text }: Analysis,
  name: string,
  type: string | undefined,
): SourceSpec | undefined {
  if (type === undefined) return undefined
  const source = knowledge.members.get(name)?.find(({ owner }) => owner === type)?.source
  return source?.file === undefined || compileExpression(source.file).test(text) ? source : undefined
}

/** What a repository's own libraries call a member of an object of a known type. */
export function listAddedTypedSources(
  { knowledge, text }: Analysis,
  name: string,
  type: string | undefined,
): SourceSpec[] {
  if (type === undefined) return []
  return (knowledge.added.members.get(name) ?? []).flatMap(({ owner, source }) =>
    owner === type && (source.file === undefined || compileExpression(source.file).test(text)) ? source : [],
  )
}

/** What a parameter holds: what the frameworks pass to it, or `passed` where they say nothing; and what own libraries say besides. */
export function evaluateParameter(a: Analysis, form: FunctionForm, parameter: Parameter, passed: Value): Value {
  const found = findParameterSource(a, form, parameter)
  // What a function is seen to be passed says more than the name or type of its parameter.
  const isSeen = passed.labels.length > 0 && found?.labels.length === 0
  const known = isSeen ? { ...found, ...passed } : (found ?? passed)
  const { parameters } = a.knowledge.added
  if (parameters.length === 0 || cannotHoldText(a, parameter)) return known
  const added = parameters.filter(({ source, spec }) => isParameter(a, source, spec, form, parameter))
  return addSources(
    known,
    added.map(({ source }) => source),
    parameter,
    parameter.type,
  )
}

/** Whether a parameter is of a type whose values are numbers, truth values or names that the program gives. */
function cannotHoldText({ knowledge, classes, declared }: Analysis, { type: written }: Parameter): boolean {
  if (written === undefined) return false
  const type = unwrapType(knowledge.wrappers, written)
  if (classes.get(stripType(type))?.bases.some(base => /(?:^|\.)\w*Enum$/.test(base))) return true
  return knowledge.plainTypes.has(stripType(type)) || declared.isSimple(type)
}

/** What a parameter holds by what the frameworks pass to it; undefined where they say nothing. */
function findParameterSource(a: Analysis, form: FunctionForm, parameter: Parameter): Value | undefined {
  const type = parameter.type === undefined ? undefined : nameType(a, parameter.type)
  if (!cannotHoldText(a, parameter))
    for (const { source, spec } of a.knowledge.parameters)
      if (isParameter(a, source, spec, form, parameter)) return makeSourceValue(source, parameter, type)
  return type === undefined ? undefined : { labels: [], type }
}

/** The name by which methods of a declared type are found. */
function nameType({ knowledge: { wrappers } }: Analysis, written: string): string {
  return wrappers.size === 0 ? written : stripType(unwrapType(wrappers, written))
}

/** Whether a source is this parameter of a function. */
function isParameter(
  analysis: Analysis,
  source: SourceSpec,
  spec: ParameterSpec,
  form: FunctionForm,
  parameter: Parameter,
): boolean {
  const { type } = parameter
  if (!isImported(analysis, source.imports)) return false
  if (spec.callable && !isCallable(analysis, form)) return false
  if (spec.types && !(type !== undefined && isOfType(spec.types, type))) return false
  if (spec.untyped && type) return false
  if (spec.names && !spec.names.includes(parameter.name)) return false
  if (spec.annotations && !parameter.decorators.some(({ name }) => spec.annotations!.includes(getLastPart(name))))
    return false
  if (spec.function && !compileExpression(spec.function).test(form.name)) return false
  if (spec.decorated) {
    const expression = compileExpression(spec.decorated)
    if (!listDecorators(form, analysis.classes).some(name => expression.test(name))) return false
    if (hasPlainConverter(form, parameter.name)) return false
  }
  return !(spec.except && isExcept(spec.except, parameter))
}

/** Whether a type is one of these by its last name; `Path<>` is one with types of its own. */
function isOfType(types: readonly string[], written: string): boolean {
  const name = getLastPart(stripType(written))
  return types.includes(name) || (written.includes('<') && types.includes(`${name}<>`))
}

function isExcept(except: readonly string[], { name, type, default: value, decorators }: Parameter): boolean {
  if (except.includes(name)) return true
  if (type !== undefined && except.includes(getLastPart(stripType(type)))) return true
  if (decorators.some(each => except.includes(`@${getLastPart(each.name)}`))) return true
  return value?.kind === 'call' && value.callee.kind === 'name' && except.includes(`=${value.callee.name}`)
}

/** Names of the decorators of a function, of its class (`class X`) and what its class extends (`extends X`). */
export function listDecorators(form: FunctionForm, classes: Analysis['classes']): string[] {
  // With the arguments that name something: a page (`response_class=HTMLResponse`) is no data.
  const own = form.decorators.flatMap(({ name, args }) => [
    name,
    ...args.flatMap(({ name: key, value }) =>
      key !== undefined && value.kind === 'name' ? [`${key}=${value.name}`] : [],
    ),
  ])
  const owner = form.owner === undefined ? undefined : classes.get(form.owner)
  return owner
    ? [
        ...own,
        ...owner.bases.map(base => `extends ${getLastPart(base)}`),
        ...owner.decorators.map(each => `class ${each.name}`),
      ]
    : own
}

const PLAIN_CONVERTERS = ['int', 'float', 'uuid']

/** A route's pattern may turn a part into a number before the function sees it (`<int:id>`). */
export function hasPlainConverter({ decorators }: FunctionForm, name: string): boolean {
  return decorators.some(({ args }) =>
    args.some(
      ({ value }) =>
        value.kind === 'literal' &&
        typeof value.value === 'string' &&
        PLAIN_CONVERTERS.some(converter => (value.value as string).includes(`<${converter}:${name}>`)),
    ),
  )
}

/** The source that a name or member is: by its full path where what it stands on is no variable, else by the member's name. */
export function findMemberSource(
  analysis: Analysis,
  expression: Expression,
  path: string | undefined,
  origin: Origin = 'handed',
): SourceSpec | undefined {
  return listMemberSources(analysis, analysis.knowledge.members, expression, path, origin, 1)[0]
}

/** What a repository's own libraries call the name or member. */
export function listAddedMemberSources(
  analysis: Analysis,
  expression: Expression,
  path: string | undefined,
  origin: Origin = 'handed',
): SourceSpec[] {
  const { members } = analysis.knowledge.added
  return members.size === 0 ? [] : listMemberSources(analysis, members, expression, path, origin)
}

/** The sources that a name or member is, up to so many, in the order of the libraries. */
function listMemberSources(
  analysis: Analysis,
  members: SourceIndex['members'],
  expression: Expression,
  path: string | undefined,
  origin: Origin,
  most = Number.POSITIVE_INFINITY,
): SourceSpec[] {
  const name = expression.kind === 'member' || expression.kind === 'name' ? expression.name : undefined
  const last = path === undefined ? name : getLastPart(path)
  const known = last === undefined ? undefined : (members.get(last) ?? members.get('*'))
  if (last === undefined || !known) return []
  const owner = path === undefined ? undefined : path.slice(0, Math.max(0, path.length - last.length - 1))
  const out: SourceSpec[] = []
  for (const { owner: wanted, source, receiver } of known) {
    if (out.length >= most) break
    if (!isImported(analysis, source.imports)) continue
    if (owner !== undefined && (wanted === owner || (wanted !== '' && owner.endsWith(`.${wanted}`)))) out.push(source)
    else if (wanted !== '*' || expression.kind !== 'member') continue
    else if (
      !receiver ||
      (isOfFramework(origin, source) && receiver.test(readWritten(analysis.text, expression.object)))
    )
      out.push(source)
  }
  return out
}

/** A type's name without generic arguments and array brackets. */
export function stripType(type: string): string {
  return type
    .replace(/<.*$/s, '')
    .replace(/(?:\[\])+$/, '')
    .trim()
}

/** What stands after the last dot. */
export function getLastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
