import type { ClassForm, Decorator, Expression, FunctionForm, ModuleForm, Parameter, Statement } from '../ir.ts'
import { LoweredFile } from './lowered-file.ts'
import { EXPRESSIONS } from './lua-expressions.ts'
import { STATEMENTS } from './lua-statements.ts'
import { makeClass, makeExpression, makeFunction, makeParameter, Syntax, type SyntaxTable } from './syntax.ts'
import { type LanguageAdapter, memoize } from './tree.ts'

export const adapter: LanguageAdapter = {
  lower: root => new LuaFile().module(new Syntax(root)),
}

/** A file of Lua: what it requires, and its functions, those of a table as methods of a class of its name. */
export class LuaFile extends LoweredFile {
  protected readonly expressions: SyntaxTable<LuaFile, Expression> = EXPRESSIONS
  protected readonly statements: SyntaxTable<LuaFile, Statement[]> = STATEMENTS
  readonly #forms = new Map<number, FunctionForm>()

  module(root: Syntax): ModuleForm {
    const classes = new Map<string, ClassForm>()
    const functions: FunctionForm[] = []
    for (const node of root.findAll('function_declaration', 'function_definition')) {
      const form = this.function(node)
      if (form.owner === undefined) functions.push(form)
      else {
        const holder = classes.get(form.owner) ?? makeClass(node, form.owner)
        classes.set(form.owner, holder)
        holder.methods.push(form)
      }
    }
    return {
      imports: findRequired(root.text),
      classes: [...classes.values()],
      functions,
      body: memoize(() => this.block(root)),
    }
  }

  /** The same form each time, so that it is known to have been carried out. */
  function(node: Syntax): FunctionForm {
    const known = this.#forms.get(node.start)
    if (known) return known
    const name = node.field('name') ?? findAssigned(node)
    const owner = name && name.kind !== 'identifier' ? name.at('table').text : undefined
    const body = node.field('body')
    const form = makeFunction(node, {
      name: name ? (name.field('field') ?? name.field('method') ?? name).text : '',
      ...(owner !== undefined && { owner }),
      parameters: this.parameters(node.field('parameters')),
      decorators: findReceiver(node),
      isStatic: name?.kind === 'dot_index_expression',
      ...((node.kind === 'function_definition' || !isOutside(node)) && { isInner: true as const }),
      body: () => this.block(body),
    })
    this.#forms.set(node.start, form)
    return form
  }

  parameters(list: Syntax | undefined): Parameter[] {
    return (list?.parts ?? []).map(node =>
      node.kind === 'vararg_expression' ? makeParameter(node, 'arg', { rest: true }) : makeParameter(node, node.text),
    )
  }

  /** `and` and `or` choose one of their values; in a condition, nobody asks which. */
  override condition(node: Syntax): Expression {
    const value = this.expression(node)
    return value.kind === 'binary' && value.operator === 'either'
      ? makeExpression(node, { ...value, operator: 'or' })
      : value
  }
}

/** Whether a function stands in no other one. */
function isOutside(node: Syntax): boolean {
  for (let at = node.parent; at; at = at.parent) if (at.kind.startsWith('function_de')) return false
  return true
}

/** Local names of modules, wherever one is required: `local http = require "resty.http"`. */
function findRequired(text: string): Map<string, string> {
  const found = text.matchAll(/\blocal[ \t]+(\w+)[ \t]*=[ \t]*require[ \t]*\(?[ \t]*(["'])([\w./-]+)\2/g)
  return new Map(Array.from(found, ([, name, , module]) => [name!, module!]))
}

/** What an anonymous function is assigned to, or the name that it has in a table. */
function findAssigned(node: Syntax): Syntax | undefined {
  const list = node.parent
  if (list?.kind !== 'expression_list' || list.parts.length !== 1) return undefined
  const [name] = list.parent?.part('variable_list')?.parts ?? []
  return name && /^(?:identifier|dot_index_expression)$/.test(name.kind) ? name : undefined
}

/** The function that an anonymous one is handed to, by itself or in a table, as its decorator: `get` of `app:get("/", function(self) … end)`. */
function findReceiver(node: Syntax): Decorator[] {
  let at = node.parent
  if (at?.kind === 'field') at = at.parent?.parent
  const callee = at?.kind === 'arguments' ? at.parent?.field('name') : undefined
  return callee ? [{ name: (callee.field('method') ?? callee.field('field') ?? callee).text, args: [] }] : []
}
