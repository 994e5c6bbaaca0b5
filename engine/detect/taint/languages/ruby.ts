import type { SgNode } from '@ast-grep/napi'
import type { ClassForm, FunctionForm, ModuleForm, Parameter, Statement } from '../ir.ts'
import { RubyExpressions } from './ruby-expressions.ts'
import { type LanguageAdapter, listNamedChildren, makeLiteral, memoize, toSpan } from './tree.ts'

export const adapter: LanguageAdapter = {
  lower: (root, text) => new RubyFile(text, root).module(root),
}

class RubyFile extends RubyExpressions {
  module(root: SgNode): ModuleForm {
    const classes = new Map<string, ClassForm>()
    const functions: FunctionForm[] = []
    const kinds = ['method', 'singleton_method', 'class', 'module', 'do_block']
    for (const found of root.findAll({ rule: { any: kinds.map(kind => ({ kind })) } } as never)) {
      const node = found as SgNode
      const kind = node.kind() as string
      if (kind === 'class' || kind === 'module') this.#class(node, classes)
      else if (kind === 'do_block') functions.push(this.closure(node))
      else {
        const owner = this.ownerOf(node)
        const form = this.#method(node, owner)
        const holder = owner === undefined ? undefined : classes.get(owner)
        if (holder) holder.methods.push(form)
        else functions.push(form)
      }
    }
    return { imports: new Map(), classes: [...classes.values()], functions, body: memoize(() => this.statements(root)) }
  }

