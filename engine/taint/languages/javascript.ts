import type { SgNode } from '@ast-grep/napi'
import type { ClassForm, Decorator, Expression, FunctionForm, ModuleForm, Parameter, Span, Statement } from '../ir.ts'
import { JavascriptExpressions } from './javascript-expressions.ts'
import { importsOf } from './javascript-imports.ts'
import { type LanguageAdapter, namedChildren, once, spanOf } from './tree.ts'

/** JavaScript, TypeScript and TSX: their trees differ in what is typed only. */
export const adapter: LanguageAdapter = {
  lower: (root, text) => new JavascriptFile(root, text).module(),
}

const FUNCTIONS = [
  'function_declaration',
  'generator_function_declaration',
  'function_expression',
  'generator_function',
  'arrow_function',
  'method_definition',
]

/** Names that a second parameter has where the first is a request. */
const RESPONSES = /^_?(?:res|response|resp|reply|rep|h|next|_next|\$res)$/

class JavascriptFile {
  readonly #root: SgNode
  readonly #text: string
  readonly #lowering: JavascriptExpressions
  readonly #classes: ClassForm[] = []
  /** Functions by where they begin, so that the same one is the same form wherever it is met. */
  readonly #forms = new Map<string, FunctionForm>()

  constructor(root: SgNode, text: string) {
    this.#root = root
    this.#text = text
    const of = (node: SgNode): string => this.#of(node)
    this.#lowering = new JavascriptExpressions(text, importsOf(root, of), {
      block: node => this.#block(node),
      function: (node, name) => this.#function(node, name),
    })
  }

  module(): ModuleForm {
    const classes = this.#root.findAll({ rule: { any: [{ kind: 'class_declaration' }, { kind: 'class' }] } } as never)
    for (const found of classes) this.#class(found as SgNode)
    const functions: FunctionForm[] = []
    const found = this.#root.findAll({ rule: { any: FUNCTIONS.map(kind => ({ kind })) } } as never)
    for (const node of found as SgNode[]) {
      const parent = node.parent()
      const outer = parent?.kind() as string | undefined
      if (outer === 'class_body' || outer === 'public_field_definition' || outer === 'field_definition') continue
      const isTop = outer === 'program' || (outer === 'export_statement' && node.kind() === 'function_declaration')
      const form = this.#function(node, this.#nameFrom(node, parent))
      if (isTop && form.name !== '') delete form.isInner
      functions.push(form)
    }
    return {
      imports: this.#lowering.imports,
      classes: this.#classes,
      functions,
      body: once(() => this.#block(this.#root)),
    }
  }

  #of(node: SgNode): string {
    const { start, end } = spanOf(node)
    return this.#text.slice(start, end)
  }

  #field(node: SgNode, name: string): SgNode | undefined {
    return (node.field(name) as SgNode | null) ?? undefined
  }

  /** A function's own name, or that of the variable that it is the value of. */
  #nameFrom(node: SgNode, parent: SgNode | null): string {
    const kind = node.kind() as string
    const own = kind === 'method_definition' ? undefined : this.#field(node, 'name')
    if (own) return this.#of(own)
    if (!parent || (parent.kind() as string) !== 'variable_declarator') return ''
    const name = this.#field(parent, 'name')
    return name && (name.kind() as string) === 'identifier' ? this.#of(name) : ''
  }

  #class(node: SgNode): void {
    const parent = node.parent()
    const name = this.#field(node, 'name') ?? (parent && this.#field(parent, 'name'))
    const heritage = namedChildren(node).find(child => (child.kind() as string) === 'class_heritage')
    const form: ClassForm = {
      ...spanOf(node),
      name: name ? this.#of(name) : 'default',
      bases: heritage
        ? [
            this.#of(heritage)
              .replace(/^\s*extends\s+/, '')
              .replace(/[\s<({][\s\S]*$/, ''),
          ]
        : [],
      decorators: this.#decorators([
        node,
        ...(parent && (parent.kind() as string) === 'export_statement' ? [parent] : []),
      ]),
      fields: [],
      methods: [],
    }
    this.#classes.push(form)
    const body = this.#field(node, 'body')
    let decorators: Decorator[] = []
    for (const child of body ? namedChildren(body) : []) {
      const kind = child.kind() as string
      if (kind === 'decorator') {
        decorators.push(this.#decorator(child))
        continue
      }
      if (kind === 'method_definition') this.#method(form, child, child, decorators)
      else if (kind === 'public_field_definition' || kind === 'field_definition') this.#fieldOf(form, child, decorators)
      decorators = []
    }
  }

  #method(form: ClassForm, node: SgNode, value: SgNode, decorators: Decorator[]): void {
    const name = this.#field(node, 'name') ?? this.#field(node, 'property')
    const made = this.#function(value, name ? this.#of(name) : '')
    delete made.isInner
    made.owner = form.name
    made.decorators = [...decorators, ...this.#decorators([node])]
    made.isStatic = node.children().some(child => (child.kind() as string) === 'static')
    form.methods.push(made)
  }

  #fieldOf(form: ClassForm, node: SgNode, decorators: Decorator[]): void {
    const name = this.#field(node, 'name') ?? this.#field(node, 'property')
    const value = this.#field(node, 'value')
    if (!name) return
    if (value && /^(?:arrow_function|function_expression)$/.test(value.kind() as string)) {
      this.#method(form, node, value, decorators)
      return
    }
    const type = this.#lowering.type(this.#field(node, 'type'))
    form.fields.push({
      ...spanOf(node),
      name: this.#of(name),
      isFixed: node.children().some(child => (child.kind() as string) === 'readonly'),
      ...(type !== undefined && { type }),
      ...(value && { value: () => this.#lowering.expression(value) }),
    })
  }

  #decorators(nodes: readonly SgNode[]): Decorator[] {
    return nodes
      .flatMap(node => namedChildren(node).filter(child => (child.kind() as string) === 'decorator'))
      .map(node => this.#decorator(node))
  }

  #decorator(node: SgNode): Decorator {
    const [inner] = namedChildren(node)
    if (inner && (inner.kind() as string) === 'call_expression')
      return {
        name: this.#of(inner.field('function') as SgNode),
        args: this.#lowering.args(inner.field('arguments') as SgNode),
      }
    return { name: inner ? this.#of(inner) : '', args: [] }
  }

  #function(node: SgNode, name: string): FunctionForm {
    const span = spanOf(node)
    const key = `${span.start}:${span.end}`
    const known = this.#forms.get(key)
    if (known) return known
    const single = this.#field(node, 'parameter')
    const list = this.#field(node, 'parameters')
    const body = this.#field(node, 'body')
    const parameters = once(() => {
      const nodes = single ? [single] : list ? namedChildren(list) : []
      return nodes.map((each, at) => this.#parameter(each, nodes[at + 1]))
    })
    const form: FunctionForm = {
      ...span,
      name,
      // Most functions are never carried out.
      get parameters() {
        return parameters()
      },
      decorators: [],
      isStatic: false,
      isInner: true,
      body: once(() => this.#body(body)),
    }
    this.#forms.set(key, form)
    return form
  }

  #body(node: SgNode | undefined): Statement[] {
    if (!node) return []
    if ((node.kind() as string) === 'statement_block') return this.#block(node)
    const value = this.#lowering.expression(node)
    return [{ kind: 'return', value, start: value.start, end: value.end }]
  }

  #parameter(node: SgNode, next: SgNode | undefined): Parameter {
    const span = spanOf(node)
    const out: Parameter = { ...span, name: '', decorators: this.#decorators([node]) }
    let pattern: SgNode | undefined = node
    const kind = node.kind() as string
    if (kind === 'required_parameter' || kind === 'optional_parameter') {
      pattern = this.#field(node, 'pattern')
      const type = this.#lowering.type(this.#field(node, 'type'))
      if (type !== undefined) out.type = type
      const value = this.#field(node, 'value')
      if (value) out.default = this.#lowering.expression(value)
    } else if (kind === 'assignment_pattern') {
      pattern = this.#field(node, 'left')
      const value = this.#field(node, 'right')
      if (value) out.default = this.#lowering.expression(value)
    }
    if (pattern && (pattern.kind() as string) === 'rest_pattern') {
      out.rest = true
      ;[pattern] = namedChildren(pattern)
    }
    if (!pattern) return out
    if ((pattern.kind() as string) === 'identifier') out.name = this.#of(pattern)
    else {
      // `({ query }, res) => …`: the name says what is taken apart.
      const second = next && /^\w+/.exec(this.#of(next))?.[0]
      out.name = second !== undefined && RESPONSES.test(second) ? 'req' : `{${span.start}`
      out.pattern = this.#lowering.pattern(pattern)
    }
    return out
  }

  /** The statements of a block; functions declared in it are known from its beginning. */
  #block(node: SgNode): Statement[] {
    const nodes = namedChildren(node)
    const isDeclaration = (child: SgNode): boolean =>
      /^(?:generator_)?function_declaration$/.test(child.kind() as string)
    const out: Statement[] = []
    if ((node.kind() as string) !== 'program')
      for (const child of nodes.filter(isDeclaration))
        out.push({ kind: 'function', function: this.#function(child, this.#nameFrom(child, node)), ...spanOf(child) })
    for (const child of nodes) if (!isDeclaration(child)) out.push(...this.#statement(child))
    return out
  }

  #inner(node: SgNode | undefined): Statement[] {
    if (!node) return []
    return (node.kind() as string) === 'statement_block' ? this.#block(node) : this.#statement(node)
  }

  #statement(node: SgNode): Statement[] {
    const span = spanOf(node)
    const lowering = this.#lowering
    switch (node.kind() as string) {
      case 'expression_statement':
        return namedChildren(node).map(child => ({ kind: 'expression', value: lowering.expression(child), ...span }))
      case 'lexical_declaration':
      case 'variable_declaration':
        return lowering.declarations(node)
      case 'export_statement': {
        const value = this.#field(node, 'value')
        if (value) return [{ kind: 'expression', value: lowering.expression(value), ...span }]
        const declaration = this.#field(node, 'declaration')
        return declaration ? this.#statement(declaration) : []
      }
      case 'if_statement': {
        const otherwise = this.#field(node, 'alternative')
        return [
          {
            kind: 'if',
            test: lowering.test(node.field('condition') as SgNode),
            yes: this.#inner(this.#field(node, 'consequence')),
            no: otherwise ? namedChildren(otherwise).flatMap(child => this.#inner(child)) : [],
            ...span,
          },
        ]
      }
      case 'for_statement':
      case 'while_statement':
      case 'do_statement':
        return [this.#loop(node, span)]
      case 'for_in_statement': {
        const isOf = this.#of(node.field('operator') as SgNode) === 'of'
        const over = lowering.expression(node.field('right') as SgNode)
        return [
          {
            kind: 'each',
            target: lowering.pattern(node.field('left') as SgNode),
            source: isOf ? over : { kind: 'unknown', parts: [over], start: over.start, end: over.end },
            body: this.#inner(this.#field(node, 'body')),
            ...span,
          },
        ]
      }
      case 'switch_statement':
        return [this.#switch(node, span)]
      case 'try_statement': {
        const handler = this.#field(node, 'handler')
        const last = this.#field(node, 'finalizer')
        const name = handler && this.#field(handler, 'parameter')
        const caught = handler && {
          ...(name && (name.kind() as string) === 'identifier' && { name: this.#of(name) }),
          body: this.#inner(this.#field(handler, 'body')),
        }
        return [
          {
            kind: 'try',
            body: this.#inner(this.#field(node, 'body')),
            handlers: caught ? [caught] : [],
            finally: last ? this.#inner(this.#field(last, 'body')) : [],
            ...span,
          },
        ]
      }
      case 'return_statement':
      case 'throw_statement': {
        const [value] = namedChildren(node)
        const kind = (node.kind() as string) === 'return_statement' ? 'return' : 'throw'
        return [{ kind, ...(value && { value: lowering.expression(value) }), ...span }]
      }
      case 'break_statement':
      case 'continue_statement': {
        const label = this.#field(node, 'label')
        const kind = (node.kind() as string) === 'break_statement' ? 'break' : 'continue'
        return [{ kind, ...(label && { label: this.#of(label) }), ...span }]
      }
      case 'statement_block':
        return [{ kind: 'block', body: this.#block(node), ...span }]
      case 'labeled_statement': {
        const label = this.#field(node, 'label')
        return [
          {
            kind: 'block',
            body: this.#inner(this.#field(node, 'body')),
            ...(label && { label: this.#of(label) }),
            ...span,
          },
        ]
      }
      case 'function_declaration':
      case 'generator_function_declaration':
        return [{ kind: 'function', function: this.#function(node, this.#nameFrom(node, null)), ...span }]
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
        return [{ kind: 'expression', value: lowering.expression(node), ...span }]
    }
  }

  #loop(node: SgNode, span: Span): Statement {
    const lowering = this.#lowering
    const init = this.#field(node, 'initializer')
    const step = this.#field(node, 'increment')
    const condition = this.#field(node, 'condition')
    const test = condition && (condition.kind() as string) !== 'empty_statement' ? condition : undefined
    return {
      kind: 'while',
      init: init && (init.kind() as string) !== 'empty_statement' ? this.#statement(init) : [],
      ...(test && { test: lowering.test(test) }),
      step: step ? [{ kind: 'expression', value: lowering.expression(step), ...spanOf(step) }] : [],
      body: this.#inner(this.#field(node, 'body')),
      atLeastOnce: (node.kind() as string) === 'do_statement',
      ...span,
    }
  }

  #switch(node: SgNode, span: Span): Statement {
    const body = this.#field(node, 'body')
    const cases = (body ? namedChildren(body) : []).map(clause => {
      const value = this.#field(clause, 'value')
      const tests: Expression[] = value ? [this.#lowering.expression(value)] : []
      const statements = namedChildren(clause).slice(value ? 1 : 0)
      return { tests, isDefault: !value, body: statements.flatMap(child => this.#statement(child)) }
    })
    const subject = this.#lowering.expression(node.field('value') as SgNode)
    return { kind: 'switch', switch: { subject, cases, fallsThrough: true }, ...span }
  }
}
