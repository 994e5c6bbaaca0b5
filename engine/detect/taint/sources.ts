import type { SourceSpec } from '../../base/records/taint-model.ts'
import type { Analysis } from './analysis.ts'
import { compileExpression } from './expression.ts'
import type { Expression, FunctionForm, Parameter } from './ir.ts'
import { makeLabel, sanitizeValue, type Value } from './value.ts'
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

/** What a parameter holds by what the frameworks pass to it; undefined where they say nothing. */
export function findParameterSource(analysis: Analysis, form: FunctionForm, parameter: Parameter): Value | undefined {
  const { knowledge, classes } = analysis
  const type = parameter.type
  // One of the names that the program gives.
  if (type !== undefined && classes.get(stripType(type))?.bases.some(base => /(?:^|\.)\w*Enum$/.test(base)))
    return { labels: [], type }
  if (type !== undefined && knowledge.plainTypes.has(stripType(type))) return { labels: [], type }
  if (type !== undefined && analysis.declared.isSimple(type)) return { labels: [], type }
  for (const { source, spec } of knowledge.parameters) {
    if (!isImported(analysis, source.imports)) continue
    if (spec.types && !(type !== undefined && spec.types.includes(getLastPart(stripType(type))))) continue
    if (spec.untyped && type) continue
    if (spec.names && !spec.names.includes(parameter.name)) continue
    if (spec.annotations && !parameter.decorators.some(({ name }) => spec.annotations!.includes(getLastPart(name))))
      continue
    if (spec.function && !compileExpression(spec.function).test(form.name)) continue
    if (spec.decorated && !listDecorators(form, classes).some(name => compileExpression(spec.decorated!).test(name)))
      continue
    if (spec.except && isExcept(spec.except, parameter)) continue
    if (spec.decorated && hasPlainConverter(form, parameter.name)) continue
    return makeSourceValue(source, parameter, type)
  }
  return type === undefined ? undefined : { labels: [], type }
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
function hasPlainConverter({ decorators }: FunctionForm, name: string): boolean {
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
  isAsked = true,
): SourceSpec | undefined {
  const name = expression.kind === 'member' || expression.kind === 'name' ? expression.name : undefined
  const last = path === undefined ? name : getLastPart(path)
  if (last === undefined) return undefined
  const { members } = analysis.knowledge
  const known = members.get(last) ?? members.get('*')
  if (!known) return undefined
  const owner = path === undefined ? undefined : path.slice(0, Math.max(0, path.length - last.length - 1))
  for (const { owner: wanted, source, receiver } of known) {
    if (!isImported(analysis, source.imports)) continue
    if (owner !== undefined && (wanted === owner || (wanted !== '' && owner.endsWith(`.${wanted}`)))) return source
    if (wanted !== '*' || expression.kind !== 'member') continue
    if (!receiver || (isAsked && receiver.test(readWritten(analysis.text, expression.object)))) return source
  }
  return undefined
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
