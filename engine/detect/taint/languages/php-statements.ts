import type { SgNode } from '@ast-grep/napi'
import type { Expression, Span, Statement, Switch } from '../ir.ts'
import type { Table } from './lowering.ts'
import type { PhpFile } from './php.ts'
import { makeCall } from './php-calls.ts'
import { lowerWord } from './php-expressions.ts'
import { indexByKind, listNamedChildren, makeLiteral, toSpan } from './tree.ts'

/** What declares a class or what is like one. */
export const CLASSES = ['class_declaration', 'trait_declaration', 'interface_declaration', 'enum_declaration']

/** Statements of PHP, by kind. */
export const STATEMENTS: Table<PhpFile, Statement[]> = indexByKind(lowerOtherStatement, {
  expression_statement: lowerExpression,
  echo_statement: lowerEcho,
  exit_statement: (file, node, span) => [{ kind: 'expression', value: lowerWord(file, 'exit', node, span), ...span }],
  'compound_statement colon_block namespace_definition': (file, node) =>
    lowerBlock(file, file.field(node, 'body') ?? node),
  if_statement: (file, node) => [lowerIf(file, node)],
  'while_statement do_statement': lowerWhile,
  for_statement: (file, node, span) => [lowerFor(file, node, span)],
  foreach_statement: (file, node, span) => [lowerForeach(file, node, span)],
  switch_statement: (file, node, span) => [{ kind: 'switch', switch: lowerSwitch(file, node), ...span }],
  try_statement: (file, node, span) => [lowerTry(file, node, span)],
  return_statement: (file, node, span) => [{ kind: 'return', ...lowerOnly(file, node), ...span }],
  break_statement: (_file, _node, span) => [{ kind: 'break', ...span }],
  continue_statement: (_file, _node, span) => [{ kind: 'continue', ...span }],
  // The variable of the file is meant, not one of the function.
  'unset_statement global_declaration': (file, node, span) =>
    listNamedChildren(node).map(child => ({ kind: 'delete', target: file.expression(child), ...span })),
  function_static_declaration: lowerFunctionStatic,
  const_declaration: lowerConst,
  'function_definition namespace_use_declaration declare_statement named_label_statement empty_statement namespace_name':
    () => [],
})

function lowerExpression(file: PhpFile, node: SgNode, span: Span): Statement[] {
  const [inner] = listNamedChildren(node)
  if (!inner) return []
  if (inner.kind() === 'throw_expression') return [{ kind: 'throw', ...lowerOnly(file, inner), ...span }]
  if (inner.kind() === 'name' && /^die$/i.test(file.of(inner)))
    return [{ kind: 'expression', value: makeCall('exit', [], span), ...span }]
  return [{ kind: 'expression', value: file.expression(inner), ...span }]
}

function lowerEcho(file: PhpFile, node: SgNode, span: Span): Statement[] {
  const values = listNamedChildren(node).flatMap(child =>
    child.kind() === 'sequence_expression' ? flattenSequence(file, child) : [child],
  )
  return values.flatMap(value => [
    { kind: 'expression', value: makeCall('echo', [file.expression(value)], toSpan(value)), ...span },
  ])
}

function lowerWhile(file: PhpFile, node: SgNode, span: Span): Statement[] {
  return [
    {
      kind: 'while',
      init: [],
      test: file.lowerField(node, 'condition'),
      step: [],
      body: lowerBody(file, file.field(node, 'body')),
      atLeastOnce: (node.kind() as string) === 'do_statement',
      ...span,
    },
  ]
}

function lowerFunctionStatic(file: PhpFile, node: SgNode): Statement[] {
  return listNamedChildren(node).map(child => ({
    kind: 'declare',
    name: file.of(listNamedChildren(child)[0] ?? child),
    ...toSpan(child),
  }))
}

function lowerConst(file: PhpFile, node: SgNode): Statement[] {
  return listNamedChildren(node).flatMap((element): Statement[] => {
    const [name, value] = listNamedChildren(element)
    return name && value
      ? [{ kind: 'declare', name: file.of(name), value: file.expression(value), ...toSpan(element) }]
      : []
  })
}

function lowerOtherStatement(file: PhpFile, node: SgNode, span: Span): Statement[] {
  return CLASSES.includes(node.kind() as string) ? [] : [{ kind: 'expression', value: file.expression(node), ...span }]
}

export function lowerBlock(file: PhpFile, node: SgNode): Statement[] {
  const out: Statement[] = []
  let isShown = false
  for (const child of listNamedChildren(node)) {
    const kind = child.kind() as string
    if (kind === 'text' || kind === 'text_interpolation' || kind === 'php_tag') {
      isShown = file.of(child).trimEnd().endsWith('<?=')
      continue
    }
    const statements = file.statement(child)
    // `<?= … ?>`
    out.push(...(isShown ? statements.map(each => shown(each)) : statements))
    isShown = false
  }
  return out
}

