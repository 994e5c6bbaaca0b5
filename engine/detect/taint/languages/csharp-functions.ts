import type { SgNode } from '@ast-grep/napi'
import type { FunctionForm, Parameter, Statement } from '../ir.ts'
import { Lowering } from './lowering.ts'
import { listNamedChildren, memoize, toSpan } from './tree.ts'

/** Lambdas and functions within functions of C#. */
export abstract class CsharpFunctions extends Lowering {
  readonly #functions = new Map<number, FunctionForm>()

  protected abstract bodyOf(node: SgNode): Statement[]
  protected abstract parameters(list: SgNode | undefined): Parameter[]

  /** The same form each time, so that it is known to have been carried out. */
  protected lambda(node: SgNode): FunctionForm {
    const span = toSpan(node)
    const known = this.#functions.get(span.start)
    if (known) return known
    const parts = listNamedChildren(node)
    const list = this.field(node, 'parameters') ?? parts[0]
    const body = this.field(node, 'body') ?? parts.at(-1)
    const call = node.parent()?.parent()?.parent()
    const isEndpoint =
      call?.kind() === 'invocation_expression' &&
      /\.Map(?:Get|Post|Put|Delete|Patch|Methods)\s*$/.test(this.of(listNamedChildren(call)[0]!))
    const form: FunctionForm = {
      ...span,
      name: '',
      parameters:
        list && list.kind() !== 'parameter_list'
          ? [{ ...toSpan(list), name: this.of(list), decorators: [] }]
          : this.parameters(list),
      decorators: isEndpoint ? [{ name: 'action', args: [] }] : [],
      isStatic: false,
      isInner: true,
      body: memoize(() => (body ? this.bodyOf(body) : [])),
    }
    this.#functions.set(span.start, form)
    return form
  }

  protected localFunction(node: SgNode): FunctionForm {
    const body =
      this.field(node, 'body') ?? listNamedChildren(node).find(child => child.kind() === 'arrow_expression_clause')
    return {
      ...toSpan(node),
      name: this.of(node.field('name') as SgNode),
      parameters: this.parameters(this.field(node, 'parameters')),
      decorators: [],
      isStatic: false,
      body: memoize(() => (body ? this.bodyOf(body) : [])),
    }
  }
}
