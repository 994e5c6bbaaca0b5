import type { SgNode } from '@ast-grep/napi'
import { findReceiver, readArguments, readCallee } from './callee.ts'
import type { Evaluation } from './evaluation.ts'
import { judgeFormatCall, judgeMacro } from './formats.ts'
import { CALL, SELF } from './kinds.ts'
import { getPart, holds, kindOf, listParts, readName } from './nodes.ts'
import { type Verdict, worst } from './types.ts'

/** What a call returns: by its name, by the type that the file declares for it, or by what it is given. */
export function judgeCall(evaluation: Evaluation, node: SgNode, kind: string, depth: number): Verdict {
  const { name, isNew, typeArguments } = readCallee(node, kind)
  const language = evaluation.language
  const given = readArguments(node)
  const values = () => worst(given.map(each => evaluation.judge(each, depth + 1)))
  if (kind === 'macro_invocation') return judgeMacro(evaluation, node, name, depth)
  if (language.formats !== undefined && new RegExp(language.formats).test(name))
    return judgeFormatCall(evaluation, node, name, given, depth)
  if (language.conversions !== undefined && new RegExp(language.conversions).test(name))
    return given.length === 0 ? 'unknown' : values()
  const full = isNew ? `new ${name}` : name
  const last = name.split(/[.\\]/).at(-1)!
  if (new RegExp(language.results).test(full) || new RegExp(language.results).test(name)) return 'simple'
  if (language.types.includes(last) && /^[A-Z]|^u?int|^float|^bool/.test(last)) return 'simple'
  if (language.members.includes(last) && given.length === 0) return 'simple'
  if (
    typeArguments !== undefined &&
    evaluation.judgeType(typeArguments) === 'simple' &&
    /parse|valueOf|convert|cast|get|from|as/i.test(last)
  )
    return 'simple'
  const owner = name.includes('.') ? name.split('.').at(-2)! : last
  if (evaluation.declared.enumerations.has(owner)) return 'simple'
  const object = findReceiver(node)
  if (!object || SELF.test(readName(object))) {
    const result = evaluation.declared.results.get(last)
    if (result !== undefined && !isNew) return evaluation.judgeType(result)
    return 'unknown'
  }
  if (/^(?:each|map|forEach|times)$/.test(last) && given.length === 0) return evaluation.judge(object, depth + 1)
  return worst([evaluation.judge(object, depth + 1), values()])
}

/** What a function that is handed to a method of a simple value is given: `3.times { |i| … }`, `ids.forEach(id => …)`. */
export function judgeHanded(evaluation: Evaluation, parameter: SgNode, depth: number): Verdict {
  let inner = parameter
  for (let around = parameter.parent(); around; around = around.parent()) {
    const kind = kindOf(around)
    if (CALL.test(kind) && !holds(getPart(around, 'function', 'receiver', 'object') ?? parameter, inner)) {
      const name =
        getPart(around, 'method', 'name')?.text() ??
        readName(getPart(around, 'function') ?? listParts(around)[0]!)
          .split('.')
          .at(-1)!
      const object = findReceiver(around)
      if (/^(?:each_with_index|eachWithIndex|each_with_object)$/.test(name) && isSecond(parameter)) return 'simple'
      if (/^(?:forEachIndexed|mapIndexed)$/.test(name) && !isSecond(parameter)) return 'simple'
      if (/^(?:times|upto|downto|step)$/.test(name)) return 'simple'
      return object ? evaluation.judge(object, depth + 1) : 'unknown'
    }
    if (/^(?:method|function|class)/.test(kind) && !/lambda|arrow|literal|function_expression/.test(kind))
      return 'unknown'
    inner = around
  }
  return 'unknown'
}

function isSecond(parameter: SgNode): boolean {
  const parent = parameter.parent()
  return parent
    ? listParts(parent).findIndex(part => part.id() === parameter.id() || holds(part, parameter)) === 1
    : false
}
