import type { BinaryOperator, Expression, ExpressionForm } from '../ir.ts'
import type { CFile } from './c.ts'
import { findWriting, nameCall, type Writing } from './c-calls.ts'
import { stream } from './c-streams.ts'
import {
  asField,
  asFunction,
  asName,
  asNothingKnown,
  asNull,
  asNumber,
  asText,
  asThis,
  asTruth,
  asUnknown,
} from './expression-rows.ts'
import { WHOLE_OPERATORS } from './operators.ts'
import {
  makeExpression,
  makeLiteralAt,
  makeStatement,
  makeStep,
  makeUnknown,
  type Syntax,
  type SyntaxTable,
} from './syntax.ts'
import { indexByKind, unescapeText } from './tree.ts'

/** Types whose constructor makes of a text the same text. */
const CONVERTS = /^(?:w?string(?:_view)?|path)$/

/** Comparisons of texts that answer 0 where both are the same. */
const COMPARES = /^(?:str|wcs|lstr|_str|_wcs)(?:case|i)?cmp(?:i)?$/

/** Calls whose answer is asked for as a truth value: a place in a text or none, or 0 for the same beginning. */
const FINDS = /^(?:str|wcs|mem)(?:str|r?chr|pbrk|casestr)$/
const BEGINS = /^(?:str|wcs|mem)n?(?:case)?cmp$/

