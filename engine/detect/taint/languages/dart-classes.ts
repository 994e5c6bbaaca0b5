import type { ClassForm, Decorator, Expression, FunctionForm, Statement } from '../ir.ts'
import type { DartFile } from './dart.ts'
import { listGroups, lowerRun } from './dart-chains.ts'
import { listSet, lowerParameters, readAnnotation } from './dart-parameters.ts'
import { makeClass, makeExpression, makeFunction, makeStatement, readSpan, type Syntax } from './syntax.ts'

const BODIES = /^(?:class_body|extension_body|enum_body|mixin_body)$/

/** A class, mixin, extension or enumeration. A constructor with a name is a function of the class that gives an object. */
export function lowerClass(file: DartFile, node: Syntax, decorators: readonly Decorator[]): ClassForm {
  const name = node.part('identifier')?.text ?? ''
  const bases = node.parts
    .filter(({ kind }) => kind === 'superclass' || kind === 'interfaces' || kind === 'mixins')
    .flatMap(part => part.findAll('type_identifier'))
    .map(({ text }) => text)
  const form = makeClass(node, name, { bases, decorators: [...decorators] })
  const parts = node.parts.find(({ kind }) => BODIES.test(kind))?.parts ?? []
  let before: Decorator[] = []
  parts.forEach((part, at) => {
    if (part.kind === 'annotation') {
      before.push(readAnnotation(part))
      return
    }
    if (part.kind === 'method_signature') addMethod(file, form, part, parts[at + 1], before)
    else if (part.kind === 'declaration') addDeclaration(file, form, part)
    if (part.kind !== 'function_body') before = []
  })
  return form
}

function addMethod(
  file: DartFile,
  form: ClassForm,
  node: Syntax,
  body: Syntax | undefined,
  decorators: Decorator[],
): void {
  const made = findConstructor(node)
  if (made) {
    form.methods.push(lowerConstructor(file, form.name, made, node, body))
    return
  }
  const method = file.declared(node, body, { owner: form.name, decorators })
  form.methods.push(method)
  const getter = node.part('getter_signature')
  if (getter && body?.kind === 'function_body' && !body.part('block'))
    form.fields.push({
      ...readSpan(getter),
      name: method.name,
      isFixed: false,
      ...(method.returnType !== undefined && { type: method.returnType }),
    })
}

function addDeclaration(file: DartFile, form: ClassForm, node: Syntax): void {
  const made = findConstructor(node)
  if (made) {
    form.methods.push(lowerConstructor(file, form.name, made, node, undefined))
    return
  }
  const list = node.parts.find(({ kind }) => /_list$/.test(kind))
  if (!list || list.kind === 'formal_parameter_list') return
  const first = node.parts.find(({ kind }) => kind === 'type_identifier')
  const type = first && file.typeText(first.start, list.start)
  const isFixed = node.parts.some(({ kind }) => kind === 'final_builtin' || kind === 'const_builtin')
  for (const each of list.parts) {
    const [named, given] = listGroups(each)
    const name = named?.parts[0]
    if (!name) continue
    form.fields.push({
      ...readSpan(each),
      name: name.text,
      isFixed,
      ...(type !== undefined && { type }),
      ...(given && { value: () => lowerRun(file, given.parts, each) }),
    })
  }
}

const CONSTRUCTORS =
  /^(?:constructor_signature|constant_constructor_signature|factory_constructor_signature|redirecting_factory_constructor_signature)$/

function findConstructor(node: Syntax): Syntax | undefined {
  return node.parts.find(({ kind }) => CONSTRUCTORS.test(kind))
}

function lowerConstructor(
  file: DartFile,
  owner: string,
  node: Syntax,
  around: Syntax,
  body: Syntax | undefined,
): FunctionForm {
  const list = node.part('formal_parameter_list')
  const head = list ? file.text.slice(node.start, list.start) : node.text
  const name = /\.\s*(\w+)\s*$/.exec(head)?.[1]
  const isFactory = /\bfactory\b/.test(head)
  const form = {
    end: body?.kind === 'function_body' ? body.end : around.end,
    owner,
    parameters: lowerParameters(file, list),
  }
  const own = () => (body?.kind === 'function_body' ? file.bodyOf(body) : [])
  if (isFactory)
    return makeFunction(node, { ...form, name: name ?? 'constructor', isStatic: true, returnType: owner, body: own })
  if (name === undefined)
    return makeFunction(node, {
      ...form,
      name: 'constructor',
      body: () => [...lowerFields(file, around, list, makeExpression(node, { kind: 'this' })), ...own()],
    })
  // It makes an object, and sets the fields of that.
  const made = makeExpression(node, { kind: 'name', name: 'made@' }) as Expression & { kind: 'name' }
  const value = makeExpression(node, { kind: 'new', type: owner, args: [] })
  return makeFunction(node, {
    ...form,
    name,
    isStatic: true,
    returnType: owner,
    body: () => [
      makeStatement(node, { kind: 'declare', name: made.name, value }),
      ...lowerFields(file, around, list, made),
      makeStatement(node, { kind: 'return', value: made }),
    ],
  })
}

/** `this.name` among the parameters, and `name = value` behind them. */
function lowerFields(file: DartFile, around: Syntax, list: Syntax | undefined, object: Expression): Statement[] {
  const set = (at: Syntax, name: string, value: Expression) =>
    makeStatement(at, {
      kind: 'expression',
      value: makeExpression(at, {
        kind: 'assign',
        target: makeExpression(at, { kind: 'member', object, name }),
        value,
      }),
    })
  const taken = listSet(list).map(({ at, name }) => set(at, name, makeExpression(at, { kind: 'name', name })))
  const made = around.findAll('field_initializer').flatMap(at => {
    const [named, given] = listGroups(at)
    const name = named?.parts.findLast(({ kind }) => kind === 'identifier')
    return name && given ? [set(at, name.text, lowerRun(file, given.parts, at))] : []
  })
  return [...taken, ...made]
}