  #class(node: SgNode, classes: Map<string, ClassForm>): void {
    const name = this.nameOf(node)
    const base = this.field(node, 'superclass')
    const bases = base ? [this.of(listNamedChildren(base)[0] ?? base).replaceAll('::', '.')] : []
    if (!classes.has(name)) classes.set(name, { ...toSpan(node), name, bases, decorators: [], fields: [], methods: [] })
  }

  #method(node: SgNode, owner: string | undefined): FunctionForm {
    const name = this.of(node.field('name') as SgNode)
    const body = this.field(node, 'body')
    return {
      ...toSpan(node),
      name: name === 'initialize' ? 'constructor' : name,
      ...(owner !== undefined && { owner }),
      parameters: this.parameters(this.field(node, 'parameters')),
      decorators: [],
      isStatic: node.kind() === 'singleton_method',
      body: memoize(() => (body ? this.bodyOf(body) : [])),
    }
  }

  protected parameters(list: SgNode | undefined): Parameter[] {
    return (list ? listNamedChildren(list) : []).flatMap((node): Parameter[] => {
      const kind = node.kind() as string
      if (kind === 'block_parameter' || kind === 'hash_splat_parameter') return []
      const name = this.field(node, 'name') ?? node
      const value = this.field(node, 'value')
      return [
        {
          ...toSpan(node),
          name: this.of(name).replace(/^\*+/, ''),
          decorators: [],
          ...(value && { default: this.expression(value) }),
          ...(kind === 'splat_parameter' && { rest: true }),
        },
      ]
    })
  }

  /** A body is worth its last expression. */
  protected bodyOf(node: SgNode): Statement[] {
    if (node.kind() !== 'body_statement' && node.kind() !== 'block_body') return returned(this.statement(node))
    return returned(this.statements(node))
  }

  /** Statements in order; with `rescue` and `ensure` among them, what stands before is tried. */
  protected statements(node: SgNode): Statement[] {
    const span = toSpan(node)
    const out: Statement[] = []
    const handlers: (Statement & { kind: 'try' })['handlers'] = []
    let last: Statement[] = []
    let isTried = false
    for (const child of listNamedChildren(node)) {
      const kind = child.kind() as string
      if (kind === 'rescue') {
        isTried = true
        const variable = this.field(child, 'variable')
        const body = this.field(child, 'body')
        handlers.push({
          ...(variable && { name: this.of(listNamedChildren(variable)[0] ?? variable) }),
          body: body ? this.statements(body) : [],
        })
      } else if (kind === 'ensure') {
        isTried = true
        last = this.statements(child)
      } else if (kind === 'else') out.push(...this.statements(child))
      else out.push(...this.statement(child))
    }
    return isTried ? [{ kind: 'try', body: out, handlers, finally: last, ...span }] : out
  }

  protected statement(node: SgNode): Statement[] {
    const span = toSpan(node)
    const kind = node.kind() as string
    const parts = listNamedChildren(node)
    switch (kind) {
      case 'then':
      case 'do':
      case 'else':
      case 'begin':
      case 'parenthesized_statements':
      case 'body_statement':
        return this.statements(node)
      case 'if':
      case 'elsif':
      case 'unless': {
        const yes = this.#part(this.field(node, 'consequence'))
        const no = this.#part(this.field(node, 'alternative'))
        const test = this.expression(node.field('condition') as SgNode)
        const isIf = kind !== 'unless'
        return [{ kind: 'if', test, yes: isIf ? yes : no, no: isIf ? no : yes, ...span }]
      }
      case 'if_modifier':
      case 'unless_modifier': {
        const body = this.#part(this.field(node, 'body'))
        const test = this.expression(node.field('condition') as SgNode)
        return [
          {
            kind: 'if',
            test,
            yes: kind === 'if_modifier' ? body : [],
            no: kind === 'if_modifier' ? [] : body,
            ...span,
          },
        ]
      }
      case 'while':
      case 'until':
      case 'while_modifier':
      case 'until_modifier': {
        const test = this.expression(node.field('condition') as SgNode)
        return [
          {
            kind: 'while',
            init: [],
            test: kind.startsWith('while') ? test : { kind: 'unary', operator: 'not', value: test, ...span },
            step: [],
            body: this.#part(this.field(node, 'body')),
            atLeastOnce: false,
            ...span,
          },
        ]
      }
      case 'for': {
        const source = node.field('value') as SgNode
        return [
          {
            kind: 'each',
            target: this.expression(node.field('pattern') as SgNode),
            source: this.expression(listNamedChildren(source)[0] ?? source),
            body: this.#part(this.field(node, 'body')),
            ...span,
          },
        ]
      }
      case 'case':
        return [{ kind: 'switch', switch: this.choice(node), ...span }]
      case 'return': {
        const value = parts[0] && (listNamedChildren(parts[0])[0] ?? parts[0])
        return [{ kind: 'return', ...(value && { value: this.expression(value) }), ...span }]
      }
      case 'break':
        return [{ kind: 'break', ...span }]
      case 'next':
      case 'redo':
        return [{ kind: 'continue', ...span }]
      case 'binary': {
        // `redirect_to … and return`
        const operator = this.of(node.field('operator') as SgNode)
        const right = node.field('right') as SgNode
        if (operator === 'and' && right.kind() === 'return')
          return [...this.statement(node.field('left') as SgNode), ...this.statement(right)]
        return [{ kind: 'expression', value: this.expression(node), ...span }]
      }
      case 'method':
      case 'singleton_method':
      case 'heredoc_body':
      case 'empty_statement':
      case 'undef':
      case 'alias':
        return []
      case 'class':
      case 'module': {
        const body = this.field(node, 'body')
        return body ? this.statements(body) : []
      }
      default:
        return [{ kind: 'expression', value: this.expression(node), ...span }]
    }
  }

  #part(node: SgNode | undefined): Statement[] {
    return node ? this.statement(node) : []
  }
}

/** The statements with what the last one is worth returned. */
function returned(statements: Statement[]): Statement[] {
  const last = statements.at(-1)
  if (!last) return []
  const before = statements.slice(0, -1)
  const { start, end } = last
  switch (last.kind) {
    case 'expression':
      return [...before, { kind: 'return', value: last.value, start, end }]
    case 'if':
      return [...before, { ...last, yes: returned(last.yes), no: returned(last.no) }]
    case 'try':
      return [
        ...before,
        {
          ...last,
          body: returned(last.body),
          handlers: last.handlers.map(handler => ({ ...handler, body: returned(handler.body) })),
        },
      ]
    case 'switch': {
      const cases = last.switch.cases.map(({ yields, ...each }) => ({
        ...each,
        body: [
          ...each.body,
          { kind: 'return' as const, value: yields ?? makeLiteral({ start, end }, null), start, end },
        ],
      }))
      return [...before, { ...last, switch: { ...last.switch, cases } }]
    }
    default:
      return statements
  }
}
