import type { SgNode } from '@ast-grep/napi'
import type { Expression, Span, Statement, Switch } from '../ir.ts'
import { makeCall } from './php-calls.ts'
import { PhpExpressions } from './php-expressions.ts'
import { listNamedChildren, makeLiteral, toSpan } from './tree.ts'

/** What declares a class or what is like one. */
export const CLASSES = ['class_declaration', 'trait_declaration', 'interface_declaration', 'enum_declaration']

/** Statements of PHP. */
export abstract class PhpStatements extends PhpExpressions {
  protected block(node: SgNode): Statement[] {
    const out: Statement[] = []
    let isShown = false
    for (const child of listNamedChildren(node)) {
      const kind = child.kind() as string
      if (kind === 'text' || kind === 'text_interpolation' || kind === 'php_tag') {
        isShown = this.of(child).trimEnd().endsWith('<?=')
        continue
      }
      const statements = this.#statement(child)
      // `<?= … ?>`
      out.push(...(isShown ? statements.map(each => shown(each)) : statements))
      isShown = false
    }
    return out
  }

  /** A body that may be one statement without braces. */
  #body(node: SgNode | undefined): Statement[] {
    if (!node) return []
    return /^(?:compound_statement|colon_block)$/.test(node.kind() as string) ? this.block(node) : this.#statement(node)
  }

  #statement(node: SgNode): Statement[] {
    const span = toSpan(node)
    const kind = node.kind() as string
    const ended = (value: Expression): Statement[] => [{ kind: 'expression', value, ...span }]
    switch (kind) {
      case 'expression_statement': {
        const [inner] = listNamedChildren(node)
        if (!inner) return []
        if (inner.kind() === 'throw_expression') return [{ kind: 'throw', ...this.#only(inner), ...span }]
        if (inner.kind() === 'name' && /^die$/i.test(this.of(inner))) return ended(makeCall('exit', [], span))
        return ended(this.expression(inner))
      }
      case 'echo_statement': {
        const values = listNamedChildren(node).flatMap(child =>
          child.kind() === 'sequence_expression' ? this.#sequence(child) : [child],
        )
        return values.flatMap(value => ended(makeCall('echo', [this.expression(value)], toSpan(value))))
      }
      case 'exit_statement':
        return ended(
          makeCall(
            'exit',
            listNamedChildren(node).map(child => this.expression(child)),
            span,
          ),
        )
      case 'compound_statement':
      case 'colon_block':
      case 'namespace_definition':
        return this.block(this.field(node, 'body') ?? node)
      case 'if_statement':
        return [this.#if(node)]
      case 'while_statement':
      case 'do_statement':
        return [
          {
            kind: 'while',
            init: [],
            test: this.expression(node.field('condition') as SgNode),
            step: [],
            body: this.#body(this.field(node, 'body')),
            atLeastOnce: kind === 'do_statement',
            ...span,
          },
        ]
      case 'for_statement':
        return [this.#for(node, span)]
      case 'foreach_statement':
        return [this.#foreach(node, span)]
      case 'switch_statement':
        return [{ kind: 'switch', switch: this.#switch(node), ...span }]
      case 'try_statement':
        return [this.#try(node, span)]
      case 'return_statement':
        return [{ kind: 'return', ...this.#only(node), ...span }]
      case 'break_statement':
        return [{ kind: 'break', ...span }]
      case 'continue_statement':
        return [{ kind: 'continue', ...span }]
      case 'unset_statement':
      // The variable of the file is meant, not one of the function.
      case 'global_declaration':
        return listNamedChildren(node).map(child => ({ kind: 'delete', target: this.expression(child), ...span }))
      case 'function_static_declaration':
        return listNamedChildren(node).map(child => ({
          kind: 'declare',
          name: this.of(listNamedChildren(child)[0] ?? child),
          ...toSpan(child),
        }))
      case 'const_declaration':
        return listNamedChildren(node).flatMap((element): Statement[] => {
          const [name, value] = listNamedChildren(element)
          return name && value
            ? [{ kind: 'declare', name: this.of(name), value: this.expression(value), ...toSpan(element) }]
            : []
        })
      case 'function_definition':
      case 'namespace_use_declaration':
      case 'declare_statement':
      case 'named_label_statement':
      case 'empty_statement':
      case 'namespace_name':
        return []
      default:
        return CLASSES.includes(kind) ? [] : ended(this.expression(node))
    }
  }

  #only(node: SgNode): { value?: Expression } {
    const [value] = listNamedChildren(node)
    return value ? { value: this.expression(value) } : {}
  }

  #sequence(node: SgNode): SgNode[] {
    return listNamedChildren(node).flatMap(child =>
      child.kind() === 'sequence_expression' ? this.#sequence(child) : [child],
    )
  }

  #if(node: SgNode): Statement {
    let otherwise: Statement[] = []
    for (const clause of (node.fieldChildren('alternative') as SgNode[]).reverse()) {
      const body = this.#body(this.field(clause, 'body') ?? listNamedChildren(clause).at(-1))
      const test = this.field(clause, 'condition')
      otherwise = test
        ? [{ kind: 'if', test: this.expression(test), yes: body, no: otherwise, ...toSpan(clause) }]
        : body
    }
    return {
      kind: 'if',
      test: this.expression(node.field('condition') as SgNode),
      yes: this.#body(this.field(node, 'body')),
      no: otherwise,
      ...toSpan(node),
    }
  }

  #for(node: SgNode, span: Span): Statement {
    const listed = (name: string): Statement[] =>
      (node.fieldChildren(name) as SgNode[])
        .filter(child => child.isNamed())
        .map(child => ({ kind: 'expression', value: this.expression(child), ...toSpan(child) }))
    const test = this.field(node, 'condition')
    return {
      kind: 'while',
      init: listed('initialize'),
      ...(test && { test: this.expression(test) }),
      step: listed('update'),
      body: (node.fieldChildren('body') as SgNode[]).flatMap(child => this.#body(child)),
      atLeastOnce: false,
      ...span,
    }
  }

  #foreach(node: SgNode, span: Span): Statement {
    const parts = listNamedChildren(node)
    const source = this.expression(parts[0]!)
    const [key, value] = parts[1]!.kind() === 'pair' ? listNamedChildren(parts[1]!) : [undefined, parts[1]!]
    const body = this.#body(this.field(node, 'body') ?? parts[2])
    if (key) {
      // The keys of what the program wrote itself are its own.
      const callee: Expression = { kind: 'member', object: source, name: 'keySet', ...toSpan(key) }
      const keys: Expression = { kind: 'call', callee, args: [], ...toSpan(key) }
      body.unshift({
        kind: 'expression',
        value: { kind: 'assign', target: this.expression(key), value: keys, ...toSpan(key) },
        ...toSpan(key),
      })
    }
    return { kind: 'each', target: value ? this.expression(value) : source, source, body, ...span }
  }

  #switch(node: SgNode): Switch {
    const body = this.field(node, 'body')
    const subject = this.field(node, 'condition')
    const cases = (body ? listNamedChildren(body) : []).map(clause => {
      const isDefault = clause.kind() === 'default_statement'
      const value = isDefault ? undefined : this.field(clause, 'value')
      const statements = listNamedChildren(clause).slice(isDefault ? 0 : 1)
      return {
        tests: value ? [this.expression(value)] : [],
        isDefault,
        body: statements.flatMap(each => this.#statement(each)),
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
      if (kind === 'compound_statement') body.push(...this.block(child))
      else if (kind === 'finally_clause') last = this.block(this.field(child, 'body') ?? child)
      else if (kind === 'catch_clause') {
        const name = this.field(child, 'name')
        handlers.push({ ...(name && { name: this.of(name) }), body: this.#body(this.field(child, 'body')) })
      }
    }
    return { kind: 'try', body, handlers, finally: last, ...span }
  }
}

/** An expression between `<?=` and `?>` is printed. */
function shown(statement: Statement): Statement {
  if (statement.kind !== 'expression') return statement
  const { value } = statement
  return { ...statement, value: makeCall('<?=', [value ?? makeLiteral(statement, null)], value) }
}
