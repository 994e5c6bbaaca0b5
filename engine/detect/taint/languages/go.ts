import type { SgNode } from '@ast-grep/napi'
import type { ClassForm, Expression, FunctionForm, ModuleForm, Parameter, Span, Statement } from '../ir.ts'
import { GoExpressions } from './go-expressions.ts'
import { makeStep } from './lowering.ts'
import { type LanguageAdapter, listNamedChildren, memoize, toSpan } from './tree.ts'

export const adapter: LanguageAdapter = {
  lower: (root, text) => new GoFile(text).module(root),
}

/** What these names stand for in a fragment that has no imports. */
const WELL_KNOWN: Record<string, string> = {
  http: 'net/http',
  url: 'net/url',
  sql: 'database/sql',
  exec: 'os/exec',
  filepath: 'path/filepath',
  template: 'html/template',
  ioutil: 'io/ioutil',
  gin: 'github.com/gin-gonic/gin',
  echo: 'github.com/labstack/echo',
  fiber: 'github.com/gofiber/fiber',
  mux: 'github.com/gorilla/mux',
  chi: 'github.com/go-chi/chi',
}

class GoFile extends GoExpressions {
  readonly #imports = new Map(Object.entries(WELL_KNOWN))
  readonly #forms = new Map<number, FunctionForm>()

