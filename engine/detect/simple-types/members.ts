import type { SgNode } from '@ast-grep/napi'
import { findBindings } from './bindings.ts'
import type { Evaluation } from './evaluation.ts'
import { CONSTANT_NAME, NAME, SELF } from './kinds.ts'
import { getPart, kindOf, listParts, readName } from './nodes.ts'
import { findVisibleBindings, isOfType } from './scopes.ts'
import type { Verdict } from './types.ts'

/** What a member of an object holds. */
export function judgeMember(evaluation: Evaluation, node: SgNode, depth: number): Verdict {
  const parts = listParts(node)
  const object = getPart(node, 'object', 'expression', 'operand', 'value', 'scope', 'path') ?? parts[0]
  const last = getPart(node, 'field', 'property', 'name') ?? parts.at(-1)
  if (!object || !last) return 'unknown'
  const name = readName(last).split('.').at(-1)!
  const owner = readName(object)
  if (evaluation.language.members.includes(name)) return 'simple'
  const full = `${owner}.${name}`
  if (new RegExp(evaluation.language.results).test(full)) return 'simple'
  if (evaluation.declared.enumerations.has(owner.split('.').at(-1)!)) return 'simple'
  if (SELF.test(owner)) return judgeField(evaluation, node, name, depth)
  if (CONSTANT_NAME.test(name) && name.length > 1 && !isVariable(evaluation, object)) return 'simple'
  const field = judgeFieldOf(evaluation, object, name)
  if (field !== undefined) return field
  return evaluation.judge(object, depth + 1) === 'simple' ? 'simple' : 'unknown'
}

/** Whether a member is one of a parameter or a local value, whose members may be called anything: `request.GET` is no constant. */
function isVariable(evaluation: Evaluation, object: SgNode): boolean {
  const name = readName(object).split('.')[0]!
  if (!/^[a-z_]/.test(name)) return false
  return findVisibleBindings(object, name, evaluation).some(
    ({ value }) => value === undefined || !/^(?:await\s+)?(?:require|import)\b/.test(value.text()),
  )
}

/** A field of the object that the code belongs to. */
export function judgeField(evaluation: Evaluation, node: SgNode, name: string, depth: number): Verdict {
  for (let around = node.parent(); around; around = around.parent())
    if (
      /class|struct|interface|object|trait|enum|record|impl|module|extension/.test(kindOf(around)) &&
      !/object_pattern|object_creation|_body$/.test(kindOf(around))
    ) {
      const type =
        kindOf(around) === 'impl_item' ? evaluation.declared.types.get(getPart(around, 'type')?.text() ?? '') : around
      if (!type) return 'unknown'
      const names = [name, `$${name}`, `self.${name}`, `this.${name}`, `$this->${name}`, `@${name}`]
      const bindings = names
        .flatMap(each => findBindings(type, each, evaluation))
        .filter(each => isOfType(each.node, type))
      const own = bindings.filter(
        each => !each.isParameter || /class_parameter|promotion|parameter/.test(kindOf(each.node)),
      )
      return own.length === 0 ? 'unknown' : evaluation.judgeBindings(own, depth)
    }
  return 'unknown'
}

/** A field of a variable whose type the file declares. */
function judgeFieldOf(evaluation: Evaluation, object: SgNode, name: string): Verdict | undefined {
  const written = NAME.test(kindOf(object))
    ? findVisibleBindings(object, object.text(), evaluation).find(({ type }) => type !== undefined)?.type
    : undefined
  const type =
    written === undefined
      ? undefined
      : evaluation.declared.types.get(written.replace(/^[:&*?\s]+|mut\s+|[?!\s]+$/g, ''))
  if (!type) return undefined
  const found = ['', '$']
    .flatMap(sign => findBindings(type, sign + name, evaluation))
    .find(each => each.type !== undefined)
  return found && evaluation.judgeType(found.type!)
}
