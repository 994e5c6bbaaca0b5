import type { Argument, ClassForm, Expression, FunctionForm, Parameter, Statement } from '../ir.ts'

/** What FastAPI is told to make before it calls a handler: `Depends(make)`, or `Depends()` for the class that is named as the type. */
export interface Dependency {
  parameter: Parameter
  /** The function or class that makes it. */
  maker: string
}

/** Types and defaults of what a client sends as a text. */
const TEXT = /^(?:(?:Optional\[)?str\b|Annotated\[\s*(?:Optional\[)?str\b)/
const SENT_DEFAULT = /^(?:Query|Header|Cookie|Form|Path|Body)$/
const NOT_SENT = new Set(['self', 'cls', 'request', 'response', 'db', 'session', 'settings', 'background_tasks'])

const ANNOTATED = /^Annotated\[\s*([\w.]+)[^\]]*,\s*Depends\(\s*([\w.]*)\s*\)\s*\]$/s

/** What a parameter depends on, by its default (`= Depends(make)`) or its type (`Annotated[Made, Depends(make)]`). */
export function findDependency(parameter: Parameter): Dependency | undefined {
  const { default: value, type } = parameter
  if (value?.kind === 'call' && value.callee.kind === 'name' && value.callee.name === 'Depends') {
    const given = value.args[0]?.value
    const maker = given?.kind === 'name' ? given.name : value.args.length === 0 ? type : undefined
    return maker === undefined ? undefined : { parameter, maker }
  }
  const [, made, maker] = ANNOTATED.exec(type ?? '') ?? []
  return made === undefined ? undefined : { parameter, maker: maker || made }
}

/** What is made of what the client sends, before the handler's own statements; nothing where the maker takes no text of it. */
export function makeDependency(
  { parameter, maker }: Dependency,
  functions: readonly FunctionForm[],
  classes: readonly ClassForm[],
): Statement[] {
  const form =
    functions.find(({ name }) => name === maker) ??
    classes.find(({ name }) => name === maker)?.methods.find(({ name }) => name === 'constructor')
  const span = { start: parameter.start, end: parameter.end }
  const args = (form?.parameters ?? []).filter(isSent).map(
    ({ name }): Argument => ({
      name,
      value: { kind: 'call', callee: { kind: 'name', name: 'the query', ...span }, args: [], ...span },
    }),
  )
  if (args.length === 0) return []
  const value: Expression = { kind: 'call', callee: { kind: 'name', name: maker, ...span }, args, ...span }
  const target: Expression = { kind: 'name', name: parameter.name, ...span }
  return [{ kind: 'expression', value: { kind: 'assign', target, value, ...span }, ...span }]
}

/** Whether the framework takes a parameter of the maker from the request, as a text. */
function isSent({ name, type, default: value }: Parameter): boolean {
  if (NOT_SENT.has(name) || (type !== undefined && !TEXT.test(type))) return false
  if (value?.kind === 'call') return value.callee.kind === 'name' && SENT_DEFAULT.test(value.callee.name)
  return type !== undefined || value?.kind === 'literal'
}
