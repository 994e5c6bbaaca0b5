import type { SgNode } from '@ast-grep/napi'
import type { Expression, FunctionForm, ModuleForm, Parameter, Statement } from '../ir.ts'
import { EXPRESSIONS, getScalar, stripQualifiers } from './c-expressions.ts'
import { lowerDeclaration, nameOf, STATEMENTS } from './c-statements.ts'
import { LoweredFile } from './lowered-file.ts'
import { makeDeclaration, makeInnerFunction, makeLiteralAt, Syntax, type SyntaxTable } from './syntax.ts'
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

/** A file of C or C++: its functions. */
export class CFile extends LoweredFile {
  protected readonly expressions: SyntaxTable<CFile, Expression> = EXPRESSIONS
  protected readonly statements: SyntaxTable<CFile, Statement[]> = STATEMENTS
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
      return lowerDeclaration(this, part)
    })
  }

  /** A macro that is a text. */
  #macro(node: Syntax): Statement[] {
    const text = node.field('value')?.text.trim() ?? ''
    if (!/^"(?:[^"\\\n]|\\.)*"$/.test(text)) return []
    return [makeDeclaration(node, node.at('name').text, undefined, makeLiteralAt(node, text.slice(1, -1)))]
  }

  function(node: Syntax): FunctionForm {
    const known = this.#forms.get(node.start)
    if (known) return known
    const declarator = functionDeclarator(node.field('declarator'))
    const name =
      declarator && node.kind !== 'lambda_expression' ? stripQualifiers(declarator.field('declarator')?.text ?? '') : ''
    const body = node.field('body')
    const form = makeInnerFunction(
      node,
      name,
      () => (declarator?.field('parameters')?.parts ?? []).flatMap(part => parameter(part)),
      () => this.body(body),
    )
    this.#forms.set(node.start, form)
    return form
  }
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
