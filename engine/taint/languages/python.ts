import type { SgNode } from '@ast-grep/napi'
import type {
  Argument,
  BinaryOperator,
  ClassForm,
  Decorator,
  Each,
  Expression,
  FunctionForm,
  ModuleForm,
  Parameter,
  Span,
  Statement,
  Switch,
} from '../ir.ts'
import { type LanguageAdapter, literal, namedChildren, once, spanOf, unescaped } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = {
  '+': '+',
  '-': '-',
  '*': '*',
  '/': '/',
  '//': '//',
  '%': '%',
  '**': '**',
  '==': '==',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  is: '==',
  'is not': '!=',
  in: 'in',
  'not in': 'not in',
}

export const adapter: LanguageAdapter = {
  lower: (root, text) => new PythonFile(text).module(root),
}

class PythonFile {
  readonly #text: string
  readonly #imports = new Map<string, string>()
  readonly #functions: FunctionForm[] = []
  readonly #classes: ClassForm[] = []
  /** Name of the first parameter of the method that is being lowered. */
  #self: string | undefined

  constructor(text: string) {
    this.#text = text
  }

  module(root: SgNode): ModuleForm {
    const top: SgNode[] = []
    for (const node of namedChildren(root)) {
      const kind = node.kind() as string
      if (kind === 'function_definition' || kind === 'decorated_definition' || kind === 'class_definition')
        this.#definition(node, undefined)
      else if (kind === 'import_statement' || kind === 'import_from_statement') this.#import(node)
      else {
        top.push(node)
        if (kind === 'if_statement' || kind === 'try_statement') this.#nested(node)
      }
    }
    // Within an application factory a framework calls the functions that are decorated there.
    for (const found of root.findAll({
      rule: { kind: 'decorated_definition', inside: { kind: 'function_definition', stopBy: 'end' } },
    } as never)) {
      const inner = (found as SgNode).field('definition') as SgNode | null
      if ((inner?.kind() as string) === 'function_definition') this.#definition(found as SgNode, undefined)
    }
    return {
      imports: this.#imports,
      classes: this.#classes,
      functions: this.#functions,
      body: once(() => top.flatMap(node => this.#statement(node))),
    }
  }

  /** Imports and definitions under a condition of the module (`try: import …`). */
  #nested(node: SgNode): void {
    for (const found of node.findAll({
      rule: { any: [{ kind: 'import_statement' }, { kind: 'import_from_statement' }] },
    } as never))
      this.#import(found as SgNode)
  }

  #of(node: SgNode): string {
    const { start, end } = spanOf(node)
    return this.#text.slice(start, end)
  }

