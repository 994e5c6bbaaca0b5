import type { Expression, Statement } from '../ir.ts'
import { JavascriptExpressions } from './javascript-expressions.ts'
import { isRequire } from './javascript-imports.ts'
import { makeDeclaration, makeExpression, makeStatement, makeUnknown, type Syntax } from './syntax.ts'

const DECLARED = /^(?:generator_)?function_declaration$/

/** Lowers statements, declarations and blocks. */
export abstract class JavascriptStatements extends JavascriptExpressions {
  /** The statements of a block; functions declared in it are known from its beginning. */
  protected block(node: Syntax): Statement[] {
    const out: Statement[] = []
    if (node.kind !== 'program')
      for (const child of node.parts) if (DECLARED.test(child.kind)) out.push(this.#declared(child))
    for (const child of node.parts) if (!DECLARED.test(child.kind)) out.push(...this.#statement(child))
    return out
  }

  #declared(node: Syntax): Statement {
    return makeStatement(node, { kind: 'function', function: this.function(node, node.field('name')?.text ?? '') })
  }

  #inner(node: Syntax | undefined): Statement[] {
    if (!node) return []
    return node.kind === 'statement_block' ? this.block(node) : this.#statement(node)
  }

  #statement(node: Syntax): Statement[] {
    switch (node.kind) {
      case 'expression_statement':
        return node.parts.map(child => makeStatement(node, { kind: 'expression', value: this.expression(child) }))
      case 'lexical_declaration':
      case 'variable_declaration':
        return node.parts.flatMap(child => this.#declaration(child))
      case 'export_statement': {
        const value = node.field('value')
        if (value) return [makeStatement(node, { kind: 'expression', value: this.expression(value) })]
        const declaration = node.field('declaration')
        return declaration ? this.#statement(declaration) : []
      }
      case 'if_statement':
        return [
          makeStatement(node, {
            kind: 'if',
            test: this.test(node.at('condition')),
            yes: this.#inner(node.field('consequence')),
            no: node.field('alternative')?.parts.flatMap(child => this.#inner(child)) ?? [],
          }),
        ]
      case 'for_statement':
      case 'while_statement':
      case 'do_statement':
        return [this.#loop(node)]
      case 'for_in_statement':
        return [this.#each(node)]
      case 'switch_statement':
        return [this.#switch(node)]
      case 'try_statement':
        return [this.#try(node)]
      case 'return_statement':
      case 'throw_statement': {
        const [value] = node.parts
        const kind = node.kind === 'return_statement' ? 'return' : 'throw'
        return [makeStatement(node, { kind, ...(value && { value: this.expression(value) }) })]
      }
      case 'break_statement':
      case 'continue_statement': {
        const label = node.field('label')?.text
        const kind = node.kind === 'break_statement' ? 'break' : 'continue'
        return [makeStatement(node, { kind, ...(label !== undefined && { label }) })]
      }
      case 'statement_block':
        return [makeStatement(node, { kind: 'block', body: this.block(node) })]
      case 'labeled_statement': {
        const label = node.field('label')?.text
        const body = this.#inner(node.field('body'))
        return [makeStatement(node, { kind: 'block', body, ...(label !== undefined && { label }) })]
      }
      case 'function_declaration':
      case 'generator_function_declaration':
        return [this.#declared(node)]
      case 'import_statement':
      case 'class_declaration':
      case 'abstract_class_declaration':
      case 'interface_declaration':
      case 'type_alias_declaration':
      case 'enum_declaration':
      case 'ambient_declaration':
      case 'debugger_statement':
      case 'empty_statement':
        return []
      default:
        return [makeStatement(node, { kind: 'expression', value: this.expression(node) })]
    }
  }

  #declaration(node: Syntax): Statement[] {
    const name = node.field('name')
    const value = node.field('value')
    if (!name || (value && isRequire(value, this.imports))) return []
    if (name.kind === 'identifier') {
      const type = this.type(node.field('type'))
      const made = value && this.#named(value, name.text)
      return [makeDeclaration(node, name.text, type, made)]
    }
    if (!value) return []
    const made = makeExpression(node, { kind: 'assign', target: this.pattern(name), value: this.expression(value) })
    return [makeStatement(node, { kind: 'expression', value: made })]
  }

  /** A function takes the name of the variable that it is the value of. */
  #named(node: Syntax, name: string): Expression {
    return /^(?:arrow_function|function_expression|generator_function)$/.test(node.kind)
      ? makeExpression(node, { kind: 'function', function: this.function(node, name) })
      : this.expression(node)
  }

  #loop(node: Syntax): Statement {
    const given = (name: string): Syntax | undefined => {
      const found = node.field(name)
      return found?.kind === 'empty_statement' ? undefined : found
    }
    const init = given('initializer')
    const step = given('increment')
    const test = given('condition')
    return makeStatement(node, {
      kind: 'while',
      init: init ? this.#statement(init) : [],
      ...(test && { test: this.test(test.kind === 'expression_statement' ? test.parts[0]! : test) }),
      step: step ? [makeStatement(step, { kind: 'expression', value: this.expression(step) })] : [],
      body: this.#inner(node.field('body')),
      atLeastOnce: node.kind === 'do_statement',
    })
  }

  #each(node: Syntax): Statement {
    const over = this.expression(node.at('right'))
    return makeStatement(node, {
      kind: 'each',
      target: this.pattern(node.at('left')),
      source: node.at('operator').text === 'of' ? over : makeUnknown(over, [over]),
      body: this.#inner(node.field('body')),
    })
  }

  #switch(node: Syntax): Statement {
    const cases = (node.field('body')?.parts ?? []).map(clause => {
      const value = clause.field('value')
      const tests: Expression[] = value ? [this.expression(value)] : []
      const body = clause.parts.slice(value ? 1 : 0).flatMap(child => this.#statement(child))
      return { tests, isDefault: !value, body }
    })
    const subject = this.expression(node.at('value'))
    return makeStatement(node, { kind: 'switch', switch: { subject, cases, fallsThrough: true } })
  }

  #try(node: Syntax): Statement {
    const handler = node.field('handler')
    const name = handler?.field('parameter')
    const caught = handler && {
      ...(name?.kind === 'identifier' && { name: name.text }),
      body: this.#inner(handler.field('body')),
    }
    return makeStatement(node, {
      kind: 'try',
      body: this.#inner(node.field('body')),
      handlers: caught ? [caught] : [],
      finally: this.#inner(node.field('finalizer')?.field('body')),
    })
  }
}
