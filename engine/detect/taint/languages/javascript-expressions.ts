import type { Expression, Statement } from '../ir.ts'
import {
  asAssignment,
  asConditional,
  asFunction,
  asInner,
  asLast,
  asList,
  asNothingKnown,
  asNull,
  asNumber,
  asQuoted,
  asThis,
  asTruth,
  asUnknown,
} from './expression-rows.ts'
import type { JavascriptFile } from './javascript.ts'
import { findRequired, nameModule, REQUIRED } from './javascript-imports.ts'
import { lowerAssignment, lowerBinary, lowerUnary, lowerUpdate, OPERATORS } from './javascript-operators.ts'
import { INPUT, lowerKey } from './javascript-patterns.ts'
import { makeExpression, makeLiteralAt, makeStatement, makeUnknown, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind, unescapeText } from './tree.ts'

/** Tags of templates that only put the text together. */
const PLAIN_TAGS = /^(?:String\.raw|dedent|outdent|stripIndents?|oneLine|unindent|endent)$/

/** Expressions of JavaScript and TypeScript, by kind. */
export const EXPRESSIONS: SyntaxTable<JavascriptFile, Expression> = indexByKind(asUnknown, {
  'identifier shorthand_property_identifier': lowerIdentifier,
  this: asThis,
  string: asQuoted,
  template_string: (file, node) => makeExpression(node, { kind: 'text', parts: lowerTemplate(file, node) }),
  regex: lowerRegex,
  number: asNumber(),
  'true false': asTruth,
  'null undefined': asNull,
  'parenthesized_expression await_expression yield_expression non_null_expression as_expression satisfies_expression template_substitution jsx_expression':
    asInner,
  type_assertion: asLast,
  sequence_expression: lowerSequence,
  member_expression: lowerMember,
  subscript_expression: lowerSubscript,
  call_expression: lowerCall,
  new_expression: lowerNew,
  binary_expression: lowerBinary,
  unary_expression: lowerUnary,
  update_expression: lowerUpdate,
  ternary_expression: asConditional('condition', 'consequence', 'alternative'),
  assignment_expression: lowerAssignment,
  augmented_assignment_expression: asAssignment(OPERATORS),
  array: asList,
  object: (file, node) => makeExpression(node, { kind: 'map', entries: lowerFields(file, node) }),
  'arrow_function function_expression generator_function': asFunction,
  class: asNothingKnown,
  'jsx_element jsx_self_closing_element jsx_fragment': (file, node) =>
    makeExpression(node, { kind: 'block', body: lowerJsx(file, node) }),
})

function lowerIdentifier(_file: JavascriptFile, node: Syntax): Expression {
  return node.text === 'undefined' ? makeLiteralAt(node, null) : makeExpression(node, { kind: 'name', name: node.text })
}

function lowerRegex(_file: JavascriptFile, node: Syntax): Expression {
  // The expression alone, for checks that depend on it.
  return makeLiteralAt(node, node.text.replace(/^\/|\/[a-z]*$/g, ''))
}

function lowerSequence(file: JavascriptFile, node: Syntax): Expression {
  const before = node.parts
    .slice(0, -1)
    .map(part => makeStatement(part, { kind: 'expression', value: file.expression(part) }))
  return makeExpression(node, { kind: 'block', body: before, value: file.expression(node.parts.at(-1)!) })
}

function lowerMember(file: JavascriptFile, node: Syntax): Expression {
  const { text } = node.at('property')
  if (file.hasSchemas && INPUT.test(node.at('object').text) && file.isChecked(text, node)) return makeUnknown(node)
  return makeExpression(node, { kind: 'member', object: file.expression(node.at('object')), name: text })
}

function lowerNew(file: JavascriptFile, node: Syntax): Expression {
  const type = resolvePath(file, node.at('constructor'))
  return makeExpression(node, { kind: 'new', type, args: file.args(node.field('arguments')) })
}

function lowerSubscript(file: JavascriptFile, node: Syntax): Expression {
  const object = file.expression(node.at('object'))
  const index = file.expression(node.at('index'))
  return index.kind === 'literal' && typeof index.value === 'string' && /^[A-Za-z_$][\w$]*$/.test(index.value)
    ? makeExpression(node, { kind: 'member', object, name: index.value })
    : makeExpression(node, { kind: 'index', object, index })
}

