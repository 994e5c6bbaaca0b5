import type { SgNode } from '@ast-grep/napi'
import type { Decorator, Expression, FunctionForm, Span, Statement, Switch } from '../ir.ts'
import { PythonExpressions } from './python-expressions.ts'
import { listNamedChildren, toSpan } from './tree.ts'

/** Statements of Python. */
export abstract class PythonStatements extends PythonExpressions {
  protected abstract import(node: SgNode): void
  protected abstract function(node: SgNode, decorators: Decorator[], owner: string | undefined): FunctionForm
  protected abstract decorator(node: SgNode): Decorator

  protected block(node: SgNode): Statement[] {
    return listNamedChildren(node).flatMap(child => this.statement(child))
  }

  protected statement(node: SgNode): Statement[] {
    const span = toSpan(node)
    const kind = node.kind() as string
    switch (kind) {
      case 'expression_statement':
        return listNamedChildren(node).map(child => ({ kind: 'expression', value: this.expression(child), ...span }))
      case 'if_statement':
        return [this.#if(node)]
      case 'for_statement': {
        const otherwise = this.field(node, 'alternative')
        const loop: Statement = {
          kind: 'each',
          target: this.expression(node.field('left') as SgNode),
          source: this.expression(node.field('right') as SgNode),
          body: this.block(node.field('body') as SgNode),
          ...span,
        }
        return otherwise ? [loop, ...this.#clause(otherwise)] : [loop]
      }
      case 'while_statement': {
        const otherwise = this.field(node, 'alternative')
        const loop: Statement = {
          kind: 'while',
          init: [],
          test: this.expression(node.field('condition') as SgNode),
          step: [],
          body: this.block(node.field('body') as SgNode),
          atLeastOnce: false,
          ...span,
        }
        return otherwise ? [loop, ...this.#clause(otherwise)] : [loop]
      }
      case 'try_statement':
        return [this.#try(node, span)]
      case 'with_statement':
        return this.#with(node)
      case 'match_statement':
        return [{ kind: 'switch', switch: this.#match(node), ...span }]
      case 'return_statement': {
        const [value] = listNamedChildren(node)
        return [{ kind: 'return', ...(value && { value: this.expression(value) }), ...span }]
      }
      case 'raise_statement': {
        const [value] = listNamedChildren(node)
        return [{ kind: 'throw', ...(value && { value: this.expression(value) }), ...span }]
      }
      case 'break_statement':
        return [{ kind: 'break', ...span }]
      case 'continue_statement':
        return [{ kind: 'continue', ...span }]
      case 'delete_statement':
        return listNamedChildren(node).map(child => ({ kind: 'delete', target: this.expression(child), ...span }))
      case 'function_definition':
        return [{ kind: 'function', function: this.function(node, [], undefined), ...span }]
      case 'decorated_definition': {
        const inner = this.field(node, 'definition')
        if (!inner || (inner.kind() as string) !== 'function_definition') return []
        const decorators = listNamedChildren(node)
          .filter(child => (child.kind() as string) === 'decorator')
          .map(child => this.decorator(child))
        return [{ kind: 'function', function: this.function(inner, decorators, undefined), ...span }]
      }
      case 'import_statement':
      case 'import_from_statement':
        this.import(node)
        return []
      case 'assert_statement':
      case 'print_statement':
      case 'exec_statement':
        return listNamedChildren(node).map(child => ({ kind: 'expression', value: this.expression(child), ...span }))
      case 'pass_statement':
      case 'global_statement':
      case 'nonlocal_statement':
      case 'class_definition':
      case 'type_alias_statement':
        return []
      default:
        return [{ kind: 'expression', value: this.expression(node), ...span }]
    }
  }

  #if(node: SgNode): Statement {
    const alternatives = node.fieldChildren('alternative') as SgNode[]
    let otherwise: Statement[] = []
    for (const clause of alternatives.reverse()) {
      if ((clause.kind() as string) === 'else_clause') otherwise = this.#clause(clause)
      else
        otherwise = [
          {
            kind: 'if',
            test: this.expression(clause.field('condition') as SgNode),
            yes: this.block(clause.field('consequence') as SgNode),
            no: otherwise,
            ...toSpan(clause),
          },
        ]
    }
    return {
      kind: 'if',
      test: this.expression(node.field('condition') as SgNode),
      yes: this.block(node.field('consequence') as SgNode),
      no: otherwise,
      ...toSpan(node),
    }
  }

  #clause(node: SgNode): Statement[] {
    return listNamedChildren(node).flatMap(child => ((child.kind() as string) === 'block' ? this.block(child) : []))
  }

  #try(node: SgNode, span: Span): Statement {
    const body: Statement[] = []
    const handlers: (Statement & { kind: 'try' })['handlers'] = []
    let last: Statement[] = []
    for (const child of listNamedChildren(node)) {
      const kind = child.kind() as string
      if (kind === 'block') body.push(...this.block(child))
      else if (kind === 'else_clause') body.push(...this.#clause(child))
      else if (kind === 'finally_clause') last = this.#clause(child)
      else if (kind === 'except_clause' || kind === 'except_group_clause') {
        const pattern = listNamedChildren(child).find(part => (part.kind() as string) === 'as_pattern')
        const target =
          pattern && listNamedChildren(pattern).find(part => (part.kind() as string) === 'as_pattern_target')
        handlers.push({ ...(target && { name: this.of(target) }), body: this.#clause(child) })
      }
    }
    return { kind: 'try', body, handlers, finally: last, ...span }
  }

  #with(node: SgNode): Statement[] {
    const out: Statement[] = []
    for (const clause of listNamedChildren(node)) {
      if ((clause.kind() as string) === 'block') {
        out.push(...this.block(clause))
        continue
      }
      for (const item of listNamedChildren(clause)) {
        const [value] = listNamedChildren(item)
        if (value) out.push({ kind: 'expression', value: this.expression(value), ...toSpan(item) })
      }
    }
    return out
  }

  #match(node: SgNode): Switch {
    const subject = node.fieldChildren('subject') as SgNode[]
    const body = this.field(node, 'body')
    const cases: Switch['cases'] = []
    for (const clause of body ? listNamedChildren(body) : []) {
      const patterns = listNamedChildren(clause).filter(part => (part.kind() as string) === 'case_pattern')
      const guard = listNamedChildren(clause).some(part => (part.kind() as string) === 'if_clause')
      const block =
        this.field(clause, 'consequence') ?? listNamedChildren(clause).find(part => (part.kind() as string) === 'block')
      const [pattern] = patterns
      const statements = block ? this.block(block) : []
      const inner = pattern ? listNamedChildren(pattern)[0] : undefined
      const isAny =
        pattern !== undefined &&
        (inner === undefined || ((inner.kind() as string) === 'dotted_name' && !this.of(inner).includes('.')))
      const tests = inner && !isAny ? this.#patternTests(inner) : []
      if (isAny && inner && subject[0]) {
        const value = this.expression(subject[0])
        statements.unshift({
          kind: 'expression',
          value: {
            kind: 'assign',
            target: { kind: 'name', name: this.of(inner), ...toSpan(inner) },
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
    return { ...(subject[0] && { subject: this.expression(subject[0]) }), cases, fallsThrough: false }
  }

  #patternTests(node: SgNode): Expression[] {
    if ((node.kind() as string) === 'union_pattern') return listNamedChildren(node).map(child => this.expression(child))
    return [this.expression(node)]
  }
}
