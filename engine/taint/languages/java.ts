import type { SgNode } from '@ast-grep/napi'
import type {
  Argument,
  BinaryOperator,
  ClassForm,
  Decorator,
  Expression,
  Field,
  FunctionForm,
  ModuleForm,
  Parameter,
  Statement,
  Switch,
} from '../ir.ts'
import { type LanguageAdapter, literal, namedChildren, once, spanOf, unescaped } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = {
  '+': '+',
  '-': '-',
  '*': '*',
  // Numbers in conditions are nearly always whole.
  '/': '//',
  '%': '%',
  '==': '==',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '&&': 'and',
  '||': 'or',
}

const TYPE_DECLARATIONS = new Set([
  'class_declaration',
  'interface_declaration',
  'enum_declaration',
  'record_declaration',
  'annotation_type_declaration',
])

export const adapter: LanguageAdapter = {
  lower: (root, text) => new JavaFile(text).module(root),
}

class JavaFile {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  module(root: SgNode): ModuleForm {
    const imports = new Map<string, string>()
    const classes: ClassForm[] = []
    for (const node of namedChildren(root)) {
      const kind = node.kind() as string
      if (kind === 'import_declaration') {
        const [name, star] = namedChildren(node)
        const full = name && this.#of(name)
        if (full && !star) imports.set(full.slice(full.lastIndexOf('.') + 1), full)
      } else if (TYPE_DECLARATIONS.has(kind)) this.#class(node, classes)
    }
    return { imports, classes, functions: [], body: () => [] }
  }

