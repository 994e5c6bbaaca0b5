import type { SgNode } from '@ast-grep/napi'
import type { Expression, Span, Statement, Switch } from '../ir.ts'
import { CsharpExpressions } from './csharp-expressions.ts'
import { listNamedChildren, toSpan } from './tree.ts'

/** Statements of C#. */
export abstract class CsharpStatements extends CsharpExpressions {
  protected block(node: SgNode): Statement[] {
    return listNamedChildren(node).flatMap(child => this.#statement(child))
  }

  /** The variables of a declaration. */
  protected declared(node: SgNode): { name: string; type?: string; value?: SgNode; parts?: SgNode; span: Span }[] {
    const type = this.field(node, 'type')
    return listNamedChildren(node)
      .filter(child => child.kind() === 'variable_declarator')
      .map(child => {
        const [name, ...rest] = listNamedChildren(child)
        const last = rest.at(-1)
        const value = last && last.kind() === 'equals_value_clause' ? listNamedChildren(last)[0] : last
        const written = type && this.type(type)
        return {
          name: this.of(name!),
          span: toSpan(child),
          ...(written !== undefined && written !== 'var' && { type: written }),
          ...(value && { value }),
          // `var (a, b) = pair`
          ...(name!.kind() === 'tuple_pattern' && { parts: name! }),
        }
      })
  }

  #declare(node: SgNode): Statement[] {
    return this.declared(node).map(({ name, type, value, parts, span }): Statement => {
      if (parts && value) {
        const target = this.expression(parts)
        return {
          kind: 'expression',
          value: { kind: 'assign', target, value: this.expression(value), ...span },
          ...span,
        }
      }
      return {
        kind: 'declare',
        name,
        ...(type !== undefined && { type }),
        ...(value && { value: this.made(this.expression(value), type) }),
        ...span,
      }
    })
  }

  #body(node: SgNode | undefined): Statement[] {
    return node ? this.#statement(node) : []
  }

  #statement(node: SgNode): Statement[] {
    const span = toSpan(node)
    const kind = node.kind() as string
    const parts = listNamedChildren(node)
    switch (kind) {
      case 'block':
      case 'checked_statement':
      case 'unsafe_statement':
      case 'global_statement':
        return [{ kind: 'block', body: this.block(node), ...span }]
      case 'expression_statement':
        return parts.map(child => ({ kind: 'expression', value: this.expression(child), ...span }))
      case 'local_declaration_statement':
        return parts.flatMap(child => (child.kind() === 'variable_declaration' ? this.#declare(child) : []))
      case 'variable_declaration':
        return this.#declare(node)
      case 'using_statement':
      case 'lock_statement':
      case 'fixed_statement':
        return parts.flatMap(child => this.#statement(child))
      case 'if_statement':
        return [
          {
            kind: 'if',
            test: this.expression(node.field('condition') as SgNode),
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
            test: this.expression(this.field(node, 'condition') ?? (kind === 'do_statement' ? parts[1]! : parts[0]!)),
            step: [],
            body: this.#body(this.field(node, 'body') ?? (kind === 'do_statement' ? parts[0] : parts[1])),
            atLeastOnce: kind === 'do_statement',
            ...span,
          },
        ]
      case 'for_statement': {
        const test = this.field(node, 'condition')
        return [
          {
            kind: 'while',
            init: (node.fieldChildren('initializer') as SgNode[]).flatMap(child => this.#statement(child)),
            ...(test && { test: this.expression(test) }),
            step: (node.fieldChildren('update') as SgNode[]).flatMap(child => this.#statement(child)),
            body: this.#body(this.field(node, 'body')),
            atLeastOnce: false,
            ...span,
          },
        ]
      }
      case 'foreach_statement': {
        const type = this.field(node, 'type')
        const written = type && this.type(type)
        return [
          {
            kind: 'each',
            target: this.expression(node.field('left') as SgNode),
            ...(written !== undefined && written !== 'var' && { type: written }),
            source: this.expression(node.field('right') as SgNode),
            body: this.#body(this.field(node, 'body')),
            ...span,
          },
        ]
      }
      case 'switch_statement':
        return [{ kind: 'switch', switch: this.#switch(node), ...span }]
      case 'try_statement':
        return [this.#try(node, span)]
      case 'return_statement':
      case 'throw_statement':
        return [
          {
            kind: kind === 'return_statement' ? 'return' : 'throw',
            ...(parts[0] && { value: this.expression(parts[0]) }),
            ...span,
          },
        ]
      case 'yield_statement':
        return parts.map(child => ({ kind: 'expression', value: this.expression(child), ...span }))
      case 'break_statement':
        return [{ kind: 'break', ...span }]
      case 'continue_statement':
        return [{ kind: 'continue', ...span }]
      case 'labeled_statement':
        return parts.slice(1).flatMap(child => this.#statement(child))
      case 'local_function_statement':
        return [{ kind: 'function', function: this.localFunction(node), ...span }]
      case 'empty_statement':
      case 'goto_statement':
      case 'modifier':
        return []
      default:
        return [{ kind: 'expression', value: this.expression(node), ...span }]
    }
  }

  #switch(node: SgNode): Switch {
    const body = this.field(node, 'body')
    const subject = this.field(node, 'value') ?? listNamedChildren(node)[0]
    const cases = (body ? listNamedChildren(body) : []).map(section => {
      const parts = listNamedChildren(section)
      const patterns = parts.filter(part => /_pattern$/.test(part.kind() as string))
      const isDefault = section.children().some(child => child.kind() === 'default')
      return {
        tests: patterns.map((part): Expression => this.pattern(part)),
        isDefault,
        body: parts.filter(part => !patterns.includes(part)).flatMap(part => this.#statement(part)),
      }
    })
    return { ...(subject && { subject: this.expression(subject) }), cases, fallsThrough: true }
  }

  #try(node: SgNode, span: Span): Statement {
    const body: Statement[] = []
    const handlers: (Statement & { kind: 'try' })['handlers'] = []
    let last: Statement[] = []
    for (const child of listNamedChildren(node)) {
      const kind = child.kind() as string
      const block = listNamedChildren(child).find(part => part.kind() === 'block')
      if (kind === 'block') body.push(...this.block(child))
      else if (kind === 'finally_clause') last = block ? this.block(block) : []
      else if (kind === 'catch_clause') {
        const declaration = listNamedChildren(child).find(part => part.kind() === 'catch_declaration')
        const name = declaration && this.field(declaration, 'name')
        handlers.push({ ...(name && { name: this.of(name) }), body: block ? this.block(block) : [] })
      }
    }
    return { kind: 'try', body, handlers, finally: last, ...span }
  }
}
