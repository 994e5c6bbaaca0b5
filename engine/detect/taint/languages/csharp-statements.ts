import type { SgNode } from '@ast-grep/napi'
import type { Expression, Span, Statement, Switch } from '../ir.ts'
import type { CsharpFile } from './csharp.ts'
import { lowerPattern, nameType } from './csharp-expressions.ts'
import { lowerAsStatement, lowerBlock, lowerEachAsStatement, type Table } from './lowering.ts'
import { indexByKind, listNamedChildren, toSpan } from './tree.ts'

/** Statements of C#, by kind. */
export const STATEMENTS: Table<CsharpFile, Statement[]> = indexByKind(lowerAsStatement, {
  'block checked_statement unsafe_statement global_statement': (file, node, span) => [
    { kind: 'block', body: lowerBlock(file, node), ...span },
  ],
  expression_statement: lowerEachAsStatement,
  local_declaration_statement: lowerLocalDeclaration,
  variable_declaration: lowerDeclaration,
  'using_statement lock_statement fixed_statement': lowerBlock,
  if_statement: lowerIf,
  'while_statement do_statement': lowerWhile,
  for_statement: lowerFor,
  foreach_statement: lowerForeach,
  switch_statement: (file, node, span) => [{ kind: 'switch', switch: lowerSwitch(file, node), ...span }],
  try_statement: (file, node, span) => [lowerTry(file, node, span)],
  'return_statement throw_statement': lowerReturn,
  yield_statement: lowerEachAsStatement,
  break_statement: (_file, _node, span) => [{ kind: 'break', ...span }],
  continue_statement: (_file, _node, span) => [{ kind: 'continue', ...span }],
  labeled_statement: (file, node) =>
    listNamedChildren(node)
      .slice(1)
      .flatMap(child => file.statement(child)),
  local_function_statement: (file, node, span) => [{ kind: 'function', function: file.localFunction(node), ...span }],
  'empty_statement goto_statement modifier': () => [],
})

function lowerLocalDeclaration(file: CsharpFile, node: SgNode): Statement[] {
  return listNamedChildren(node).flatMap(child =>
    child.kind() === 'variable_declaration' ? lowerDeclaration(file, child) : [],
  )
}

function lowerIf(file: CsharpFile, node: SgNode, span: Span): Statement[] {
  return [
    {
      kind: 'if',
      test: file.lowerField(node, 'condition'),
      yes: lowerBody(file, file.field(node, 'consequence')),
      no: lowerBody(file, file.field(node, 'alternative')),
      ...span,
    },
  ]
}

function lowerWhile(file: CsharpFile, node: SgNode, span: Span): Statement[] {
  const kind = node.kind() as string
  const parts = listNamedChildren(node)
  return [
    {
      kind: 'while',
      init: [],
      test: file.expression(file.field(node, 'condition') ?? (kind === 'do_statement' ? parts[1]! : parts[0]!)),
      step: [],
      body: lowerBody(file, file.field(node, 'body') ?? (kind === 'do_statement' ? parts[0] : parts[1])),
      atLeastOnce: kind === 'do_statement',
      ...span,
    },
  ]
}

function lowerFor(file: CsharpFile, node: SgNode, span: Span): Statement[] {
  const test = file.field(node, 'condition')
  return [
    {
      kind: 'while',
      init: (node.fieldChildren('initializer') as SgNode[]).flatMap(child => file.statement(child)),
      ...(test && { test: file.expression(test) }),
      step: (node.fieldChildren('update') as SgNode[]).flatMap(child => file.statement(child)),
      body: lowerBody(file, file.field(node, 'body')),
      atLeastOnce: false,
      ...span,
    },
  ]
}

function lowerForeach(file: CsharpFile, node: SgNode, span: Span): Statement[] {
  const type = file.field(node, 'type')
  const written = type && file.type(type)
  return [
    {
      kind: 'each',
      target: file.lowerField(node, 'left'),
      ...(written !== undefined && written !== 'var' && { type: written }),
      source: file.lowerField(node, 'right'),
      body: lowerBody(file, file.field(node, 'body')),
      ...span,
    },
  ]
}

function lowerReturn(file: CsharpFile, node: SgNode, span: Span): Statement[] {
  const kind = node.kind() as string
  const parts = listNamedChildren(node)
  return [
    {
      kind: kind === 'return_statement' ? 'return' : 'throw',
      ...(parts[0] && { value: file.expression(parts[0]) }),
      ...span,
    },
  ]
}

/** The variables of a declaration. */
export function readDeclarators(
  file: CsharpFile,
  node: SgNode,
): { name: string; type?: string; value?: SgNode; parts?: SgNode; span: Span }[] {
  const type = file.field(node, 'type')
  return listNamedChildren(node)
    .filter(child => child.kind() === 'variable_declarator')
    .map(child => {
      const [name, ...rest] = listNamedChildren(child)
      const last = rest.at(-1)
      const value = last && last.kind() === 'equals_value_clause' ? listNamedChildren(last)[0] : last
      const written = type && file.type(type)
      return {
        name: file.of(name!),
        span: toSpan(child),
        ...(written !== undefined && written !== 'var' && { type: written }),
        ...(value && { value }),
        // `var (a, b) = pair`
        ...(name!.kind() === 'tuple_pattern' && { parts: name! }),
      }
    })
}

function lowerDeclaration(file: CsharpFile, node: SgNode): Statement[] {
  return readDeclarators(file, node).map(({ name, type, value, parts, span }): Statement => {
    if (parts && value) {
      const target = file.expression(parts)
      return { kind: 'expression', value: { kind: 'assign', target, value: file.expression(value), ...span }, ...span }
    }
    return {
      kind: 'declare',
      name,
      ...(type !== undefined && { type }),
      ...(value && { value: nameType(file.expression(value), type) }),
      ...span,
    }
  })
}

function lowerBody(file: CsharpFile, node: SgNode | undefined): Statement[] {
  return node ? file.statement(node) : []
}

function lowerSwitch(file: CsharpFile, node: SgNode): Switch {
  const body = file.field(node, 'body')
  const subject = file.field(node, 'value') ?? listNamedChildren(node)[0]
  const cases = (body ? listNamedChildren(body) : []).map(section => {
    const parts = listNamedChildren(section)
    const patterns = parts.filter(part => /_pattern$/.test(part.kind() as string))
    const isDefault = section.children().some(child => child.kind() === 'default')
    return {
      tests: patterns.map((part): Expression => lowerPattern(file, part)),
      isDefault,
      body: parts.filter(part => !patterns.includes(part)).flatMap(part => file.statement(part)),
    }
  })
  return { ...(subject && { subject: file.expression(subject) }), cases, fallsThrough: true }
}

function lowerTry(file: CsharpFile, node: SgNode, span: Span): Statement {
  const body: Statement[] = []
  const handlers: (Statement & { kind: 'try' })['handlers'] = []
  let last: Statement[] = []
  for (const child of listNamedChildren(node)) {
    const kind = child.kind() as string
    const block = listNamedChildren(child).find(part => part.kind() === 'block')
    if (kind === 'block') body.push(...lowerBlock(file, child))
    else if (kind === 'finally_clause') last = lowerBlock(file, block)
    else if (kind === 'catch_clause') {
      const declaration = listNamedChildren(child).find(part => part.kind() === 'catch_declaration')
      const name = declaration && file.field(declaration, 'name')
      handlers.push({ ...(name && { name: file.of(name) }), body: lowerBlock(file, block) })
    }
  }
  return { kind: 'try', body, handlers, finally: last, ...span }
}