  #field(node: SgNode, name: string): SgNode | undefined {
    return (node.field(name) as SgNode | null) ?? undefined
  }

  #import(node: SgNode): void {
    const parts = namedChildren(node)
    const isFrom = (node.kind() as string) === 'import_from_statement'
    const module = isFrom ? this.#of(parts[0]!).replace(/^\.+/, '') : ''
    for (const part of isFrom ? parts.slice(1) : parts) {
      const kind = part.kind() as string
      if (kind === 'wildcard_import') continue
      const [name, alias] = kind === 'aliased_import' ? namedChildren(part) : [part]
      const full = this.#of(name!)
      const local = alias ? this.#of(alias) : isFrom ? full : full.split('.')[0]!
      const target = isFrom ? (module === '' ? full : `${module}.${full}`) : alias ? full : local
      this.#imports.set(local, target)
    }
  }

  #definition(node: SgNode, owner: ClassForm | undefined): void {
    const kind = node.kind() as string
    if (kind === 'decorated_definition') {
      const inner = this.#field(node, 'definition')
      const decorators = namedChildren(node)
        .filter(child => (child.kind() as string) === 'decorator')
        .map(child => this.#decorator(child))
      if (!inner) return
      if ((inner.kind() as string) === 'class_definition') this.#class(inner, decorators)
      else this.#keep({ ...this.#function(inner, decorators, owner?.name), start: spanOf(node).start }, owner)
    } else if (kind === 'class_definition') this.#class(node, [])
    else this.#keep(this.#function(node, [], owner?.name), owner)
  }

  #keep(form: FunctionForm, owner: ClassForm | undefined): void {
    if (owner) owner.methods.push(form)
    else this.#functions.push(form)
  }

  #decorator(node: SgNode): Decorator {
    const [inner] = namedChildren(node)
    if (inner && (inner.kind() as string) === 'call') {
      const args = this.#field(inner, 'arguments')
      return { name: this.#of(inner.field('function') as SgNode), args: args ? this.#args(args) : [] }
    }
    return { name: inner ? this.#of(inner) : '', args: [] }
  }

  #class(node: SgNode, decorators: Decorator[]): void {
    const bases = this.#field(node, 'superclasses')
    const form: ClassForm = {
      ...spanOf(node),
      name: this.#of(node.field('name') as SgNode),
      bases: bases
        ? namedChildren(bases)
            .filter(base => (base.kind() as string) !== 'keyword_argument')
            .map(base => this.#of(base))
        : [],
      decorators,
      fields: [],
      methods: [],
    }
    this.#classes.push(form)
    const body = this.#field(node, 'body')
    for (const child of body ? namedChildren(body) : []) {
      const kind = child.kind() as string
      if (kind === 'function_definition' || kind === 'decorated_definition' || kind === 'class_definition')
        this.#definition(child, form)
      else if (kind === 'expression_statement') {
        const [inner] = namedChildren(child)
        const left = inner && (inner.kind() as string) === 'assignment' ? this.#field(inner, 'left') : undefined
        const right = inner && left ? this.#field(inner, 'right') : undefined
        if (left && (left.kind() as string) === 'identifier')
          form.fields.push({
            ...spanOf(left),
            name: this.#of(left),
            isFixed: true,
            ...(right && { value: () => this.expression(right) }),
          })
      }
    }
  }

  #function(node: SgNode, decorators: Decorator[], owner: string | undefined): FunctionForm {
    const list = this.#field(node, 'parameters')
    const isStatic = decorators.some(({ name }) => name === 'staticmethod')
    const all = list ? this.#parameters(list) : []
    const self = owner !== undefined && !isStatic ? all[0]?.name : undefined
    const body = this.#field(node, 'body')
    const name = this.#of(node.field('name') as SgNode)
    const type = this.#field(node, 'return_type')
    const outer = this.#self
    const form: FunctionForm = {
      ...spanOf(node),
      name: owner !== undefined && name === '__init__' ? 'constructor' : name,
      parameters: self === undefined ? all : all.slice(1),
      decorators,
      isStatic,
      body: once(() => {
        return this.#as(self ?? outer, () => (body ? this.#block(body) : []))
      }),
    }
    if (owner !== undefined) form.owner = owner
    if (type) form.returnType = this.#type(type)
    return form
  }

  /** Lowers something in which the object's own name is this one. */
  #as<T>(self: string | undefined, lower: () => T): T {
    const outer = this.#self
    this.#self = self
    const out = lower()
    this.#self = outer
    return out
  }

  /** `Optional[int]` is as plain as `int`. */
  #type(node: SgNode): string {
    const text = this.#of(node).replace(/^["']|["']$/g, '')
    return /^(?:\w+\.)?(?:Optional|Annotated)\[\s*([\w.]+)/.exec(text)?.[1] ?? text.replace(/\s*\|\s*None$/, '')
  }

  #parameters(list: SgNode): Parameter[] {
    const out: Parameter[] = []
    for (const child of namedChildren(list)) {
      const kind = child.kind() as string
      const span = spanOf(child)
      if (kind === 'identifier') out.push({ ...span, name: this.#of(child), decorators: [] })
      else if (kind === 'list_splat_pattern' || kind === 'dictionary_splat_pattern')
        out.push({
          ...span,
          name: this.#of(child).replace(/^\*+/, ''),
          decorators: [],
          ...(kind === 'list_splat_pattern' && { rest: true }),
        })
      else if (kind === 'typed_parameter' || kind === 'default_parameter' || kind === 'typed_default_parameter') {
        const name = this.#field(child, 'name') ?? namedChildren(child)[0]!
        const type = this.#field(child, 'type')
        const value = this.#field(child, 'value')
        const parameter: Parameter = { ...span, name: this.#of(name).replace(/^\*+/, ''), decorators: [] }
        if (type) parameter.type = this.#type(type)
        if (value) parameter.default = this.expression(value)
        if ((name.kind() as string) === 'list_splat_pattern') parameter.rest = true
        out.push(parameter)
      }
    }
    return out
  }

  #block(node: SgNode): Statement[] {
    return namedChildren(node).flatMap(child => this.#statement(child))
  }

  #statement(node: SgNode): Statement[] {
    const span = spanOf(node)
    const kind = node.kind() as string
    switch (kind) {
      case 'expression_statement':
        return namedChildren(node).map(child => ({ kind: 'expression', value: this.expression(child), ...span }))
      case 'if_statement':
        return [this.#if(node)]
      case 'for_statement': {
        const otherwise = this.#field(node, 'alternative')
        const loop: Statement = {
          kind: 'each',
          target: this.expression(node.field('left') as SgNode),
          source: this.expression(node.field('right') as SgNode),
          body: this.#block(node.field('body') as SgNode),
          ...span,
        }
        return otherwise ? [loop, ...this.#clause(otherwise)] : [loop]
      }
      case 'while_statement': {
        const otherwise = this.#field(node, 'alternative')
        const loop: Statement = {
          kind: 'while',
          init: [],
          test: this.expression(node.field('condition') as SgNode),
          step: [],
          body: this.#block(node.field('body') as SgNode),
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
        const [value] = namedChildren(node)
        return [{ kind: 'return', ...(value && { value: this.expression(value) }), ...span }]
      }
      case 'raise_statement': {
        const [value] = namedChildren(node)
        return [{ kind: 'throw', ...(value && { value: this.expression(value) }), ...span }]
      }
      case 'break_statement':
        return [{ kind: 'break', ...span }]
      case 'continue_statement':
        return [{ kind: 'continue', ...span }]
      case 'delete_statement':
        return namedChildren(node).map(child => ({ kind: 'delete', target: this.expression(child), ...span }))
      case 'function_definition':
        return [{ kind: 'function', function: this.#function(node, [], undefined), ...span }]
      case 'decorated_definition': {
        const inner = this.#field(node, 'definition')
        if (!inner || (inner.kind() as string) !== 'function_definition') return []
        const decorators = namedChildren(node)
          .filter(child => (child.kind() as string) === 'decorator')
          .map(child => this.#decorator(child))
        return [{ kind: 'function', function: this.#function(inner, decorators, undefined), ...span }]
      }
      case 'import_statement':
      case 'import_from_statement':
        this.#import(node)
        return []
      case 'assert_statement':
      case 'print_statement':
      case 'exec_statement':
        return namedChildren(node).map(child => ({ kind: 'expression', value: this.expression(child), ...span }))
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
            yes: this.#block(clause.field('consequence') as SgNode),
            no: otherwise,
            ...spanOf(clause),
          },
        ]
    }
    return {
      kind: 'if',
      test: this.expression(node.field('condition') as SgNode),
      yes: this.#block(node.field('consequence') as SgNode),
      no: otherwise,
      ...spanOf(node),
    }
  }

  #clause(node: SgNode): Statement[] {
    return namedChildren(node).flatMap(child => ((child.kind() as string) === 'block' ? this.#block(child) : []))
  }

  #try(node: SgNode, span: Span): Statement {
    const body: Statement[] = []
    const handlers: (Statement & { kind: 'try' })['handlers'] = []
    let last: Statement[] = []
    for (const child of namedChildren(node)) {
      const kind = child.kind() as string
      if (kind === 'block') body.push(...this.#block(child))
      else if (kind === 'else_clause') body.push(...this.#clause(child))
      else if (kind === 'finally_clause') last = this.#clause(child)
      else if (kind === 'except_clause' || kind === 'except_group_clause') {
        const pattern = namedChildren(child).find(part => (part.kind() as string) === 'as_pattern')
        const target = pattern && namedChildren(pattern).find(part => (part.kind() as string) === 'as_pattern_target')
        handlers.push({ ...(target && { name: this.#of(target) }), body: this.#clause(child) })
      }
    }
    return { kind: 'try', body, handlers, finally: last, ...span }
  }

  #with(node: SgNode): Statement[] {
    const out: Statement[] = []
    for (const clause of namedChildren(node)) {
      if ((clause.kind() as string) === 'block') {
        out.push(...this.#block(clause))
        continue
      }
      for (const item of namedChildren(clause)) {
        const [value] = namedChildren(item)
        if (value) out.push({ kind: 'expression', value: this.expression(value), ...spanOf(item) })
      }
    }
    return out
  }

  #match(node: SgNode): Switch {
    const subject = node.fieldChildren('subject') as SgNode[]
    const body = this.#field(node, 'body')
    const cases: Switch['cases'] = []
    for (const clause of body ? namedChildren(body) : []) {
      const patterns = namedChildren(clause).filter(part => (part.kind() as string) === 'case_pattern')
      const guard = namedChildren(clause).some(part => (part.kind() as string) === 'if_clause')
      const block =
        this.#field(clause, 'consequence') ?? namedChildren(clause).find(part => (part.kind() as string) === 'block')
      const [pattern] = patterns
      const statements = block ? this.#block(block) : []
      const inner = pattern ? namedChildren(pattern)[0] : undefined
      const isAny =
        pattern !== undefined &&
        (inner === undefined || ((inner.kind() as string) === 'dotted_name' && !this.#of(inner).includes('.')))
      const tests = inner && !isAny ? this.#patternTests(inner) : []
      if (isAny && inner && subject[0]) {
        const value = this.expression(subject[0])
        statements.unshift({
          kind: 'expression',
          value: {
            kind: 'assign',
            target: { kind: 'name', name: this.#of(inner), ...spanOf(inner) },
            value,
            ...spanOf(inner),
          },
          ...spanOf(inner),
        })
      }
      cases.push({
        tests: guard ? [{ kind: 'unknown', parts: tests, ...spanOf(clause) }] : tests,
        isDefault: isAny && !guard,
        body: statements,
      })
    }
    return { ...(subject[0] && { subject: this.expression(subject[0]) }), cases, fallsThrough: false }
  }

  #patternTests(node: SgNode): Expression[] {
    if ((node.kind() as string) === 'union_pattern') return namedChildren(node).map(child => this.expression(child))
    return [this.expression(node)]
  }

  #args(node: SgNode): Argument[] {
    if ((node.kind() as string) === 'generator_expression') return [{ value: this.expression(node) }]
    return namedChildren(node).map(child => this.#argument(child))
  }

  #argument(node: SgNode): Argument {
    const kind = node.kind() as string
    if (kind === 'keyword_argument')
      return { name: this.#of(node.field('name') as SgNode), value: this.expression(node.field('value') as SgNode) }
    if (kind === 'list_splat' || kind === 'list_splat_pattern')
      return { value: this.expression(namedChildren(node)[0]!), spread: true }
    // `**more`: which names it gives is not known, so it is given under none.
    if (kind === 'dictionary_splat') return { value: this.expression(namedChildren(node)[0]!), name: '**' }
    return { value: this.expression(node) }
  }

  expression(node: SgNode): Expression {
    const span = spanOf(node)
    const kind = node.kind() as string
    switch (kind) {
      case 'identifier': {
        const name = this.#text.slice(span.start, span.end)
        return name === this.#self ? { kind: 'this', ...span } : { kind: 'name', name, ...span }
      }
      case 'as_pattern_target':
      case 'dotted_name': {
        const names = namedChildren(node)
        return names
          .slice(1)
          .reduce<Expression>(
            (object, part) => ({ kind: 'member', object, name: this.#of(part), ...span }),
            names[0] ? this.expression(names[0]) : { kind: 'name', name: this.#of(node), ...span },
          )
      }
      case 'string':
        return this.#string(node, span)
      case 'concatenated_string':
        return { kind: 'text', parts: namedChildren(node).map(child => this.expression(child)), ...span }
      case 'integer':
      case 'float': {
        const value = Number(this.#text.slice(span.start, span.end).replaceAll('_', ''))
        return Number.isNaN(value) ? { kind: 'unknown', parts: [], ...span } : literal(span, value)
      }
      case 'true':
      case 'false':
        return literal(span, kind === 'true')
      case 'none':
        return literal(span, null)
      case 'parenthesized_expression':
      case 'await':
      case 'yield':
      case 'type':
      case 'interpolation': {
        const [inner] = namedChildren(node)
        return inner ? this.expression(inner) : literal(span, null)
      }
      case 'attribute':
        return {
          kind: 'member',
          object: this.expression(node.field('object') as SgNode),
          name: this.#of(node.field('attribute') as SgNode),
          ...span,
        }
      case 'subscript': {
        const indexes = node.fieldChildren('subscript') as SgNode[]
        const [index] = indexes
        const isPlain = indexes.length === 1 && index && (index.kind() as string) !== 'slice'
        return {
          kind: 'index',
          object: this.expression(node.field('value') as SgNode),
          ...(isPlain && { index: this.expression(index) }),
          ...span,
        }
      }
      case 'call':
        return {
          kind: 'call',
          callee: this.expression(node.field('function') as SgNode),
          args: this.#args(node.field('arguments') as SgNode),
          ...span,
        }
      case 'binary_operator': {
        const operator = this.#of(node.field('operator') as SgNode)
        return {
          kind: 'binary',
          operator: OPERATORS[operator] ?? 'bits',
          left: this.expression(node.field('left') as SgNode),
          right: this.expression(node.field('right') as SgNode),
          ...span,
        }
      }
      case 'boolean_operator': {
        const operator = this.#of(node.field('operator') as SgNode)
        const left = this.expression(node.field('left') as SgNode)
        const right = this.expression(node.field('right') as SgNode)
        return { kind: 'binary', operator: operator === 'and' ? 'and' : 'or', left, right, ...span }
      }
      case 'comparison_operator':
        return this.#comparison(node, span)
      case 'not_operator':
        return { kind: 'unary', operator: 'not', value: this.expression(node.field('argument') as SgNode), ...span }
      case 'unary_operator': {
        const operator = this.#of(node.field('operator') as SgNode) as '-' | '+' | '~'
        return { kind: 'unary', operator, value: this.expression(node.field('argument') as SgNode), ...span }
      }
      case 'conditional_expression': {
        const [then, test, otherwise] = namedChildren(node)
        return {
          kind: 'conditional',
          test: this.expression(test!),
          yes: this.expression(then!),
          no: this.expression(otherwise!),
          ...span,
        }
      }
      case 'assignment':
        return this.#assignment(node, span)
      case 'augmented_assignment': {
        const operator = this.#of(node.field('operator') as SgNode).slice(0, -1)
        return {
          kind: 'assign',
          target: this.expression(node.field('left') as SgNode),
          operator: OPERATORS[operator] ?? 'bits',
          value: this.expression(node.field('right') as SgNode),
          ...span,
        }
      }
      case 'named_expression':
        return {
          kind: 'assign',
          target: this.expression(node.field('name') as SgNode),
          value: this.expression(node.field('value') as SgNode),
          ...span,
        }
      case 'as_pattern': {
        const [value, target] = namedChildren(node)
        return { kind: 'assign', target: this.expression(target!), value: this.expression(value!), ...span }
      }
      case 'list':
      case 'tuple':
      case 'set':
      case 'expression_list':
      case 'pattern_list':
      case 'tuple_pattern':
      case 'list_pattern':
        return { kind: 'list', items: namedChildren(node).map(child => this.#argument(child)), ...span }
      case 'dictionary':
        return { kind: 'map', entries: namedChildren(node).map(child => this.#entry(child)), ...span }
      case 'list_comprehension':
      case 'set_comprehension':
      case 'generator_expression':
      case 'dictionary_comprehension':
        return this.#comprehension(node, span)
      case 'lambda': {
        const parameters = this.#field(node, 'parameters')
        const body = node.field('body') as SgNode
        const self = this.#self
        const form: FunctionForm = {
          ...span,
          name: '',
          parameters: parameters ? this.#parameters(parameters) : [],
          decorators: [],
          isStatic: false,
          body: once(() => {
            const value = this.#as(self, () => this.expression(body))
            return [{ kind: 'return', value, start: value.start, end: value.end }]
          }),
        }
        return { kind: 'function', function: form, ...span }
      }
      default:
        return { kind: 'unknown', parts: namedChildren(node).map(child => this.expression(child)), ...span }
    }
  }

  #assignment(node: SgNode, span: Span): Expression {
    const left = this.expression(node.field('left') as SgNode)
    const right = this.#field(node, 'right')
    const type = this.#field(node, 'type')
    if (!right) return { kind: 'unknown', parts: [], ...span }
    return {
      kind: 'assign',
      target: left,
      value: this.expression(right),
      ...(type && { type: this.#type(type) }),
      ...span,
    }
  }

  #entry(node: SgNode): { key?: Expression; value: Expression } {
    if ((node.kind() as string) !== 'pair') return { value: this.expression(namedChildren(node)[0] ?? node) }
    return { key: this.expression(node.field('key') as SgNode), value: this.expression(node.field('value') as SgNode) }
  }

  /** `a < b < c` is `a < b and b < c`. */
  #comparison(node: SgNode, span: Span): Expression {
    const operands: Expression[] = []
    const operators: BinaryOperator[] = []
    for (const child of node.children()) {
      if (child.isNamed()) operands.push(this.expression(child))
      else operators.push(OPERATORS[this.#of(child).replace(/\s+/g, ' ')] ?? 'bits')
    }
    const pairs = operators.map(
      (operator, at): Expression => ({
        kind: 'binary',
        operator,
        left: operands[at]!,
        right: operands[at + 1]!,
        ...span,
      }),
    )
    return pairs.reduce((left, right) => ({ kind: 'binary', operator: 'and', left, right, ...span }))
  }

  #string(node: SgNode, span: Span): Expression {
    const text = this.#text.slice(span.start, span.end)
    const opening = /^([A-Za-z]*)('''|"""|'|")/.exec(text)
    if (!opening) return { kind: 'unknown', parts: [], ...span }
    const isRaw = /r/i.test(opening[1]!)
    const own = (part: string): string => (isRaw ? part : unescaped(part))
    if (!/[ft]/i.test(opening[1]!))
      return literal(span, own(text.slice(opening[0].length, text.length - opening[2]!.length)))
    const parts: Expression[] = []
    for (const child of namedChildren(node)) {
      const kind = child.kind() as string
      if (kind === 'string_content')
        parts.push(literal(spanOf(child), own(this.#of(child)).replaceAll('{{', '{').replaceAll('}}', '}')))
      else if (kind === 'interpolation') parts.push(this.expression(child))
    }
    return { kind: 'text', parts, ...span }
  }

  #comprehension(node: SgNode, span: Span): Expression {
    const [body, ...clauses] = namedChildren(node)
    const loops: Each[] = []
    for (const clause of clauses) {
      const kind = clause.kind() as string
      if (kind === 'for_in_clause')
        loops.push({
          target: this.expression(clause.field('left') as SgNode),
          source: this.expression(clause.field('right') as SgNode),
          tests: [],
        })
      else if (kind === 'if_clause') loops.at(-1)?.tests.push(this.expression(namedChildren(clause)[0]!))
    }
    if ((body!.kind() as string) !== 'pair')
      return { kind: 'comprehension', loops, value: this.expression(body!), ...span }
    const { key, value } = this.#entry(body!)
    return { kind: 'comprehension', loops, ...(key && { key }), value, ...span }
  }
}
