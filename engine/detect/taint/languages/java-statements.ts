import type { SgNode } from '@ast-grep/napi'
import type { Expression, Statement, Switch } from '../ir.ts'
import { JavaExpressions } from './java-expressions.ts'
import { listNamedChildren, makeLiteral, toSpan } from './tree.ts'

/** Statements of Java. */
export abstract class JavaStatements extends JavaExpressions {
  protected block(node: SgNode): Statement[] {
    return listNamedChildren(node).flatMap(child => this.#statement(child))
  }

  /** A statement that may or may not be a block. */
  #body(node: SgNode | undefined): Statement[] {
    if (!node) return []
    return (node.kind() as string) === 'block' ? this.block(node) : this.#statement(node)
  }

  #statement(node: SgNode): Statement[] {
    const span = toSpan(node)
    const kind = node.kind() as string
    switch (kind) {
      case 'expression_statement': {
        const [inner] = listNamedChildren(node)
        return inner ? this.#expressionStatement(inner) : []
      }
      case 'explicit_constructor_invocation': {
        const args = this.field(node, 'arguments')
        const name = this.of(node).startsWith('super') ? 'super' : 'constructor'
        const callee: Expression = { kind: 'member', object: { kind: 'this', ...span }, name, ...span }
        return [
          { kind: 'expression', value: { kind: 'call', callee, args: args ? this.args(args) : [], ...span }, ...span },
        ]
      }
      case 'local_variable_declaration':
        return this.#locals(node)
      case 'block':
        return [{ kind: 'block', body: this.block(node), ...span }]
      case 'if_statement':
        return [
          {
            kind: 'if',
            test: this.#condition(node),
            yes: this.#body(this.field(node, 'consequence')),
            no: this.#body(this.field(node, 'alternative')),
            ...span,
          },
        ]
      case 'while_statement':
      case 'do_statement':
        return [
          {
            kind: 'while',
            init: [],
            test: this.#condition(node),
            step: [],
            body: this.#body(this.field(node, 'body')),
            atLeastOnce: kind === 'do_statement',
            ...span,
          },
        ]
      case 'for_statement':
        return [this.#for(node)]
      case 'enhanced_for_statement': {
        const name = node.field('name') as SgNode
        const type = this.field(node, 'type')
        return [
          {
            kind: 'each',
            target: { kind: 'name', name: this.of(name), ...toSpan(name) },
            ...(type && { type: this.of(type) }),
            source: this.expression(node.field('value') as SgNode),
            body: this.#body(this.field(node, 'body')),
            ...span,
          },
        ]
      }
      case 'switch_expression':
      case 'switch_statement':
        return [{ kind: 'switch', switch: this.switchOf(node), ...span }]
      case 'try_statement':
      case 'try_with_resources_statement':
        return this.#try(node)
      case 'return_statement':
      case 'yield_statement':
      case 'throw_statement': {
        const [value] = listNamedChildren(node)
        return [
          {
            kind: kind === 'throw_statement' ? 'throw' : 'return',
            ...(value && { value: this.expression(value) }),
            ...span,
          },
        ]
      }
      case 'break_statement':
      case 'continue_statement': {
        const [label] = listNamedChildren(node)
        return [
          {
            kind: kind === 'break_statement' ? 'break' : 'continue',
            ...(label && { label: this.of(label) }),
            ...span,
          },
        ]
      }
      case 'labeled_statement': {
        const [label, inner] = listNamedChildren(node)
        return [{ kind: 'block', label: this.of(label!), body: inner ? this.#statement(inner) : [], ...span }]
      }
      case 'synchronized_statement':
        return this.#body(this.field(node, 'body'))
      case 'local_class_declaration':
      case 'class_declaration':
      case 'assert_statement':
      case 'line_comment':
        return []
      default:
        return this.#expressionStatement(node)
    }
  }

  #expressionStatement(node: SgNode): Statement[] {
    if ((node.kind() as string) === 'switch_expression')
      return [{ kind: 'switch', switch: this.switchOf(node), ...toSpan(node) }]
    const value = this.expression(node)
    return [{ kind: 'expression', value, start: value.start, end: value.end }]
  }

  #locals(node: SgNode): Statement[] {
    const type = this.field(node, 'type')
    const out: Statement[] = []
    for (const child of listNamedChildren(node)) {
      if ((child.kind() as string) !== 'variable_declarator') continue
      const written = this.field(child, 'value')
      const value = written && this.expression(written)
      const name = this.of(child.field('name') as SgNode)
      if (value) this.keepMatcher(name, value)
      out.push({
        kind: 'declare',
        name,
        ...(type && { type: this.of(type) }),
        ...(value && { value }),
        ...toSpan(child),
      })
    }
    return out
  }

