import type { Statement, Switch } from '../ir.ts'
import type { PhpFile } from './php.ts'
import { makeCall } from './php-calls.ts'
import { lowerWord } from './php-expressions.ts'
import {
  asDelete,
  asExpression,
  asJump,
  asLeaving,
  asNothing,
  asResult,
  asSwitch,
  asTry,
  asWhile,
} from './statement-rows.ts'
import { makeDeclaration, makeExpression, makeStatement, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

/** What declares a class or what is like one. */
export const CLASSES = ['class_declaration', 'trait_declaration', 'interface_declaration', 'enum_declaration']

/** Statements of PHP, by kind. */
export const STATEMENTS: SyntaxTable<PhpFile, Statement[]> = indexByKind(lowerOtherStatement, {
  expression_statement: lowerExpression,
  echo_statement: lowerEcho,
  exit_statement: asResult((file: PhpFile, node) => lowerWord(file, 'exit', node)),
  'compound_statement colon_block namespace_definition': (file, node) => file.block(node.field('body') ?? node),
  if_statement: lowerIf,
  'while_statement do_statement': asWhile('condition', 'body'),
  for_statement: lowerFor,
  foreach_statement: lowerForeach,
  switch_statement: asSwitch(lowerSwitch),
  try_statement: asTry(clause => clause.field('name')),
  return_statement: asLeaving('return'),
  break_statement: asJump('break'),
  continue_statement: asJump('continue'),
  // The variable of the file is meant, not one of the function.
  'unset_statement global_declaration': asDelete,
  function_static_declaration: (_file, node) =>
    node.parts.map(child => makeDeclaration(child, (child.parts[0] ?? child).text, undefined, undefined)),
  const_declaration: lowerConst,
  'function_definition namespace_use_declaration declare_statement named_label_statement empty_statement namespace_name':
    asNothing,
})

function lowerExpression(file: PhpFile, node: Syntax): Statement[] {
  const [inner] = node.parts
  if (!inner) return []
  if (inner.kind === 'throw_expression') {
    const [value] = inner.parts
    return [makeStatement(node, { kind: 'throw', value: value && file.expression(value) })]
  }
  const isExit = inner.kind === 'name' && /^die$/i.test(inner.text)
  const value = isExit ? makeCall('exit', [], node) : file.expression(inner)
  return [makeStatement(node, { kind: 'expression', value })]
}

function lowerEcho(file: PhpFile, node: Syntax): Statement[] {
  return flattenSequence(node).map(value =>
    makeStatement(node, { kind: 'expression', value: makeCall('echo', [file.expression(value)], value) }),
  )
}

function flattenSequence(node: Syntax): Syntax[] {
  return node.parts.flatMap(child => (child.kind === 'sequence_expression' ? flattenSequence(child) : [child]))
}

function lowerConst(file: PhpFile, node: Syntax): Statement[] {
  return node.parts.flatMap(element => {
    const [name, value] = element.parts
    return name && value ? [makeDeclaration(element, name.text, undefined, file.expression(value))] : []
  })
}

function lowerOtherStatement(file: PhpFile, node: Syntax): Statement[] {
  return CLASSES.includes(node.kind) ? [] : asExpression(file, node)
}

/** The statements of a block or of a page, where what stands between `<?=` and `?>` is printed. */
export function lowerBlock(file: PhpFile, node: Syntax): Statement[] {
  const out: Statement[] = []
  let isShown = false
  for (const child of node.parts) {
    if (/^(?:text|text_interpolation|php_tag)$/.test(child.kind)) {
      isShown = child.text.trimEnd().endsWith('<?=')
      continue
    }
    const statements = file.statement(child)
    out.push(...(isShown ? statements.map(makeShown) : statements))
    isShown = false
  }
  return out
}

function makeShown(statement: Statement): Statement {
  if (statement.kind !== 'expression') return statement
  const { value } = statement
  return makeStatement(statement, { kind: 'expression', value: makeCall('<?=', [value], value) })
}

function lowerIf(file: PhpFile, node: Syntax): Statement[] {
  const branch = (at: Syntax, test: Syntax, body: Syntax | undefined, no: Statement[]): Statement[] => [
    makeStatement(at, { kind: 'if', test: file.expression(test), yes: file.body(body), no }),
  ]
  const otherwise = node.fields('alternative').reduceRight<Statement[]>((no, clause) => {
    const test = clause.field('condition')
    const body = clause.field('body') ?? clause.parts.at(-1)
    return test ? branch(clause, test, body, no) : file.body(body)
  }, [])
  return branch(node, node.at('condition'), node.field('body'), otherwise)
}

function lowerFor(file: PhpFile, node: Syntax): Statement[] {
  const listed = (name: string) =>
    node.fields(name).flatMap(child => (child.node.isNamed() ? asExpression(file, child) : []))
  const test = node.field('condition')
  return [
    makeStatement(node, {
      kind: 'while',
      init: listed('initialize'),
      test: test && file.expression(test),
      step: listed('update'),
      body: node.fields('body').flatMap(child => file.body(child)),
      atLeastOnce: false,
    }),
  ]
}

function lowerForeach(file: PhpFile, node: Syntax): Statement[] {
  const [over, each, block] = node.parts
  const source = file.expression(over!)
  const [key, value] = each!.kind === 'pair' ? each!.parts : [undefined, each!]
  const body = file.body(node.field('body') ?? block)
  if (key) {
    // The keys of what the program wrote itself are its own.
    const callee = makeExpression(key, { kind: 'member', object: source, name: 'keySet' })
    const keys = makeExpression(key, { kind: 'call', callee, args: [] })
    const assigned = makeExpression(key, { kind: 'assign', target: file.expression(key), value: keys })
    body.unshift(makeStatement(key, { kind: 'expression', value: assigned }))
  }
  return [makeStatement(node, { kind: 'each', target: value ? file.expression(value) : source, source, body })]
}

function lowerSwitch(file: PhpFile, node: Syntax): Switch {
  const subject = node.field('condition')
  const cases = (node.field('body')?.parts ?? []).map(clause => {
    const isDefault = clause.kind === 'default_statement'
    const value = isDefault ? undefined : clause.field('value')
    const body = clause.parts.slice(isDefault ? 0 : 1).flatMap(each => file.statement(each))
    return { tests: value ? [file.expression(value)] : [], isDefault, body }
  })
  return { subject: subject && file.expression(subject), cases, fallsThrough: true }
}