/** A body that may be one statement without braces. */
function lowerBody(file: PhpFile, node: SgNode | undefined): Statement[] {
  if (!node) return []
  return /^(?:compound_statement|colon_block)$/.test(node.kind() as string)
    ? lowerBlock(file, node)
    : file.statement(node)
}

function lowerOnly(file: PhpFile, node: SgNode): { value?: Expression } {
  const [value] = listNamedChildren(node)
  return value ? { value: file.expression(value) } : {}
}

function flattenSequence(file: PhpFile, node: SgNode): SgNode[] {
  return listNamedChildren(node).flatMap(child =>
    child.kind() === 'sequence_expression' ? flattenSequence(file, child) : [child],
  )
}

function lowerIf(file: PhpFile, node: SgNode): Statement {
  let otherwise: Statement[] = []
  for (const clause of (node.fieldChildren('alternative') as SgNode[]).reverse()) {
    const body = lowerBody(file, file.field(clause, 'body') ?? listNamedChildren(clause).at(-1))
    const test = file.field(clause, 'condition')
    otherwise = test ? [{ kind: 'if', test: file.expression(test), yes: body, no: otherwise, ...toSpan(clause) }] : body
  }
  return {
    kind: 'if',
    test: file.lowerField(node, 'condition'),
    yes: lowerBody(file, file.field(node, 'body')),
    no: otherwise,
    ...toSpan(node),
  }
}

function lowerFor(file: PhpFile, node: SgNode, span: Span): Statement {
  const listed = (name: string): Statement[] =>
    (node.fieldChildren(name) as SgNode[])
      .filter(child => child.isNamed())
      .map(child => ({ kind: 'expression', value: file.expression(child), ...toSpan(child) }))
  const test = file.field(node, 'condition')
  return {
    kind: 'while',
    init: listed('initialize'),
    ...(test && { test: file.expression(test) }),
    step: listed('update'),
    body: (node.fieldChildren('body') as SgNode[]).flatMap(child => lowerBody(file, child)),
    atLeastOnce: false,
    ...span,
  }
}

function lowerForeach(file: PhpFile, node: SgNode, span: Span): Statement {
  const parts = listNamedChildren(node)
  const source = file.expression(parts[0]!)
  const [key, value] = parts[1]!.kind() === 'pair' ? listNamedChildren(parts[1]!) : [undefined, parts[1]!]
  const body = lowerBody(file, file.field(node, 'body') ?? parts[2])
  if (key) {
    // The keys of what the program wrote itself are its own.
    const callee: Expression = { kind: 'member', object: source, name: 'keySet', ...toSpan(key) }
    const keys: Expression = { kind: 'call', callee, args: [], ...toSpan(key) }
    body.unshift({
      kind: 'expression',
      value: { kind: 'assign', target: file.expression(key), value: keys, ...toSpan(key) },
      ...toSpan(key),
    })
  }
  return { kind: 'each', target: value ? file.expression(value) : source, source, body, ...span }
}

function lowerSwitch(file: PhpFile, node: SgNode): Switch {
  const body = file.field(node, 'body')
  const subject = file.field(node, 'condition')
  const cases = (body ? listNamedChildren(body) : []).map(clause => {
    const isDefault = clause.kind() === 'default_statement'
    const value = isDefault ? undefined : file.field(clause, 'value')
    const statements = listNamedChildren(clause).slice(isDefault ? 0 : 1)
    return {
      tests: value ? [file.expression(value)] : [],
      isDefault,
      body: statements.flatMap(each => file.statement(each)),
    }
  })
  return { ...(subject && { subject: file.expression(subject) }), cases, fallsThrough: true }
}

function lowerTry(file: PhpFile, node: SgNode, span: Span): Statement {
  const body: Statement[] = []
  const handlers: (Statement & { kind: 'try' })['handlers'] = []
  let last: Statement[] = []
  for (const child of listNamedChildren(node)) {
    const kind = child.kind() as string
    if (kind === 'compound_statement') body.push(...lowerBlock(file, child))
    else if (kind === 'finally_clause') last = lowerBlock(file, file.field(child, 'body') ?? child)
    else if (kind === 'catch_clause') {
      const name = file.field(child, 'name')
      handlers.push({ ...(name && { name: file.of(name) }), body: lowerBody(file, file.field(child, 'body')) })
    }
  }
  return { kind: 'try', body, handlers, finally: last, ...span }
}

/** An expression between `<?=` and `?>` is printed. */
function shown(statement: Statement): Statement {
  if (statement.kind !== 'expression') return statement
  const { value } = statement
  return { ...statement, value: makeCall('<?=', [value ?? makeLiteral(statement, null)], value) }
}
