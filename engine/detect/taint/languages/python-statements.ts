import type { SgNode } from '@ast-grep/napi'
import type { Expression, Span, Statement, Switch } from '../ir.ts'
import { lowerAsStatement, lowerBlock, lowerEachAsStatement, type Table } from './lowering.ts'
import type { PythonFile } from './python.ts'
import { indexByKind, listNamedChildren, toSpan } from './tree.ts'

/** Statements of Python, by kind. */
export const STATEMENTS: Table<PythonFile, Statement[]> = indexByKind(lowerAsStatement, {
  expression_statement: lowerEachAsStatement,
  if_statement: (file, node) => [lowerIf(file, node)],
  for_statement: lowerFor,
  while_statement: lowerWhile,
  try_statement: (file, node, span) => [lowerTry(file, node, span)],
  with_statement: lowerWith,
  match_statement: (file, node, span) => [{ kind: 'switch', switch: lowerMatch(file, node), ...span }],
  return_statement: lowerReturn,
  raise_statement: lowerRaise,
  break_statement: (_file, _node, span) => [{ kind: 'break', ...span }],
  continue_statement: (_file, _node, span) => [{ kind: 'continue', ...span }],
  delete_statement: (file, node, span) =>
    listNamedChildren(node).map(child => ({ kind: 'delete', target: file.expression(child), ...span })),
  function_definition: (file, node, span) => [
    { kind: 'function', function: file.function(node, [], undefined), ...span },
  ],
  decorated_definition: lowerDecorated,
  'import_statement import_from_statement': lowerImport,
  'assert_statement print_statement exec_statement': lowerEachAsStatement,
  'pass_statement global_statement nonlocal_statement class_definition type_alias_statement': () => [],
})

function lowerFor(file: PythonFile, node: SgNode, span: Span): Statement[] {
  const otherwise = file.field(node, 'alternative')
  const loop: Statement = {
    kind: 'each',
    target: file.lowerField(node, 'left'),
    source: file.lowerField(node, 'right'),
    body: lowerBlock(file, node.field('body') as SgNode),
    ...span,
  }
  return otherwise ? [loop, ...lowerClause(file, otherwise)] : [loop]
}

function lowerWhile(file: PythonFile, node: SgNode, span: Span): Statement[] {
  const otherwise = file.field(node, 'alternative')
  const loop: Statement = {
    kind: 'while',
    init: [],
    test: file.lowerField(node, 'condition'),
    step: [],
    body: lowerBlock(file, node.field('body') as SgNode),
    atLeastOnce: false,
    ...span,
  }
  return otherwise ? [loop, ...lowerClause(file, otherwise)] : [loop]
}

function lowerReturn(file: PythonFile, node: SgNode, span: Span): Statement[] {
  const [value] = listNamedChildren(node)
  return [{ kind: 'return', ...(value && { value: file.expression(value) }), ...span }]
}

function lowerRaise(file: PythonFile, node: SgNode, span: Span): Statement[] {
  const [value] = listNamedChildren(node)
  return [{ kind: 'throw', ...(value && { value: file.expression(value) }), ...span }]
}

function lowerDecorated(file: PythonFile, node: SgNode, span: Span): Statement[] {
  const inner = file.field(node, 'definition')
  if (!inner || (inner.kind() as string) !== 'function_definition') return []
  const decorators = listNamedChildren(node)
    .filter(child => (child.kind() as string) === 'decorator')
    .map(child => file.decorator(child))
  return [{ kind: 'function', function: file.function(inner, decorators, undefined), ...span }]
}

function lowerImport(file: PythonFile, node: SgNode): Statement[] {
  file.addImports(node)
  return []
}

