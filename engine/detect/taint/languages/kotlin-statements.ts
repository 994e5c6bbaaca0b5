import type { SgNode } from '@ast-grep/napi'
import type { Expression, FunctionForm, Span, Statement } from '../ir.ts'
import { KotlinExpressions } from './kotlin-expressions.ts'
import { WHOLE_OPERATORS } from './lowering.ts'
import { listNamedChildren, makeLiteral, memoize, toSpan } from './tree.ts'

/** Statements of Kotlin, and those that are values. */
export abstract class KotlinStatements extends KotlinExpressions {
  protected abstract localFunction(node: SgNode): FunctionForm

  /** What stands in a body, whether in braces or not. */
  protected block(node: SgNode | undefined): Statement[] {
    if (!node) return []
    const kind = node.kind() as string
    if (/^(?:statements|control_structure_body|function_body|catch_block|finally_block)$/.test(kind))
      return listNamedChildren(node).flatMap(child => this.block(child))
    return this.statement(node)
  }

  protected statement(node: SgNode): Statement[] {
    const span = toSpan(node)
    const parts = listNamedChildren(node)
    const body = parts.find(part => part.kind() === 'control_structure_body')
    switch (node.kind() as string) {
      case 'property_declaration':
        return this.#declaration(node, parts, span)
      case 'assignment':
        return this.#assignment(parts, span)
      case 'function_declaration':
        return [{ kind: 'function', function: this.localFunction(node), ...span }]
      case 'if_expression': {
        const { test, yes, no } = this.#branches(node)
        return [{ kind: 'if', test: this.expression(test!), yes: this.block(yes), no: this.block(no), ...span }]
      }
      case 'when_expression':
        return this.#when(node, span)
      case 'try_expression':
        return [this.#try(parts, span)]
      case 'for_statement': {
        const target = parts.find(part => /variable_declaration$/.test(part.kind() as string))
        const source = parts[parts.indexOf(target!) + 1]
        if (!target || !source) return []
        return [
          {
            kind: 'each',
            target: this.#target(target),
            source: this.expression(source),
            body: this.block(body),
            ...span,
          },
        ]
      }
      case 'while_statement':
      case 'do_while_statement': {
        const test = parts.find(part => part !== body)
        return [
          {
            kind: 'while',
            init: [],
            ...(test && { test: this.expression(test) }),
            step: [],
            body: this.block(body),
            atLeastOnce: node.kind() === 'do_while_statement',
            ...span,
          },
        ]
      }
      case 'jump_expression':
        return [this.#jump(node, parts, span)]
      case 'label':
      case 'class_declaration':
      case 'object_declaration':
      case 'property_delegate':
      case 'type_alias':
        return []
      case 'statements':
      case 'control_structure_body':
        return this.block(node)
      default:
        return [{ kind: 'expression', value: this.expression(node), ...span }]
    }
  }

  /** The value that comes after `=`, or of what is made later (`by lazy { … }`). */
  protected initialOf(node: SgNode): SgNode | undefined {
    const children = node.children()
    const sign = children.findIndex(child => this.of(child) === '=')
    if (sign !== -1) return children.slice(sign + 1).find(child => child.isNamed())
    const delegate = children.find(child => child.kind() === 'property_delegate')
    const call = delegate && listNamedChildren(delegate)[0]
    const lambda = call?.find({ rule: { kind: 'lambda_literal' } } as never) as SgNode | null | undefined
    return (lambda && listNamedChildren(lambda).find(part => part.kind() === 'statements')) ?? undefined
  }

  #target(node: SgNode): Expression {
    const span = toSpan(node)
    const parts = listNamedChildren(node)
    if (node.kind() === 'multi_variable_declaration')
      return { kind: 'list', items: parts.map(part => ({ value: this.#target(part) })), ...span }
    return { kind: 'name', name: this.of(parts[0] ?? node), ...span }
  }

  #declaration(node: SgNode, parts: readonly SgNode[], span: Span): Statement[] {
    const target = parts.find(part => /variable_declaration$/.test(part.kind() as string))
    if (!target) return []
    const written = this.initialOf(node)
    const value = written && this.asValue(written)
    const place = this.#target(target)
    if (place.kind !== 'name')
      return value ? [{ kind: 'expression', value: { kind: 'assign', target: place, value, ...span }, ...span }] : []
    const type = listNamedChildren(target)[1]
    return [
      { kind: 'declare', name: place.name, ...(type && { type: this.type(type) }), ...(value && { value }), ...span },
    ]
  }

  /** What is written to a property of another object is given to its setter as well, which Java's libraries know. */
  #assignment(parts: readonly SgNode[], span: Span): Statement[] {
    const [left, right] = parts
    if (!left || !right) return []
    const target = this.expression(left)
    const value = this.expression(right)
    const sign = this.text.slice(toSpan(left).end, toSpan(right).start).trim()
    const operator = sign === '=' ? undefined : (WHOLE_OPERATORS[sign.slice(0, -1)] ?? 'bits')
    const out: Statement[] = [
      { kind: 'expression', value: { kind: 'assign', target, ...(operator && { operator }), value, ...span }, ...span },
    ]
    if (target.kind === 'member' && target.object.kind !== 'this' && !operator) {
      const own = target.name.replace(/^is(?=[A-Z])/, '')
      const callee: Expression = { ...target, name: `set${own[0]!.toUpperCase()}${own.slice(1)}` }
      out.unshift({ kind: 'expression', value: { kind: 'call', callee, args: [{ value }], ...span }, ...span })
    }
    return out
  }

  #branches(node: SgNode): { test?: SgNode; yes?: SgNode; no?: SgNode } {
    const out: { test?: SgNode; yes?: SgNode; no?: SgNode } = {}
    let isElse = false
    for (const child of node.children()) {
      if (this.of(child) === 'else' && !child.isNamed()) isElse = true
      if (!child.isNamed()) continue
      if (child.kind() !== 'control_structure_body') out.test ??= child
      else if (isElse) out.no = child
      else out.yes = child
    }
    return out
  }

  /** A body as a value: that of its last expression. */
  protected asValue(node: SgNode | undefined): Expression {
    if (!node) return { kind: 'unknown', parts: [], start: 0, end: 0 }
    const span = toSpan(node)
    if (!/^(?:statements|control_structure_body|catch_block)$/.test(node.kind() as string)) return this.expression(node)
    const body = this.block(node)
    const last = body.at(-1)
    if (last?.kind === 'expression' && body.length === 1) return last.value
    if (last?.kind === 'expression') return { kind: 'block', body: body.slice(0, -1), value: last.value, ...span }
    // The last statement may be a choice, whose value it then is.
    const inner = listNamedChildren(node).at(-1)
    if (inner && body.length <= 1) return this.asValue(inner)
    return { kind: 'block', body, ...span }
  }

  protected choice(node: SgNode): Expression {
    const span = toSpan(node)
    const parts = listNamedChildren(node)
    if (node.kind() === 'if_expression') {
      const { test, yes, no } = this.#branches(node)
      return {
        kind: 'conditional',
        test: this.expression(test!),
        yes: this.asValue(yes),
        no: this.asValue(no),
        ...span,
      }
    }
    if (node.kind() === 'when_expression')
      return this.#cases(node).reduceRight<Expression>(
        (no, { test, body }) => {
          const yes = this.asValue(body)
          return test ? { kind: 'conditional', test, yes, no, ...span } : yes
        },
        { kind: 'unknown', parts: [], ...span },
      )
    const body = parts.find(part => part.kind() === 'statements')
    const caught = parts.find(part => part.kind() === 'catch_block')
    const handler = caught && listNamedChildren(caught).find(part => part.kind() === 'statements')
    const test: Expression = { kind: 'unknown', parts: [], ...span }
    return { kind: 'conditional', test, yes: this.asValue(body), no: this.asValue(handler), ...span }
  }

  /** The cases of a `when`, each with the condition under which it is taken; the default has none. */
  #cases(node: SgNode): { test?: Expression; body: SgNode | undefined }[] {
    const subject = listNamedChildren(node).find(part => part.kind() === 'when_subject')
    const inner = subject && listNamedChildren(subject).at(-1)
    return listNamedChildren(node)
      .filter(part => part.kind() === 'when_entry')
      .map(entry => {
        const parts = listNamedChildren(entry)
        const tests = parts
          .filter(part => part.kind() === 'when_condition')
          .flatMap(part => listNamedChildren(part))
          .map(part => this.#test(part, inner))
        const body = parts.find(part => part.kind() === 'control_structure_body')
        if (tests.length === 0) return { body }
        const test = tests.reduce((left, right) => ({
          kind: 'binary',
          operator: 'or',
          left,
          right,
          start: left.start,
          end: right.end,
        }))
        return { test, body }
      })
  }

  #test(node: SgNode, subject: SgNode | undefined): Expression {
    const span = toSpan(node)
    if (!subject) return this.expression(node)
    const left = this.expression(subject)
    const kind = node.kind() as string
    const inner = listNamedChildren(node).at(-1) ?? node
    if (kind === 'type_test')
      return { kind: 'binary', operator: 'instance', left, right: makeLiteral(span, null), ...span }
    if (kind === 'range_test') {
      const operator = this.of(node).startsWith('!') ? 'not in' : 'in'
      return { kind: 'binary', operator, left, right: this.expression(inner), ...span }
    }
    return { kind: 'binary', operator: '==', left, right: this.expression(node), ...span }
  }