  #of(node: SgNode): string {
    const { start, end } = spanOf(node)
    return this.#text.slice(start, end)
  }

  #field(node: SgNode, name: string): SgNode | undefined {
    return (node.field(name) as SgNode | null) ?? undefined
  }

  #class(node: SgNode, into: ClassForm[], anonymous?: string): ClassForm {
    const name = anonymous ?? this.#of(node.field('name') as SgNode)
    const form: ClassForm = { ...spanOf(node), name, bases: [], decorators: [], fields: [], methods: [] }
    into.push(form)
    const inside = (body: SgNode): void => {
      for (const child of namedChildren(body)) {
        const kind = child.kind() as string
        if (kind === 'field_declaration') this.#fields(child, form)
        else if (
          kind === 'method_declaration' ||
          kind === 'constructor_declaration' ||
          kind === 'compact_constructor_declaration'
        )
          form.methods.push(this.#method(child, name))
        else if (kind === 'static_initializer' || kind === 'block') form.methods.push(this.#initializer(child, name))
        else if (kind === 'enum_body_declarations') inside(child)
        else if (TYPE_DECLARATIONS.has(kind)) this.#class(child, into)
      }
    }
    for (const child of namedChildren(node)) {
      const kind = child.kind() as string
      if (kind === 'modifiers') form.decorators = this.#annotations(child)
      else if (kind === 'superclass') form.bases.push(...namedChildren(child).map(type => this.#of(type)))
      else if (kind === 'super_interfaces' || kind === 'extends_interfaces')
        for (const list of namedChildren(child)) form.bases.push(...namedChildren(list).map(type => this.#of(type)))
      else if (kind.endsWith('_body')) inside(child)
      else if (kind === 'formal_parameters' && (node.kind() as string) === 'record_declaration')
        for (const { name: own, type, start, end } of this.#parameters(child))
          form.fields.push({ name: own, ...(type !== undefined && { type }), isFixed: false, start, end })
    }
    return form
  }

  #annotations(modifiers: SgNode): Decorator[] {
    const out: Decorator[] = []
    for (const child of namedChildren(modifiers)) {
      const [name, args] = namedChildren(child)
      if (name)
        out.push({
          name: this.#of(name),
          args: args ? namedChildren(args).map(arg => this.#annotationArgument(arg)) : [],
        })
    }
    return out
  }

  #annotationArgument(node: SgNode): Argument {
    if ((node.kind() as string) !== 'element_value_pair') return { value: this.expression(node) }
    const [key, value] = namedChildren(node)
    return { name: this.#of(key!), value: value ? this.expression(value) : literal(spanOf(node), null) }
  }

  #fields(node: SgNode, form: ClassForm): void {
    const words = this.#modifierWords(node)
    const type = this.#field(node, 'type')
    for (const child of namedChildren(node)) {
      if ((child.kind() as string) !== 'variable_declarator') continue
      const name = this.#of(child.field('name') as SgNode)
      const value = this.#field(child, 'value')
      const field: Field = {
        ...spanOf(child),
        name,
        isFixed: words.includes('final') || /^[A-Z][A-Z0-9_]*$/.test(name),
      }
      if (type) field.type = this.#of(type)
      if (value) field.value = () => this.expression(value)
      form.fields.push(field)
    }
  }

  #modifierWords(node: SgNode): string[] {
    const modifiers = node.children().find(child => (child.kind() as string) === 'modifiers')
    return modifiers ? modifiers.children().map(child => child.kind() as string) : []
  }

  #method(node: SgNode, owner: string): FunctionForm {
    const isConstructor = (node.kind() as string) !== 'method_declaration'
    const body = this.#field(node, 'body')
    const parameters = this.#field(node, 'parameters')
    const type = this.#field(node, 'type')
    const modifiers = node.children().find(child => (child.kind() as string) === 'modifiers')
    const form: FunctionForm = {
      ...spanOf(node),
      name: isConstructor ? 'constructor' : this.#of(node.field('name') as SgNode),
      owner,
      parameters: parameters ? this.#parameters(parameters) : [],
      decorators: modifiers ? this.#annotations(modifiers) : [],
      isStatic: modifiers ? this.#modifierWords(node).includes('static') : false,
      body: once(() => (body ? this.block(body) : [])),
    }
    if (type && (type.kind() as string) !== 'void_type') form.returnType = this.#of(type)
    return form
  }

  #initializer(node: SgNode, owner: string): FunctionForm {
    const isStatic = (node.kind() as string) === 'static_initializer'
    const block = isStatic ? namedChildren(node)[0] : node
    return {
      ...spanOf(node),
      name: isStatic ? 'static' : 'init',
      owner,
      parameters: [],
      decorators: [],
      isStatic,
      body: once(() => (block ? this.block(block) : [])),
    }
  }

  #parameters(node: SgNode): Parameter[] {
    const out: Parameter[] = []
    for (const child of namedChildren(node)) {
      const kind = child.kind() as string
      if (kind === 'identifier') {
        out.push({ ...spanOf(child), name: this.#of(child), decorators: [] })
        continue
      }
      if (kind !== 'formal_parameter' && kind !== 'spread_parameter') continue
      const parts = namedChildren(child)
      const last = parts.at(-1)!
      const name =
        (last.kind() as string) === 'variable_declarator'
          ? (last.field('name') as SgNode)
          : (this.#field(child, 'name') ?? last)
      const modifiers = parts.find(part => (part.kind() as string) === 'modifiers')
      const type = parts.find(part => part !== modifiers && part !== last)
      const parameter: Parameter = {
        ...spanOf(child),
        name: this.#of(name),
        decorators: modifiers ? this.#annotations(modifiers) : [],
      }
      if (type) parameter.type = this.#of(type)
      if (kind === 'spread_parameter') parameter.rest = true
      out.push(parameter)
    }
    return out
  }

  block(node: SgNode): Statement[] {
    return namedChildren(node).flatMap(child => this.#statement(child))
  }

  /** A statement that may or may not be a block. */
  #body(node: SgNode | undefined): Statement[] {
    if (!node) return []
    return (node.kind() as string) === 'block' ? this.block(node) : this.#statement(node)
  }

  #statement(node: SgNode): Statement[] {
    const span = spanOf(node)
    const kind = node.kind() as string
    switch (kind) {
      case 'expression_statement': {
        const [inner] = namedChildren(node)
        return inner ? this.#expressionStatement(inner) : []
      }
      case 'explicit_constructor_invocation': {
        const args = this.#field(node, 'arguments')
        const name = this.#of(node).startsWith('super') ? 'super' : 'constructor'
        const callee: Expression = { kind: 'member', object: { kind: 'this', ...span }, name, ...span }
        return [
          { kind: 'expression', value: { kind: 'call', callee, args: args ? this.#args(args) : [], ...span }, ...span },
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
            yes: this.#body(this.#field(node, 'consequence')),
            no: this.#body(this.#field(node, 'alternative')),
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
            body: this.#body(this.#field(node, 'body')),
            atLeastOnce: kind === 'do_statement',
            ...span,
          },
        ]
      case 'for_statement':
        return [this.#for(node)]
      case 'enhanced_for_statement': {
        const name = node.field('name') as SgNode
        const type = this.#field(node, 'type')
        return [
          {
            kind: 'each',
            target: { kind: 'name', name: this.#of(name), ...spanOf(name) },
            ...(type && { type: this.#of(type) }),
            source: this.expression(node.field('value') as SgNode),
            body: this.#body(this.#field(node, 'body')),
            ...span,
          },
        ]
      }
      case 'switch_expression':
      case 'switch_statement':
        return [{ kind: 'switch', switch: this.#switch(node), ...span }]
      case 'try_statement':
      case 'try_with_resources_statement':
        return this.#try(node)
      case 'return_statement':
      case 'yield_statement':
      case 'throw_statement': {
        const [value] = namedChildren(node)
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
        const [label] = namedChildren(node)
        return [
          {
            kind: kind === 'break_statement' ? 'break' : 'continue',
            ...(label && { label: this.#of(label) }),
            ...span,
          },
        ]
      }
      case 'labeled_statement': {
        const [label, inner] = namedChildren(node)
        return [{ kind: 'block', label: this.#of(label!), body: inner ? this.#statement(inner) : [], ...span }]
      }
      case 'synchronized_statement':
        return this.#body(this.#field(node, 'body'))
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
      return [{ kind: 'switch', switch: this.#switch(node), ...spanOf(node) }]
    const value = this.expression(node)
    return [{ kind: 'expression', value, start: value.start, end: value.end }]
  }

  #locals(node: SgNode): Statement[] {
    const type = this.#field(node, 'type')
    const out: Statement[] = []
    for (const child of namedChildren(node)) {
      if ((child.kind() as string) !== 'variable_declarator') continue
      const value = this.#field(child, 'value')
      out.push({
        kind: 'declare',
        name: this.#of(child.field('name') as SgNode),
        ...(type && { type: this.#of(type) }),
        ...(value && { value: this.expression(value) }),
        ...spanOf(child),
      })
    }
    return out
  }

  #condition(node: SgNode): Expression {
    const condition = this.#field(node, 'condition')
    return condition ? this.expression(condition) : literal(spanOf(node), true)
  }

  #for(node: SgNode): Statement {
    const many = (name: string): SgNode[] => node.fieldChildren(name) as SgNode[]
    const condition = this.#field(node, 'condition')
    return {
      kind: 'while',
      init: many('init').flatMap(init => this.#statement(init)),
      ...(condition && { test: this.expression(condition) }),
      step: many('update').flatMap(update => this.#expressionStatement(update)),
      body: this.#body(this.#field(node, 'body')),
      atLeastOnce: false,
      ...spanOf(node),
    }
  }

  #switch(node: SgNode): Switch {
    const condition = this.#field(node, 'condition')
    const body = this.#field(node, 'body')
    const cases: Switch['cases'] = []
    let fallsThrough = true
    for (const group of body ? namedChildren(body) : []) {
      const isRule = (group.kind() as string) === 'switch_rule'
      if (isRule) fallsThrough = false
      const parts = namedChildren(group)
      const labels = parts.filter(part => (part.kind() as string) === 'switch_label')
      const tests = labels.flatMap(label => namedChildren(label).map(test => this.#caseLabel(test)))
      const isDefault = labels.some(label => this.#of(label).startsWith('default'))
      const rest = parts.filter(part => (part.kind() as string) !== 'switch_label')
      const [only] = rest
      if (isRule && only && (only.kind() as string) === 'expression_statement') {
        const [value] = namedChildren(only)
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

  /** The name of an enum constant stands for itself. */
  #caseLabel(node: SgNode): Expression {
    return this.expression(node)
  }

  #try(node: SgNode): Statement[] {
    const body: Statement[] = []
    const handlers: (Statement & { kind: 'try' })['handlers'] = []
    let last: Statement[] = []
    for (const child of namedChildren(node)) {
      const kind = child.kind() as string
      if (kind === 'resource_specification') {
        for (const resource of namedChildren(child)) {
          const name = this.#field(resource, 'name')
          const value = this.#field(resource, 'value')
          const type = this.#field(resource, 'type')
          if (name && value)
            body.push({
              kind: 'declare',
              name: this.#of(name),
              ...(type && { type: this.#of(type) }),
              value: this.expression(value),
              ...spanOf(resource),
            })
        }
      } else if (kind === 'block') body.push(...this.block(child))
      else if (kind === 'catch_clause') {
        const parameter = namedChildren(child).find(part => (part.kind() as string) === 'catch_formal_parameter')
        const name = parameter && this.#field(parameter, 'name')
        handlers.push({ ...(name && { name: this.#of(name) }), body: this.#body(this.#field(child, 'body')) })
      } else if (kind === 'finally_clause') last = namedChildren(child).flatMap(part => this.#body(part))
    }
    return [{ kind: 'try', body, handlers, finally: last, ...spanOf(node) }]
  }

  #args(node: SgNode): Argument[] {
    return namedChildren(node).map(child => ({ value: this.expression(child) }))
  }

  expression(node: SgNode): Expression {
    const span = spanOf(node)
    const kind = node.kind() as string
    switch (kind) {
      case 'identifier':
      case 'type_identifier':
        return { kind: 'name', name: this.#text.slice(span.start, span.end), ...span }
      case 'this':
        return { kind: 'this', ...span }
      case 'string_literal': {
        const text = this.#text.slice(span.start, span.end)
        return literal(
          span,
          text.startsWith('"""') ? unescaped(text.slice(3, -3).replace(/^[ \t]*\n/, '')) : unescaped(text.slice(1, -1)),
        )
      }
      case 'character_literal':
        return literal(span, unescaped(this.#text.slice(span.start + 1, span.end - 1)))
      case 'decimal_integer_literal':
      case 'decimal_floating_point_literal':
        return literal(span, Number(this.#text.slice(span.start, span.end).replace(/[lLfFdD_]/g, '')))
      case 'hex_integer_literal':
        return literal(span, Number(this.#text.slice(span.start, span.end).replace(/[lL_]/g, '')))
      case 'true':
      case 'false':
        return literal(span, kind === 'true')
      case 'null_literal':
        return literal(span, null)
      case 'parenthesized_expression': {
        const [inner] = namedChildren(node)
        return inner ? this.expression(inner) : literal(span, null)
      }
      case 'scoped_identifier':
      case 'scoped_type_identifier':
      case 'field_access': {
        const parts = namedChildren(node)
        const last = parts.at(-1)!
        return { kind: 'member', object: this.expression(parts[0]!), name: this.#of(last), ...span }
      }
      case 'array_access':
        return {
          kind: 'index',
          object: this.expression(node.field('array') as SgNode),
          index: this.expression(node.field('index') as SgNode),
          ...span,
        }
      case 'method_invocation':
        return this.#call(node)
      case 'object_creation_expression':
        return this.#new(node)
      case 'array_creation_expression':
      case 'array_initializer':
        return this.#array(node)
      case 'binary_expression': {
        const operator = this.#of(node.field('operator') as SgNode)
        return {
          kind: 'binary',
          operator: OPERATORS[operator] ?? 'bits',
          left: this.expression(node.field('left') as SgNode),
          right: this.expression(node.field('right') as SgNode),
          ...span,
        }
      }
      case 'unary_expression': {
        const operator = this.#of(node.field('operator') as SgNode)
        const value = this.expression(node.field('operand') as SgNode)
        return { kind: 'unary', operator: operator === '!' ? 'not' : (operator as '-' | '+' | '~'), value, ...span }
      }
      case 'update_expression': {
        const target = this.expression(namedChildren(node)[0]!)
        return {
          kind: 'assign',
          target,
          operator: this.#of(node).includes('++') ? '+' : '-',
          value: literal(span, 1),
          ...span,
        }
      }
      case 'assignment_expression': {
        const operator = this.#of(node.field('operator') as SgNode)
        return {
          kind: 'assign',
          target: this.expression(node.field('left') as SgNode),
          ...(operator !== '=' && { operator: OPERATORS[operator.slice(0, -1)] ?? 'bits' }),
          value: this.expression(node.field('right') as SgNode),
          ...span,
        }
      }
      case 'ternary_expression':
        return {
          kind: 'conditional',
          test: this.expression(node.field('condition') as SgNode),
          yes: this.expression(node.field('consequence') as SgNode),
          no: this.expression(node.field('alternative') as SgNode),
          ...span,
        }
      case 'cast_expression':
        return {
          kind: 'cast',
          type: this.#of(node.field('type') as SgNode),
          value: this.expression(node.field('value') as SgNode),
          ...span,
        }
      case 'instanceof_expression':
        return {
          kind: 'binary',
          operator: 'instance',
          left: this.expression(node.field('left') as SgNode),
          right: literal(span, null),
          ...span,
        }
      case 'lambda_expression':
        return { kind: 'function', function: this.#lambda(node), ...span }
      case 'method_reference':
        return this.#reference(node)
      case 'switch_expression':
        return { kind: 'switch', switch: this.#switch(node), ...span }
      default:
        return { kind: 'unknown', parts: namedChildren(node).map(child => this.expression(child)), ...span }
    }
  }

  #call(node: SgNode): Expression {
    const object = this.#field(node, 'object')
    const name = node.field('name') as SgNode
    const own: Expression = { kind: 'name', name: this.#of(name), ...spanOf(name) }
    const callee: Expression = object
      ? { kind: 'member', object: this.expression(object), name: own.name, start: spanOf(object).start, end: own.end }
      : own
    return { kind: 'call', callee, args: this.#args(node.field('arguments') as SgNode), ...spanOf(node) }
  }

  #new(node: SgNode): Expression {
    const type = node.field('type') as SgNode
    const args = this.#field(node, 'arguments')
    const body = namedChildren(node).find(child => (child.kind() as string) === 'class_body')
    return {
      kind: 'new',
      type: this.#of(type),
      args: args ? this.#args(args) : [],
      ...(body && { body: this.#anonymous(body) }),
      ...spanOf(node),
    }
  }

  /** Its methods see the variables around it, and have no owner of their own. */
  #anonymous(body: SgNode): ClassForm {
    const form: ClassForm = { ...spanOf(body), name: '', bases: [], decorators: [], fields: [], methods: [] }
    for (const child of namedChildren(body)) {
      if ((child.kind() as string) === 'method_declaration') form.methods.push(this.#method(child, ''))
      else if ((child.kind() as string) === 'field_declaration') this.#fields(child, form)
    }
    return form
  }

  #array(node: SgNode): Expression {
    const span = spanOf(node)
    if ((node.kind() as string) === 'array_initializer') return { kind: 'list', items: this.#args(node), ...span }
    const value =
      this.#field(node, 'value') ?? namedChildren(node).find(child => (child.kind() as string) === 'array_initializer')
    if (value) return this.expression(value)
    const size = namedChildren(node).find(child => (child.kind() as string) === 'dimensions_expr')
    const count = size && namedChildren(size)[0] ? Number(this.#of(namedChildren(size)[0]!)) : Number.NaN
    // An array of a known small size has known places; of any other, elements are not told apart.
    const items =
      Number.isInteger(count) && count <= 32
        ? Array.from({ length: count }, () => ({ value: literal(span, null) }))
        : []
    return { kind: 'list', items, ...span }
  }

  #lambda(node: SgNode): FunctionForm {
    const span = spanOf(node)
    const parameters = node.field('parameters') as SgNode
    const body = node.field('body') as SgNode
    const isSingle = (parameters.kind() as string) === 'identifier'
    return {
      ...span,
      name: '',
      parameters: isSingle
        ? [{ ...spanOf(parameters), name: this.#of(parameters), decorators: [] }]
        : this.#parameters(parameters),
      decorators: [],
      isStatic: false,
      body: once(() => {
        if ((body.kind() as string) === 'block') return this.block(body)
        const value = this.expression(body)
        return [{ kind: 'return', value, start: value.start, end: value.end }]
      }),
    }
  }

  /** `this::run`, `Type::of`: a lambda that calls it with one argument. */
  #reference(node: SgNode): Expression {
    const span = spanOf(node)
    const parts = namedChildren(node)
    const object = parts[0]
    const name = parts.length > 1 ? this.#of(parts.at(-1)!) : 'new'
    if (!object || name === 'new') return { kind: 'unknown', parts: [], ...span }
    const argument: Expression = { kind: 'name', name: 'it', ...span }
    const value: Expression = {
      kind: 'call',
      callee: { kind: 'member', object: this.expression(object), name, ...span },
      args: [{ value: argument }],
      ...span,
    }
    const form: FunctionForm = {
      ...span,
      name: '',
      parameters: [{ ...span, name: 'it', decorators: [] }],
      decorators: [],
      isStatic: false,
      body: () => [{ kind: 'return', value, ...span }],
    }
    return { kind: 'function', function: form, ...span }
  }
}
