import type { SgNode } from '@ast-grep/napi'
import type { Expression, FunctionForm, ModuleForm, Parameter, Statement } from '../ir.ts'
import { CExpressions, getScalar, stripQualifiers } from './c-expressions.ts'
import {
  makeDeclaration,
  makeExpression,
  makeFunction,
  makeLiteralAt,
  makeStatement,
  makeUnknown,
  Syntax,
} from './syntax.ts'
import { type LanguageAdapter, memoize } from './tree.ts'

/** C and C++: one grammar is nearly the other's beginning. */
export const adapter: LanguageAdapter = {
  lower: root => new CFile().module(root),
}

/** Tables of a file that are longer are not looked into. */
const MOST_TABLE = 2000

/** What holds declarations without being a function. */
const OUTER =
  /^(?:translation_unit|linkage_specification|declaration_list|namespace_definition|preproc_(?:if|ifdef|else|elif))$/

class CFile extends CExpressions {
  readonly #forms = new Map<number, FunctionForm>()

  module(root: SgNode): ModuleForm {
    const found = root.findAll({ rule: { kind: 'function_definition' } } as never) as SgNode[]
    const functions = found.map(node => this.function(new Syntax(node)))
    for (const form of functions) delete form.isInner
    return {
      imports: new Map(),
      classes: [],
      functions: functions.filter(({ name }) => name !== ''),
      body: memoize(() => this.#outside(new Syntax(root))),
    }
  }

  /** Texts, numbers and short tables outside of functions. */
  #outside(node: Syntax): Statement[] {
    return node.parts.flatMap(part => {
      if (OUTER.test(part.kind)) return this.#outside(part)
      if (part.kind === 'preproc_def') return this.#macro(part)
      if (part.kind !== 'declaration' || part.text.length > MOST_TABLE || !part.text.includes('=')) return []
      return this.#declaration(part)
    })
  }