  #when(node: SgNode, span: Span): Statement[] {
    return this.#cases(node).reduceRight<Statement[]>((no, { test, body }) => {
      const yes = this.block(body)
      return test ? [{ kind: 'if', test, yes, no, ...span }] : yes
    }, [])
  }

  #try(parts: readonly SgNode[], span: Span): Statement {
    const body = parts.find(part => part.kind() === 'statements')
    const last = parts.find(part => part.kind() === 'finally_block')
    return {
      kind: 'try',
      body: this.block(body),
      handlers: parts
        .filter(part => part.kind() === 'catch_block')
        .map(part => {
          const [name] = listNamedChildren(part)
          const inner = listNamedChildren(part).find(each => each.kind() === 'statements')
          return { ...(name && { name: this.of(name) }), body: this.block(inner) }
        }),
      finally: this.block(last && listNamedChildren(last)[0]),
      ...span,
    }
  }

  #jump(node: SgNode, parts: readonly SgNode[], span: Span): Statement {
    const text = this.of(node)
    const label = parts.find(part => part.kind() === 'label')
    const value = parts.find(part => part.kind() !== 'label')
    if (/^(?:break|continue)/.test(text))
      return {
        kind: text.startsWith('break') ? 'break' : 'continue',
        ...(label && { label: this.of(label).replace(/^@|@$/g, '') }),
        ...span,
      }
    return {
      kind: text.startsWith('throw') ? 'throw' : 'return',
      ...(value && { value: this.asValue(value) }),
      ...span,
    }
  }

  /** A body of which the last expression is the value. */
  protected valued(node: SgNode | undefined): () => Statement[] {
    return memoize(() => {
      if (!node) return []
      const value = this.asValue(node)
      return [{ kind: 'return', value, start: value.start, end: value.end }]
    })
  }
}