function lowerCall(file: JavascriptFile, node: Syntax): Expression {
  const callee = findCallee(node.at('function'))
  const args = node.at('arguments')
  const required = findRequired(callee, args)
  if (required !== undefined) return makeExpression(node, { kind: 'name', name: REQUIRED + nameModule(required) })
  if (args.kind === 'template_string') {
    const parts = lowerTemplate(file, args)
    if (PLAIN_TAGS.test(callee.text)) return makeExpression(node, { kind: 'text', parts })
    // What else a tag does with the parts is its own affair, and mostly to quote them.
    const name = makeExpression(callee, { kind: 'name', name: 'tagged template' })
    return makeExpression(node, { kind: 'call', callee: name, args: parts.map(value => ({ value })) })
  }
  if (/^(?:\$|jQuery)\.extend$/.test(callee.text)) {
    const [first, ...rest] = args.parts
    const from = first?.kind === 'true' ? rest : args.parts
    // Into a new object: each field is that of the last which has it.
    if (from[0]?.kind === 'object')
      return makeExpression(node, { kind: 'map', entries: from.flatMap(each => lowerFields(file, each)) })
  }
  return makeExpression(node, { kind: 'call', callee: file.expression(callee), args: file.args(args) })
}

/** What is called: of `(0, run)`, which calls a function without its object, the last. */
function findCallee(node: Syntax): Syntax {
  const [inner] = node.kind === 'parenthesized_expression' ? node.parts : []
  if (inner?.kind !== 'sequence_expression') return node
  return inner.parts.slice(0, -1).every(({ kind }) => kind === 'number') ? inner.parts.at(-1)! : node
}

function lowerFields(file: JavascriptFile, node: Syntax): { key?: Expression; value: Expression }[] {
  return node.kind === 'object' ? node.parts.map(child => lowerEntry(file, child)) : [{ value: file.expression(node) }]
}

/** The full name of what is made, by the imports. */
function resolvePath(file: JavascriptFile, node: Syntax): string {
  const text = node.text.replace(/\s+/g, '')
  const dot = text.indexOf('.')
  if (dot === -1) return text
  const module = file.imports.get(text.slice(0, dot))
  return module === undefined ? text : module + text.slice(dot)
}

function lowerEntry(file: JavascriptFile, child: Syntax): { key?: Expression; value: Expression } {
  switch (child.kind) {
    case 'pair':
      return { ...lowerKey(file, child.at('key')), value: file.expression(child.at('value')) }
    case 'shorthand_property_identifier':
      return { key: makeLiteralAt(child, child.text), value: file.expression(child) }
    case 'method_definition':
      return {
        ...lowerKey(file, child.at('name')),
        value: makeExpression(child, { kind: 'function', function: file.function(child) }),
      }
    case 'spread_element':
      return { value: file.expression(child.parts[0]!) }
    default:
      return { value: file.expression(child) }
  }
}

/** The parts of a template: the text between substitutions, and these. */
function lowerTemplate(file: JavascriptFile, node: Syntax): Expression[] {
  const { start, end, text } = node
  const out: Expression[] = []
  let at = start + 1
  const fixed = (from: number, to: number): void => {
    if (to > from) out.push(makeLiteralAt({ start: from, end: to }, unescapeText(text.slice(from - start, to - start))))
  }
  for (const child of node.parts) {
    if (child.kind !== 'template_substitution') continue
    fixed(at, child.start)
    out.push(file.expression(child))
    at = child.end
  }
  fixed(at, end - 1)
  return out
}

/** An element is worth nothing that could harm; its attributes are written to it. */
function lowerJsx(file: JavascriptFile, node: Syntax): Statement[] {
  const out: Statement[] = []
  for (const child of node.parts) {
    const { kind } = child
    if (kind === 'jsx_attribute') {
      const [name, value] = child.parts
      if (!name || !value) continue
      // No program has such a variable: what is written to a member of it is an attribute.
      const object = makeExpression({ start: child.start, end: child.start }, { kind: 'name', name: 'the element' })
      const target = makeExpression(child, { kind: 'member', object, name: name.text })
      const written = makeExpression(child, { kind: 'assign', target, value: file.expression(value) })
      out.push(makeStatement(child, { kind: 'expression', value: written }))
    } else if (kind === 'jsx_opening_element') out.push(...lowerJsx(file, child))
    else if (kind === 'jsx_expression' || kind === 'jsx_element' || kind === 'jsx_self_closing_element')
      out.push(makeStatement(child, { kind: 'expression', value: file.expression(child) }))
  }
  return out
}
