import type { BinaryOperator, Expression, Switch } from '../ir.ts'
import {
  asConditional,
  asFunction,
  asLast,
  asList,
  asName,
  asNull,
  asNumber,
  asSwitch,
  asThis,
  asTruth,
  asUnknown,
} from './expression-rows.ts'
import { C_OPERATORS } from './operators.ts'
import type { RubyFile } from './ruby.ts'
import { lowerList, lowerSearch, lowerText } from './ruby-parts.ts'
import { makeExpression, makeLiteralAt, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = {
  ...C_OPERATORS,
  '**': '**',
  '===': '==',
  and: 'and',
  or: 'or',
  '||': 'either',
}

/** Expressions of Ruby, by kind. Symbols are texts; a block is the last argument of its call. */
export const EXPRESSIONS: SyntaxTable<RubyFile, Expression> = indexByKind(asUnknown, {
  identifier: lowerIdentifier,
  'constant global_variable': asName,
  self: asThis,
  'instance_variable class_variable': (_file, node) =>
    makeExpression(node, { kind: 'member', object: makeExpression(node, { kind: 'this' }), name: node.text }),
  'string bare_string chained_string delimited_symbol regex': (file, node) => lowerText(file, node),
  subshell: lowerSubshell,
  heredoc_beginning: lowerHeredoc,
  simple_symbol: (_file, node) => makeLiteralAt(node, node.text.slice(1)),
  'hash_key_symbol bare_symbol': (_file, node) => makeLiteralAt(node, node.text),
  'integer float': asNumber(),
  'true false': asTruth,
  nil: asNull,
  scope_resolution: lowerPath,
  element_reference: lowerElement,
  call: lowerCall,
  assignment: lowerAssignment,
  operator_assignment: lowerOperatorAssignment,
  'left_assignment_list right_assignment_list array': lowerList,
  destructured_left_assignment: asList,
  'string_array symbol_array': (_file, node) =>
    makeExpression(node, { kind: 'list', items: node.parts.map(part => ({ value: makeLiteralAt(part, part.text) })) }),
  hash: lowerHash,
  binary: lowerBinary,
  unary: lowerUnary,
  conditional: asConditional('condition', 'consequence', 'alternative'),
  'parenthesized_statements argument_list': asLast,
  'if unless begin if_modifier unless_modifier': lowerIf,
  case: asSwitch(lowerCase),
  'lambda block do_block': asFunction,
  'method singleton_method class module': asNull,
})

function lowerIdentifier(file: RubyFile, node: Syntax): Expression {
  const { text } = node
  // Grape's own `headers` are those of the request, Rails' those of the answer.
  const own = text === 'headers' && file.text.includes('Grape::API') ? 'the headers' : text
  const name = makeExpression(node, { kind: 'name', name: own })
  return file.methods.has(text) ? makeExpression(node, { kind: 'call', callee: name, args: [] }) : name
}

function lowerSubshell(file: RubyFile, node: Syntax): Expression {
  const callee = makeExpression(node, { kind: 'name', name: '`' })
  return makeExpression(node, { kind: 'call', callee, args: [{ value: lowerText(file, node) }] })
}

function lowerHeredoc(file: RubyFile, node: Syntax): Expression {
  const body = file.heredocs.get(node.start)
  return body ? lowerText(file, body, node) : makeLiteralAt(node, '')
}

function lowerPath(_file: RubyFile, node: Syntax): Expression {
  const [first, ...names] = node.text.replace(/^::/, '').split('::')
  return names.reduce(
    (object, name) => makeExpression(node, { kind: 'member', object, name }),
    makeExpression(node, { kind: 'name', name: first! }),
  )
}

function lowerElement(file: RubyFile, node: Syntax): Expression {
  const [object, ...rest] = node.parts
  const before = lowerReferer(node)
  if (before) return before
  // `DB["SELECT …"]` and `Dir["*.rb"]` are calls, not look-ups.
  if (object?.kind === 'constant' && /^(?:[A-Z]\w*_)?DB$|^Dir$/.test(object.text)) {
    const callee = makeExpression(node, { kind: 'name', name: /Dir/.test(object.text) ? 'Dir[' : 'DB[' })
    return makeExpression(node, { kind: 'call', callee, args: rest.map(part => ({ value: file.expression(part) })) })
  }
  const index = rest.length === 1 && rest[0]!.kind !== 'range' ? file.expression(rest[0]!) : undefined
  return makeExpression(node, { kind: 'index', object: file.expression(object!), index })
}

function lowerAssignment(file: RubyFile, node: Syntax): Expression {
  const target = lowerTarget(file, node.at('left'))
  return makeExpression(node, { kind: 'assign', target, value: file.expression(node.at('right')) })
}

function lowerOperatorAssignment(file: RubyFile, node: Syntax): Expression {
  const sign = node.at('operator').text.slice(0, -1)
  const operator = OPERATORS[sign] ?? (sign === '<<' ? 'concat' : 'bits')
  const value = file.expression(node.at('right'))
  return makeExpression(node, { kind: 'assign', target: lowerTarget(file, node.at('left')), operator, value })
}

function lowerHash(file: RubyFile, node: Syntax): Expression {
  const entries = node.parts.map(part => {
    const key = part.field('key')
    const value = part.field('value') ?? part.parts[0] ?? part
    return { key: key && file.expression(key), value: file.expression(value) }
  })
  return makeExpression(node, { kind: 'map', entries })
}

function lowerUnary(file: RubyFile, node: Syntax): Expression {
  const sign = node.text
  const operator = /^(?:!|not\b)/.test(sign) ? 'not' : sign.startsWith('-') ? '-' : '~'
  return makeExpression(node, { kind: 'unary', operator, value: file.expression(node.parts.at(-1)!) })
}

function lowerIf(file: RubyFile, node: Syntax): Expression {
  const yes = lowerLast(file, node.field('consequence') ?? node.field('body') ?? node)
  const test = node.field('condition')
  const alternative = node.field('alternative')
  if (!test) return yes
  const no = alternative
    ? alternative.kind === 'elsif'
      ? file.expression(alternative)
      : lowerLast(file, alternative)
    : makeLiteralAt(node, null)
  const [first, second] = node.kind.startsWith('unless') ? [no, yes] : [yes, no]
  return makeExpression(node, { kind: 'conditional', test: file.expression(test), yes: first, no: second })
}

/** What a branch is worth: its statements, and the value of the last. */
function lowerLast(file: RubyFile, node: Syntax): Expression {
  if (!/^(?:then|else|begin|do)$/.test(node.kind)) return file.expression(node)
  const last = node.parts.at(-1)
  if (!last) return makeLiteralAt(node, null)
  const body = node.parts.slice(0, -1).flatMap(part => file.statement(part))
  return makeExpression(node, { kind: 'block', body, value: file.expression(last) })
}

/** `case` with its values; a branch's last expression is what it yields. */
export function lowerCase(file: RubyFile, node: Syntax): Switch {
  const subject = node.field('value')
  const cases = node.parts
    .filter(({ kind }) => kind === 'when' || kind === 'else')
    .map(part => {
      const isDefault = part.kind === 'else'
      const body = isDefault ? part : part.field('body')
      const patterns = part.parts.filter(({ kind }) => kind === 'pattern')
      return {
        tests: patterns.map(each => file.expression(each.parts[0] ?? each)),
        isDefault,
        body: [],
        yields: body ? lowerLast(file, body) : makeLiteralAt(part, null),
      }
    })
  return { subject: subject && file.expression(subject), cases, fallsThrough: false }
}

/** What is written to: a name even where a method has it. */
function lowerTarget(file: RubyFile, node: Syntax): Expression {
  if (node.kind === 'identifier') return makeExpression(node, { kind: 'name', name: node.text })
  const object = node.kind === 'call' ? node.field('receiver') : undefined
  return object
    ? makeExpression(node, { kind: 'member', object: file.expression(object), name: node.at('method').text })
    : file.expression(node)
}

function lowerBinary(file: RubyFile, node: Syntax): Expression {
  const operator = node.at('operator').text
  const first = node.at('left')
  const left = file.expression(first)
  const right = file.expression(node.at('right'))
  if (operator === '<<') {
    if (left.kind === 'name' && file.texts.has(left.name))
      return makeExpression(node, { kind: 'assign', target: left, operator: 'concat', value: right })
    const callee = makeExpression(first, { kind: 'member', object: left, name: '<<' })
    return makeExpression(node, { kind: 'call', callee, args: [{ value: right }] })
  }
  if (operator === '=~' || operator === '!~') {
    const [pattern, value] = first.kind === 'regex' ? [left, right] : [right, left]
    const call = lowerSearch(pattern, value, node)
    return operator === '=~' ? call : makeExpression(node, { kind: 'unary', operator: 'not', value: call })
  }
  return makeExpression(node, { kind: 'binary', operator: OPERATORS[operator] ?? 'bits', left, right })
}

/** The page before as a header of the request is the same as `request.referer`. */
function lowerReferer(node: Syntax): Expression | undefined {
  const asked = /^((?:self\.)?(?:request|req))\.(?:headers|env)\[\s*["'](?:HTTP_)?Referer["']\s*\]$/i.exec(node.text)
  if (!asked) return undefined
  const name = asked[1]!
  const object = makeExpression({ start: node.start, end: node.start + name.length }, { kind: 'name', name })
  const callee = makeExpression(node, { kind: 'member', object, name: 'referer' })
  return makeExpression(node, { kind: 'call', callee, args: [] })
}

function lowerCall(file: RubyFile, node: Syntax): Expression {
  const object = node.field('receiver')
  const method = node.field('method')
  const block = node.field('block')
  const list = node.field('arguments')
  const args = file.args(list)
  const name = method?.text ?? 'call'
  const given = block && makeExpression(block, { kind: 'function', function: file.function(block) })
  // A thread hands what it is started with to its block.
  if (given && object?.text === 'Thread' && /^(?:new|start|fork)$/.test(name))
    return makeExpression(node, { kind: 'call', callee: given, args })
  if (given) args.push({ value: given })
  if (!object)
    return makeExpression(node, { kind: 'call', callee: makeExpression(method ?? node, { kind: 'name', name }), args })
  const receiver = file.expression(object)
  if (name === 'new' && /^(?:constant|scope_resolution)$/.test(object.kind)) {
    const type = object.text.replace(/^::/, '').replaceAll('::', '.')
    return makeExpression(node, { kind: 'new', type, args })
  }
  const pattern = args[0]?.value
  if (/^match\??$/.test(name) && pattern && (list ?? node).parts[0]?.kind === 'regex')
    return lowerSearch(pattern, receiver, node)
  const at = { start: node.start, end: (method ?? node).end }
  return makeExpression(node, {
    kind: 'call',
    callee: makeExpression(at, { kind: 'member', object: receiver, name }),
    args,
  })
}
