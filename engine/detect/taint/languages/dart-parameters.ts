import type { Decorator, Parameter } from '../ir.ts'
import type { DartFile } from './dart.ts'
import { lowerRun } from './dart-chains.ts'
import { makeParameter, type Syntax } from './syntax.ts'

/** The parameters of a function, those in brackets or braces with the values that they have if none is given. */
export function lowerParameters(file: DartFile, list: Syntax | undefined): Parameter[] {
  const out: Parameter[] = []
  for (const child of list?.parts ?? []) {
    if (child.kind === 'formal_parameter') out.push(...lowerParameter(file, child))
    else if (child.kind === 'optional_formal_parameters') out.push(...lowerOptional(file, child))
  }
  return out
}

function lowerOptional(file: DartFile, node: Syntax): Parameter[] {
  const out: Parameter[] = []
  let given: Syntax[] = []
  const keep = () => {
    const last = out.at(-1)
    if (last && given.length > 0) last.default = lowerRun(file, given, node)
    given = []
  }
  for (const part of node.parts) {
    if (part.kind === 'formal_parameter') {
      keep()
      out.push(...lowerParameter(file, part))
    } else if (part.kind !== 'annotation') given.push(part)
  }
  keep()
  return out
}

function lowerParameter(file: DartFile, node: Syntax): Parameter[] {
  const own = node.parts.find(({ kind }) => kind === 'constructor_param' || kind === 'super_formal_parameter')
  const name = (own ?? node).parts.findLast(({ kind }) => kind === 'identifier')
  if (!name) return []
  const annotations = node.parts.filter(({ kind }) => kind === 'annotation')
  const decorators: Decorator[] = annotations.map(part => readAnnotation(part))
  const first = node.parts.find(({ kind }) => /type_identifier$|^function_type$/.test(kind))
  const type = first && first.start < name.start ? file.typeText(first.start, name.start) : undefined
  return [makeParameter(node, name.text, { decorators, type })]
}

/** The parameters that set a field (`this.name`), with it. */
export function listSet(list: Syntax | undefined): { at: Syntax; name: string }[] {
  return (list?.findAll('constructor_param') ?? []).flatMap(at => {
    const name = at.parts.findLast(({ kind }) => kind === 'identifier')
    return name ? [{ at, name: name.text }] : []
  })
}

/** An annotation by its name, dots and all. */
export function readAnnotation(node: Syntax): Decorator {
  const [name] = node.parts
  return { name: name?.text ?? '', args: [] }
}