function lowerIf(file: PythonFile, node: SgNode): Statement {
  const alternatives = node.fieldChildren('alternative') as SgNode[]
  let otherwise: Statement[] = []
  for (const clause of alternatives.reverse()) {
    if ((clause.kind() as string) === 'else_clause') otherwise = lowerClause(file, clause)
    else
      otherwise = [
        {
          kind: 'if',
          test: file.lowerField(clause, 'condition'),
          yes: lowerBlock(file, clause.field('consequence') as SgNode),
          no: otherwise,
          ...toSpan(clause),
        },
      ]
  }
  return {
    kind: 'if',
    test: file.lowerField(node, 'condition'),
    yes: lowerBlock(file, node.field('consequence') as SgNode),
    no: otherwise,
    ...toSpan(node),
  }
}

function lowerClause(file: PythonFile, node: SgNode): Statement[] {
  return listNamedChildren(node).flatMap(child => ((child.kind() as string) === 'block' ? lowerBlock(file, child) : []))
}

function lowerTry(file: PythonFile, node: SgNode, span: Span): Statement {
  const body: Statement[] = []
  const handlers: (Statement & { kind: 'try' })['handlers'] = []
  let last: Statement[] = []
  for (const child of listNamedChildren(node)) {
    const kind = child.kind() as string
    if (kind === 'block') body.push(...lowerBlock(file, child))
    else if (kind === 'else_clause') body.push(...lowerClause(file, child))
    else if (kind === 'finally_clause') last = lowerClause(file, child)
    else if (kind === 'except_clause' || kind === 'except_group_clause') {
      const pattern = listNamedChildren(child).find(part => (part.kind() as string) === 'as_pattern')
      const target = pattern && listNamedChildren(pattern).find(part => (part.kind() as string) === 'as_pattern_target')
      handlers.push({ ...(target && { name: file.of(target) }), body: lowerClause(file, child) })
    }
  }
  return { kind: 'try', body, handlers, finally: last, ...span }
}

function lowerWith(file: PythonFile, node: SgNode): Statement[] {
  const out: Statement[] = []
  for (const clause of listNamedChildren(node)) {
    if ((clause.kind() as string) === 'block') {
      out.push(...lowerBlock(file, clause))
      continue
    }
    for (const item of listNamedChildren(clause)) {
      const [value] = listNamedChildren(item)
      if (value) out.push({ kind: 'expression', value: file.expression(value), ...toSpan(item) })
    }
  }
  return out
}

function lowerMatch(file: PythonFile, node: SgNode): Switch {
  const subject = node.fieldChildren('subject') as SgNode[]
  const body = file.field(node, 'body')
  const cases: Switch['cases'] = []
  for (const clause of body ? listNamedChildren(body) : []) {
    const patterns = listNamedChildren(clause).filter(part => (part.kind() as string) === 'case_pattern')
    const guard = listNamedChildren(clause).some(part => (part.kind() as string) === 'if_clause')
    const block =
      file.field(clause, 'consequence') ?? listNamedChildren(clause).find(part => (part.kind() as string) === 'block')
    const [pattern] = patterns
    const statements = block ? lowerBlock(file, block) : []
    const inner = pattern ? listNamedChildren(pattern)[0] : undefined
    const isAny =
      pattern !== undefined &&
      (inner === undefined || ((inner.kind() as string) === 'dotted_name' && !file.of(inner).includes('.')))
    const tests = inner && !isAny ? lowerPattern(file, inner) : []
    if (isAny && inner && subject[0]) {
      const value = file.expression(subject[0])
      statements.unshift({
        kind: 'expression',
        value: {
          kind: 'assign',
          target: { kind: 'name', name: file.of(inner), ...toSpan(inner) },
          value,
          ...toSpan(inner),
        },
        ...toSpan(inner),
      })
    }
    cases.push({
      tests: guard ? [{ kind: 'unknown', parts: tests, ...toSpan(clause) }] : tests,
      isDefault: isAny && !guard,
      body: statements,
    })
  }
  return { ...(subject[0] && { subject: file.expression(subject[0]) }), cases, fallsThrough: false }
}

function lowerPattern(file: PythonFile, node: SgNode): Expression[] {
  if ((node.kind() as string) === 'union_pattern') return listNamedChildren(node).map(child => file.expression(child))
  return [file.expression(node)]
}