/** Expressions of C and C++, by kind. Pointers are what they point to: `*p`, `&x` and `p->a` are elements and members. */
export const EXPRESSIONS: SyntaxTable<CFile, Expression> = indexByKind(asUnknown, {
  'identifier field_identifier type_identifier': asName,
  qualified_identifier: (_file, node) => makeExpression(node, { kind: 'name', name: stripQualifiers(node.text) }),
  this: asThis,
  'string_literal raw_string_literal char_literal': (_file, node) => makeLiteralAt(node, content(node.text)),
  concatenated_string: asText,
  number_literal: asNumber(/'|[uUlL]+$/g),
  'true false': asTruth,
  'null nullptr': asNull,
  'sizeof_expression alignof_expression': asNothingKnown,
  'parenthesized_expression condition_clause': lowerInner,
  cast_expression: lowerCast,
  field_expression: lowerField,
  subscript_expression: lowerSubscript,
  pointer_expression: lowerPointer,
  call_expression: lowerCall,
  new_expression: lowerNew,
  binary_expression: lowerBinary,
  unary_expression: lowerUnary,
  update_expression: (file, node) =>
    makeStep(node, file.expression(node.at('argument')), node.text.includes('++') ? '++' : '--'),
  assignment_expression: lowerAssignment,
  conditional_expression: lowerConditional,
  comma_expression: lowerComma,
  initializer_list: lowerInitializers,
  compound_literal_expression: asField('value'),
  lambda_expression: asFunction,
})

function lowerInner(file: CFile, node: Syntax): Expression {
  const inner = node.parts.at(-1)
  return inner ? file.expression(inner) : makeUnknown(node)
}

function lowerField(file: CFile, node: Syntax): Expression {
  return makeExpression(node, {
    kind: 'member',
    object: file.expression(node.at('argument')),
    name: stripQualifiers(node.at('field').text),
  })
}

function lowerSubscript(file: CFile, node: Syntax): Expression {
  const index = node.field('index') ?? node.field('indices')?.parts[0]
  return makeExpression(node, {
    kind: 'index',
    object: file.expression(node.at('argument')),
    ...(index && { index: file.expression(index) }),
  })
}

function lowerPointer(file: CFile, node: Syntax): Expression {
  const object = file.expression(node.at('argument'))
  return node.text.startsWith('*') ? makeExpression(node, { kind: 'index', object }) : object
}

function lowerNew(file: CFile, node: Syntax): Expression {
  return makeExpression(node, {
    kind: 'new',
    type: stripQualifiers(node.at('type').text),
    args: file.args(node.field('arguments')),
  })
}

function lowerUnary(file: CFile, node: Syntax): Expression {
  const operator = node.at('operator').text
  if (operator === '!') return negated(file.expression(node.at('argument')), node)
  return operator === '-'
    ? makeExpression(node, { kind: 'unary', operator, value: file.expression(node.at('argument')) })
    : file.expression(node.at('argument'))
}

function lowerConditional(file: CFile, node: Syntax): Expression {
  const test = file.expression(node.at('condition'))
  const yes = node.field('consequence')
  return makeExpression(node, {
    kind: 'conditional',
    test,
    yes: yes ? file.expression(yes) : test,
    no: file.expression(node.at('alternative')),
  })
}

function lowerComma(file: CFile, node: Syntax): Expression {
  const left = node.at('left')
  const first = makeStatement(left, { kind: 'expression', value: file.expression(left) })
  return makeExpression(node, { kind: 'block', body: [first], value: file.expression(node.at('right')) })
}

/** The arguments between parentheses as the constructor of a declared variable takes them (`std::ifstream in(path)`). */
export function lowerConstructed(file: CFile, type: string, node: Syntax): Expression {
  return makeExpression(node, { kind: 'new', type, args: file.args(node) })
}

function lowerCall(file: CFile, node: Syntax): Expression {
  const callee = node.at('function')
  const given = node.at('arguments').parts
  const args = given.map(part => file.expression(part))
  const name = /identifier$/.test(callee.kind) ? stripQualifiers(callee.text) : undefined
  if (name !== undefined && CONVERTS.test(name) && args.length === 1) return args[0]!
  if (name !== undefined && COMPARES.test(name) && args.length === 2)
    return negated(makeExpression(node, { kind: 'binary', operator: '==', left: args[0]!, right: args[1]! }), node)
  if (name !== undefined && BEGINS.test(name)) return negated(callByName(node, name, args), node)
  const known =
    name === undefined
      ? undefined
      : nameCall(
          name,
          given.map(part => part.text),
        )
  const made = known === undefined ? undefined : callByName(node, known, args)
  const whole =
    made ??
    makeExpression(node, { kind: 'call', callee: file.expression(callee), args: args.map(value => ({ value })) })
  const cpp = known === 'read_from_user' && name === 'getline' && given[0]?.text !== 'stdin' && given.length < 3
  const writing = name === undefined ? undefined : cpp ? ({ to: 1, from: 'call' } as const) : findWriting(name)
  return writing ? assignWritten(file, node, writing, given, args, whole) : whole
}

function callByName(node: Syntax, name: string, args: readonly Expression[]): Expression {
  const callee = makeExpression(node.at('function'), { kind: 'name', name })
  return makeExpression(node, { kind: 'call', callee, args: args.map(value => ({ value })) })
}

/** The call as assignments to what it writes. */
function assignWritten(
  file: CFile,
  node: Syntax,
  { to, rest, from, adds }: Writing,
  given: readonly Syntax[],
  args: readonly Expression[],
  whole: Expression,
): Expression {
  const value =
    from === 'call'
      ? whole
      : 'format' in from
        ? callByName(node, 'sprintf', args.slice(from.format))
        : args[from.argument]
  const places = given.slice(to, rest ? undefined : to + 1)
  if (!value || places.length === 0) return whole
  const made = places.map(place => assignBuffer(file, node, place, value, adds))
  return made.length === 1 ? made[0]! : makeExpression(node, { kind: 'unknown', parts: made })
}

/** A buffer takes a value; behind its beginning (`line + n`, `&line[n]`) what stood there stays. */
function assignBuffer(file: CFile, node: Syntax, place: Syntax, value: Expression, adds: true | undefined): Expression {
  let target = place
  let isWhole = true
  for (;;) {
    const argument = target.field('argument') ?? target.field('value')
    if (target.kind === 'parenthesized_expression' && target.parts[0]) target = target.parts[0]
    else if (target.kind === 'cast_expression' && argument) target = argument
    else if (target.kind === 'pointer_expression' && argument) target = argument
    else if (target.kind === 'subscript_expression' && argument) {
      isWhole = false
      target = argument
    } else if (target.kind === 'binary_expression') {
      isWhole = false
      target = target.at('left')
    } else break
  }
  if (target.kind === 'call_expression') return value
  return makeExpression(node, {
    kind: 'assign',
    target: file.expression(target),
    ...((adds || !isWhole) && { operator: '+' as const }),
    value,
  })
}

function lowerCast(file: CFile, node: Syntax): Expression {
  const type = node.at('type').text
  const value = file.expression(node.at('value'))
  return /[*&]/.test(type) ? value : makeExpression(node, { kind: 'cast', type: getScalar(type), value })
}

function lowerBinary(file: CFile, node: Syntax): Expression {
  const sign = node.at('operator').text
  const left = file.expression(node.at('left'))
  const right = node.at('right')
  if (sign === '>>' || sign === '<<') {
    const streamed = stream(node, sign, left, right, part => file.expression(part))
    if (streamed) return streamed
  }
  const other = file.expression(right)
  const isNothing = other.kind === 'literal' && (other.value === null || other.value === 0)
  if ((sign === '==' || sign === '!=') && isNothing && answersTruth(left))
    return sign === '==' ? negated(left, node) : left
  const operator: BinaryOperator = WHOLE_OPERATORS[sign] ?? 'bits'
  return makeExpression(node, { kind: 'binary', operator, left, right: other })
}

function lowerAssignment(file: CFile, node: Syntax): Expression {
  const left = node.at('left')
  const value = file.expression(node.at('right'))
  const sign = node.at('operator').text.slice(0, -1)
  const target = file.expression(left)
  // One character or number makes no text of another kind.
  if (target.kind === 'index' && value.kind === 'literal' && (typeof value.value === 'number' || isCharacter(node)))
    return makeExpression(node, { kind: 'unknown', parts: [target] })
  const operator = sign === '' ? undefined : (WHOLE_OPERATORS[sign] ?? 'bits')
  return makeExpression(node, { kind: 'assign', target, ...(operator && { operator }), value })
}

function lowerInitializers(file: CFile, node: Syntax): Expression {
  const entries = node.parts.map(part => {
    if (part.kind !== 'initializer_pair') return { value: file.expression(part) }
    const name = part.at('designator').text.replace(/^\./, '')
    return { key: makeLiteralAt(part, name), value: file.expression(part.at('value')) }
  })
  return entries.some(({ key }) => key)
    ? makeExpression(node, { kind: 'map', entries })
    : makeExpression(node, { kind: 'list', items: entries.map(({ value }) => ({ value })) })
}

/** A name without the spaces of names before it and without what a template is given. */
export function stripQualifiers(text: string): string {
  return text.replace(/<.*>/s, '').replace(/^.*::/s, '').trim()
}

/** The name of a type that holds one number; every written form of a number is `int`. */
export function getScalar(text: string): string {
  const bare = text.replace(/\b(?:const|volatile|static|register|struct|enum|class|auto)\b/g, '').trim()
  return /^(?:(?:unsigned|signed|long|short|int|char|float|double|bool|_Bool)\s*)+$/.test(bare)
    ? 'int'
    : stripQualifiers(bare)
}

function content(text: string): string {
  const raw = /^[uUL8]*R"([^(]*)\((.*)\)\1"$/s.exec(text)
  return raw ? raw[2]! : unescapeText(text.replace(/^[uUL8]*["']|["']$/g, ''))
}

function isCharacter(node: Syntax): boolean {
  return node.at('right').kind === 'char_literal'
}

/** Whether a comparison with nothing only asks whether there is an answer, or whether two texts differ. */
function answersTruth(expression: Expression): boolean {
  if (expression.kind === 'unary') return expression.operator === 'not'
  if (expression.kind === 'binary') return expression.operator === '!='
  return (
    expression.kind === 'call' &&
    expression.callee.kind === 'name' &&
    FINDS.test(stripQualifiers(expression.callee.name))
  )
}

/** The opposite; twice is nothing, and of a comparison the other sign. */
function negated(value: Expression, node: Syntax): Expression {
  if (value.kind === 'unary' && value.operator === 'not') return value.value
  if (value.kind === 'binary' && (value.operator === '==' || value.operator === '!='))
    return makeExpression(node, { ...value, operator: value.operator === '==' ? '!=' : '==' } as ExpressionForm)
  return makeExpression(node, { kind: 'unary', operator: 'not', value })
}