  module(root: SgNode): ModuleForm {
    for (const spec of root.findAll({ rule: { kind: 'import_spec' } } as never)) this.#import(spec as SgNode)
    const functions: FunctionForm[] = []
    const classes = new Map<string, ClassForm>()
    const top: SgNode[] = []
    for (const node of listNamedChildren(root)) {
      const kind = node.kind() as string
      if (kind === 'function_declaration') functions.push(this.#declared(node))
      else if (kind === 'method_declaration') this.#method(node, classes)
      else if (kind === 'var_declaration' || kind === 'const_declaration') top.push(node)
    }
    for (const found of root.findAll({ rule: { kind: 'func_literal' } } as never))
      functions.push(this.function(found as SgNode))
    return {
      imports: this.#imports,
      classes: [...classes.values()],
      functions,
      body: memoize(() => top.flatMap(node => this.#statement(node))),
    }
  }

  #import(node: SgNode): void {
    const path = this.field(node, 'path')
    if (!path) return
    const full = this.of(path).slice(1, -1)
    const name = this.field(node, 'name')
    // The last part is the package's name, but for a version.
    const own = full.replace(/\/v\d+$/, '')
    this.#imports.set(name ? this.of(name) : own.slice(own.lastIndexOf('/') + 1), own)
  }

  #declared(node: SgNode): FunctionForm {
    const form = this.function(node)
    delete form.isInner
    form.name = this.of(node.field('name') as SgNode)
    return form
  }

  #method(node: SgNode, classes: Map<string, ClassForm>): void {
    const receiver = listNamedChildren(node.field('receiver') as SgNode)[0]
    const owner = receiver && this.of(this.field(receiver, 'type') ?? receiver).replace(/^\*|\[.*$/g, '')
    if (owner === undefined) return
    const known = classes.get(owner)
    const form = known ?? { ...toSpan(node), name: owner, bases: [], decorators: [], fields: [], methods: [] }
    classes.set(owner, form)
    const method = this.#declared(node)
    method.owner = owner
    form.methods.push(method)
  }

  protected function(node: SgNode): FunctionForm {
    const span = toSpan(node)
    const known = this.#forms.get(span.start)
    if (known) return known
    const list = this.field(node, 'parameters')
    const body = this.field(node, 'body')
    const receiver = this.field(node, 'receiver')
    const self = receiver && /^\(\s*(\w+)\s/.exec(this.of(receiver))?.[1]
    const parameters = memoize(() => (list ? listNamedChildren(list).flatMap(child => this.#parameters(child)) : []))
    const form: FunctionForm = {
      ...span,
      name: '',
      get parameters() {
        return parameters()
      },
      decorators: [],
      isStatic: false,
      isInner: true,
      body: memoize(() => this.within(self, () => this.#block(body))),
    }
    this.#forms.set(span.start, form)
    return form
  }

  #parameters(node: SgNode): Parameter[] {
    const type = this.field(node, 'type')
    const isRest = (node.kind() as string) === 'variadic_parameter_declaration'
    const written = type && this.#type(type)
    return (node.fieldChildren('name') as SgNode[]).map(name => ({
      ...toSpan(name),
      name: this.of(name),
      decorators: [],
      ...(written !== undefined && { type: written }),
      ...(isRest && { rest: true }),
    }))
  }

  /** The full name of a type, without the pointer; nothing for texts. */
  #type(node: SgNode): string | undefined {
    const text = this.of(node).replace(/^\*+/, '')
    if (!/^[\w.]+$/.test(text) || text === 'string') return undefined
    const [first, rest] = text.split('.')
    return rest === undefined ? text : `${this.#imports.get(first!) ?? first}.${rest}`
  }

  #block(node: SgNode | undefined): Statement[] {
    return node ? listNamedChildren(node).flatMap(child => this.#statement(child)) : []
  }

  #statement(node: SgNode): Statement[] {
    const span = toSpan(node)
    switch (node.kind() as string) {
      case 'statement_list':
        return this.#block(node)
      case 'block':
        return [{ kind: 'block', body: this.#block(node), ...span }]
      case 'expression_statement':
      case 'go_statement':
      case 'defer_statement':
        return listNamedChildren(node).map(child => ({ kind: 'expression', value: this.expression(child), ...span }))
      case 'short_var_declaration':
      case 'assignment_statement':
        return [{ kind: 'expression', value: this.assignment(node), ...span }]
      case 'var_declaration':
      case 'const_declaration':
      case 'var_spec_list':
        return this.#block(node)
      case 'var_spec':
      case 'const_spec':
        return this.#variables(node, span)
      case 'if_statement': {
        const init = this.field(node, 'initializer')
        const otherwise = this.field(node, 'alternative')
        return [
          ...(init ? this.#statement(init) : []),
          {
            kind: 'if',
            test: this.expression(node.field('condition') as SgNode),
            yes: this.#block(this.field(node, 'consequence')),
            no: otherwise ? this.#statement(otherwise) : [],
            ...span,
          },
        ]
      }
      case 'for_statement':
        return [this.#loop(node, span)]
      case 'expression_switch_statement':
        return this.#switch(node, span)
      case 'return_statement': {
        const [list] = listNamedChildren(node)
        return [{ kind: 'return', ...(list && { value: this.list(list) }), ...span }]
      }
      case 'break_statement':
        return [{ kind: 'break', ...span }]
      case 'continue_statement':
        return [{ kind: 'continue', ...span }]
      case 'type_switch_statement':
      case 'select_statement':
      case 'type_case':
      case 'default_case':
      case 'communication_case':
        return listNamedChildren(node).flatMap(child => this.#statement(child))
      case 'labeled_statement':
        return listNamedChildren(node)
          .slice(1)
          .flatMap(child => this.#statement(child))
      case 'type_declaration':
      case 'empty_statement':
        return []
      case 'inc_statement':
      case 'dec_statement': {
        const sign = node.kind() === 'inc_statement' ? '++' : '--'
        return [
          { kind: 'expression', value: makeStep(this.expression(listNamedChildren(node)[0]!), sign, span), ...span },
        ]
      }
      default:
        return [{ kind: 'expression', value: this.expression(node), ...span }]
    }
  }

  #variables(node: SgNode, span: Span): Statement[] {
    const values = this.field(node, 'value')
    const type = this.field(node, 'type')
    const written = type && this.#type(type)
    const given = values ? listNamedChildren(values) : []
    return (node.fieldChildren('name') as SgNode[]).map((name, at) => {
      const value = given[at] ?? given[0]
      return {
        kind: 'declare',
        name: this.of(name),
        ...(written !== undefined && { type: written }),
        ...(value && { value: this.expression(value) }),
        ...span,
      }
    })
  }

  #loop(node: SgNode, span: Span): Statement {
    const body = this.#block(this.field(node, 'body'))
    const [clause] = listNamedChildren(node)
    const kind = clause?.kind() as string | undefined
    if (clause && kind === 'range_clause') {
      const left = this.field(clause, 'left')
      const target = left && listNamedChildren(left)[1]
      return {
        kind: 'each',
        target: target ? this.expression(target) : { kind: 'unknown', parts: [], ...span },
        source: this.expression(clause.field('right') as SgNode),
        body,
        ...span,
      }
    }
    const parts = kind === 'for_clause' ? clause : undefined
    const condition = parts ? this.field(parts, 'condition') : kind === 'block' ? undefined : clause
    const init = parts && this.field(parts, 'initializer')
    const step = parts && this.field(parts, 'update')
    return {
      kind: 'while',
      init: init ? this.#statement(init) : [],
      ...(condition && { test: this.expression(condition) }),
      step: step ? this.#statement(step) : [],
      body,
      atLeastOnce: false,
      ...span,
    }
  }

  #switch(node: SgNode, span: Span): Statement[] {
    const init = this.field(node, 'initializer')
    const value = this.field(node, 'value')
    const cases = listNamedChildren(node)
      .filter(child => /_case$/.test(child.kind() as string))
      .map(clause => {
        const list = this.field(clause, 'value')
        const tests: Expression[] = list ? listNamedChildren(list).map(child => this.expression(child)) : []
        const body = listNamedChildren(clause)
          .slice(list ? 1 : 0)
          .flatMap(child => this.#statement(child))
        return { tests, isDefault: !list, body }
      })
    const subject = value && this.expression(value)
    return [
      ...(init ? this.#statement(init) : []),
      { kind: 'switch', switch: { ...(subject && { subject }), cases, fallsThrough: false }, ...span },
    ]
  }
}