  /** A macro that is a text. */
  #macro(node: Syntax): Statement[] {
    const text = node.field('value')?.text.trim() ?? ''
    if (!/^"(?:[^"\\\n]|\\.)*"$/.test(text)) return []
    return [makeDeclaration(node, node.at('name').text, undefined, makeLiteralAt(node, text.slice(1, -1)))]
  }

  protected function(node: Syntax): FunctionForm {
    const known = this.#forms.get(node.start)
    if (known) return known
    const declarator = functionDeclarator(node.field('declarator'))
    const name =
      declarator && node.kind !== 'lambda_expression' ? stripQualifiers(declarator.field('declarator')?.text ?? '') : ''
    const body = node.field('body')
    const form = makeFunction(
      node,
      name,
      () => (declarator?.field('parameters')?.parts ?? []).flatMap(part => parameter(part)),
      () => this.#all(body),
    )
    this.#forms.set(node.start, form)
    return form
  }

  #all(node: Syntax | undefined): Statement[] {
    if (!node) return []
    return node.kind === 'compound_statement' || node.kind === 'declaration_list'
      ? node.parts.flatMap(part => this.#statement(part))
      : this.#statement(node)
  }

  #statement(node: Syntax): Statement[] {
    switch (node.kind) {
      case 'compound_statement':
        return [makeStatement(node, { kind: 'block', body: this.#all(node) })]
      case 'expression_statement':
        return node.parts.map(part => makeStatement(node, { kind: 'expression', value: this.expression(part) }))
      case 'declaration':
        return this.#declaration(node)
      case 'if_statement': {
        const no = node.field('alternative')
        const condition = node.at('condition')
        return [
          ...this.#initial(condition),
          makeStatement(node, {
            kind: 'if',
            test: this.expression(condition),
            yes: this.#all(node.field('consequence')),
            no: (no?.kind === 'else_clause' ? no.parts : no ? [no] : []).flatMap(part => this.#all(part)),
          }),
        ]
      }
      case 'while_statement':
      case 'do_statement':
        return [this.#loop(node, [], node.field('condition'), [], node.kind === 'do_statement')]
      case 'for_statement': {
        const init = node.field('initializer')
        const step = node.field('update')
        return [
          this.#loop(
            node,
            init ? this.#simple(init) : [],
            node.field('condition'),
            step ? this.#simple(step) : [],
            false,
          ),
        ]
      }
      case 'for_range_loop':
        return [
          makeStatement(node, {
            kind: 'each',
            target: makeExpression(node, { kind: 'name', name: nameOf(node.at('declarator'))?.text ?? '' }),
            source: this.expression(node.at('right')),
            body: this.#all(node.field('body')),
          }),
        ]
      case 'switch_statement':
        return [this.#switch(node)]
      case 'return_statement': {
        const [value] = node.parts
        return [makeStatement(node, { kind: 'return', ...(value && { value: this.expression(value) }) })]
      }
      case 'break_statement':
        return [makeStatement(node, { kind: 'break' })]
      case 'continue_statement':
        return [makeStatement(node, { kind: 'continue' })]
      // What follows the label is looked at where it is written, after what stands before it.
      case 'goto_statement':
      case 'throw_statement':
        return [makeStatement(node, { kind: 'throw' })]
      case 'labeled_statement':
        return node.parts.slice(1).flatMap(part => this.#statement(part))
      case 'try_statement':
        return [
          makeStatement(node, {
            kind: 'try',
            body: this.#all(node.field('body')),
            handlers: node.parts
              .filter(({ kind }) => kind === 'catch_clause')
              .map(clause => ({ body: this.#all(clause.field('body')) })),
            finally: [],
          }),
        ]
      case 'delete_expression':
        return []
      case 'preproc_if':
      case 'preproc_ifdef': {
        const no = node.field('alternative')
        const inner = node.parts.filter(({ kind }) => /_statement$|^declaration$|^preproc_ifn?(?:def)?$/.test(kind))
        return [
          makeStatement(node, {
            kind: 'if',
            test: makeUnknown(node),
            yes: inner.flatMap(part => this.#statement(part)),
            no: (no?.parts ?? []).flatMap(part =>
              /_statement$|^declaration$/.test(part.kind) ? this.#statement(part) : [],
            ),
          }),
        ]
      }
      default:
        return /^(?:preproc_|type_definition|using_|static_assert|struct_|function_definition)/.test(node.kind)
          ? []
          : [makeStatement(node, { kind: 'expression', value: this.expression(node) })]
    }
  }

  /** What stands before a loop or is done after each round: a declaration or an expression. */
  #simple(node: Syntax): Statement[] {
    return /statement$|^declaration$/.test(node.kind)
      ? this.#statement(node)
      : [makeStatement(node, { kind: 'expression', value: this.expression(node) })]
  }

  /** Variables that a condition of C++ declares (`if (auto x = f(); x)`). */
  #initial(condition: Syntax): Statement[] {
    return condition.parts
      .filter(({ kind }) => kind === 'init_statement')
      .flatMap(({ parts }) => parts)
      .flatMap(part => this.#simple(part))
  }

  #loop(node: Syntax, init: Statement[], test: Syntax | undefined, step: Statement[], atLeastOnce: boolean): Statement {
    return makeStatement(node, {
      kind: 'while',
      init,
      ...(test && { test: this.expression(test) }),
      step,
      body: this.#all(node.field('body')),
      atLeastOnce,
    })
  }

  #switch(node: Syntax): Statement {
    const clauses = (node.field('body')?.parts ?? []).filter(({ kind }) => kind === 'case_statement')
    const cases = clauses.map(clause => {
      const value = clause.field('value')
      return {
        tests: value ? [this.expression(value)] : [],
        isDefault: !value,
        body: clause.parts.slice(value ? 1 : 0).flatMap(part => this.#statement(part)),
      }
    })
    const subject = this.expression(node.at('condition'))
    return makeStatement(node, { kind: 'switch', switch: { subject, cases, fallsThrough: true } })
  }

  #declaration(node: Syntax): Statement[] {
    const written = node.field('type')?.text ?? ''
    return (node.node.fieldChildren('declarator') as SgNode[]).flatMap(child => {
      const part = new Syntax(child)
      const name = nameOf(part)
      if (!name) return []
      const isScalar = !/pointer|array|reference|function/.test(part.field('declarator')?.kind ?? part.kind)
      const type = isScalar ? getScalar(written) : undefined
      const value = part.kind === 'init_declarator' ? part.field('value') : undefined
      const made: Expression | undefined =
        value && (value.kind === 'argument_list' ? this.constructed(getScalar(written), value) : this.expression(value))
      return [makeDeclaration(node, name.text, type, made)]
    })
  }
}

/** The name that a declarator declares; nothing for a function. */
function nameOf(node: Syntax): Syntax | undefined {
  let at: Syntax | undefined = node
  while (at && at.kind !== 'identifier') {
    if (at.kind === 'function_declarator') return undefined
    at = at.field('declarator') ?? (at.kind === 'reference_declarator' ? at.parts[0] : undefined)
  }
  return at
}

function functionDeclarator(node: Syntax | undefined): Syntax | undefined {
  let at = node
  while (at && !/function_declarator$/.test(at.kind))
    at = at.field('declarator') ?? (at.kind === 'reference_declarator' ? at.parts[0] : undefined)
  return at
}

function parameter(node: Syntax): Parameter[] {
  const declarator = node.field('declarator')
  const name = declarator && nameOf(declarator)
  if (!declarator || !name) return []
  const written = node.field('type')?.text ?? ''
  const isScalar = declarator.kind === 'identifier'
  return [
    {
      start: name.start,
      end: name.end,
      name: name.text,
      decorators: [],
      ...(isScalar && { type: getScalar(written) }),
    },
  ]
}