  #condition(node: SgNode): Expression {
    const condition = this.field(node, 'condition')
    return condition ? this.expression(condition) : makeLiteral(toSpan(node), true)
  }

  #for(node: SgNode): Statement {
    const many = (name: string): SgNode[] => node.fieldChildren(name) as SgNode[]
    const condition = this.field(node, 'condition')
    return {
      kind: 'while',
      init: many('init').flatMap(init => this.#statement(init)),
      ...(condition && { test: this.expression(condition) }),
      step: many('update').flatMap(update => this.#expressionStatement(update)),
      body: this.#body(this.field(node, 'body')),
      atLeastOnce: false,
      ...toSpan(node),
    }
  }

  protected switchOf(node: SgNode): Switch {
    const condition = this.field(node, 'condition')
    const body = this.field(node, 'body')
    const cases: Switch['cases'] = []
    let fallsThrough = true
    for (const group of body ? listNamedChildren(body) : []) {
      const isRule = (group.kind() as string) === 'switch_rule'
      if (isRule) fallsThrough = false
      const parts = listNamedChildren(group)
      const labels = parts.filter(part => (part.kind() as string) === 'switch_label')
      const tests = labels.flatMap(label => listNamedChildren(label).map(test => this.expression(test)))
      const isDefault = labels.some(label => this.of(label).startsWith('default'))
      const rest = parts.filter(part => (part.kind() as string) !== 'switch_label')
      const [only] = rest
      if (isRule && only && (only.kind() as string) === 'expression_statement') {
        const [value] = listNamedChildren(only)
        cases.push({ tests, isDefault, body: [], ...(value && { yields: this.expression(value) }) })
        continue
      }
      const statements = rest.flatMap(part => this.#body(part))
      // `yield` is lowered as a return; the last one of a block is the value of the case.
      const last = statements.at(-1)
      if (isRule && last?.kind === 'return' && last.value)
        cases.push({ tests, isDefault, body: statements.slice(0, -1), yields: last.value })
      else cases.push({ tests, isDefault, body: statements })
    }
    return { ...(condition && { subject: this.expression(condition) }), cases, fallsThrough }
  }

  #try(node: SgNode): Statement[] {
    const body: Statement[] = []
    const handlers: (Statement & { kind: 'try' })['handlers'] = []
    let last: Statement[] = []
    for (const child of listNamedChildren(node)) {
      const kind = child.kind() as string
      if (kind === 'resource_specification') {
        for (const resource of listNamedChildren(child)) {
          const name = this.field(resource, 'name')
          const value = this.field(resource, 'value')
          const type = this.field(resource, 'type')
          if (name && value)
            body.push({
              kind: 'declare',
              name: this.of(name),
              ...(type && { type: this.of(type) }),
              value: this.expression(value),
              ...toSpan(resource),
            })
        }
      } else if (kind === 'block') body.push(...this.block(child))
      else if (kind === 'catch_clause') {
        const parameter = listNamedChildren(child).find(part => (part.kind() as string) === 'catch_formal_parameter')
        const name = parameter && this.field(parameter, 'name')
        handlers.push({ ...(name && { name: this.of(name) }), body: this.#body(this.field(child, 'body')) })
      } else if (kind === 'finally_clause') last = listNamedChildren(child).flatMap(part => this.#body(part))
    }
    return [{ kind: 'try', body, handlers, finally: last, ...toSpan(node) }]
  }
}
