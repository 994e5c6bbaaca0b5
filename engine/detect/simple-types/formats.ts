import type { SgNode } from '@ast-grep/napi'
import { findBindings } from './bindings.ts'
import { findReceiver } from './callee.ts'
import type { Evaluation } from './evaluation.ts'
import { CONSTANT_NAME, STRING } from './kinds.ts'
import { judgeField } from './members.ts'
import { kindOf, listParts, startOf } from './nodes.ts'
import { findVisibleBindings } from './scopes.ts'
import { type Verdict, worst } from './types.ts'

/** A format and its arguments: of directives that only take numbers the argument does not count. */
export function judgeFormat(evaluation: Evaluation, format: SgNode, given: readonly SgNode[], depth: number): Verdict {
  const verdict = evaluation.judge(format, depth + 1)
  if (verdict !== 'simple') return verdict
  const directives = [
    ...format.text().matchAll(/%(?:%|\(?[\w$]*\)?[-+# 0]*[\d*]*(?:\.\d+)?(?:ll?|h|z)?([a-zA-Z]))/g),
  ].flatMap(([, each]) => each ?? [])
  const isPlain = directives.length === given.length && /%/.test(format.text())
  return worst(
    given.map((each, index) =>
      isPlain && /[bcdeEfFgGiotuxX]/.test(directives[index]!) ? 'simple' : evaluation.judge(each, depth + 1),
    ),
  )
}

/** A call that puts its arguments into the format that it is given first, or that it is called on. */
export function judgeFormatCall(
  evaluation: Evaluation,
  node: SgNode,
  name: string,
  given: readonly SgNode[],
  depth: number,
): Verdict {
  const object = findReceiver(node)
  if (/\.format(?:ted)?$/.test(name) && object && !/^(?:String|MessageFormat|fmt)$/.test(object.text()))
    return judgeFormat(evaluation, object, given, depth)
  const [first, ...rest] = given
  if (!first) return 'unknown'
  return STRING.test(kindOf(first))
    ? judgeFormat(evaluation, first, rest, depth)
    : worst(given.map(each => evaluation.judge(each, depth + 1)))
}

/** `format!("… {id} {}", x)`: a macro is given its arguments as they are written. */
export function judgeMacro(evaluation: Evaluation, node: SgNode, name: string, depth: number): Verdict {
  if (!/(?:^|\.)(?:format|concat|write)$/.test(name)) return 'unknown'
  const tokens = listParts(node).find(part => kindOf(part) === 'token_tree')
  const parts = tokens ? listParts(tokens) : []
  const format = parts.find(part => STRING.test(kindOf(part)))
  if (!tokens || !format) return 'unknown'
  const inline = [...format.text().matchAll(/(?<!\{)\{([a-z_]\w*)(?::[^{}]*)?\}/g)].map(([, each]) => each!)
  const written = tokens.text().slice(format.range().end.index - startOf(tokens), -1)
  const given = splitArguments(written)
    .map(each => each.replace(/^\w+\s*=\s*/, '').trim())
    .filter(each => each !== '')
  const assigned = new Set(splitArguments(written).flatMap(each => /^\s*(\w+)\s*=(?!=)/.exec(each)?.[1] ?? []))
  return worst(
    [...inline.filter(each => !assigned.has(each)), ...given].map(each => judgeWritten(evaluation, each, node, depth)),
  )
}

/** An expression of which only the text is known: a name, a field or a method of one. */
function judgeWritten(evaluation: Evaluation, written: string, near: SgNode, depth: number): Verdict {
  const text = written.replace(/^[&*\s]+/, '')
  const cast = /\bas\s+(\w+)$/.exec(text)
  if (cast) return evaluation.judgeType(cast[1]!)
  if (/^-?\d[\w.]*$|^(?:true|false)$/.test(text)) return 'simple'
  const call = /^([\w.:]+)\(.*\)$/s.exec(text)
  const name = (call?.[1] ?? text).replace(/::/g, '.')
  if (call && new RegExp(evaluation.language.results).test(name)) return 'simple'
  const [head, ...rest] = name.split('.')
  if (head === undefined || !/^[A-Za-z_]\w*$/.test(head)) return 'unknown'
  if (rest.length === 0 && CONSTANT_NAME.test(head) && head.length > 1) return 'simple'
  if (head === 'self') return rest.length === 1 && !call ? judgeField(evaluation, near, rest[0]!, depth) : 'unknown'
  const bindings = findVisibleBindings(near, head, evaluation)
  if (rest.length === 1 && !call) {
    const type = bindings.find(each => each.type !== undefined)?.type
    const declared =
      type === undefined ? undefined : evaluation.declared.types.get(type.replace(/^&\s*(?:mut\s+)?/, ''))
    const field = declared && findBindings(declared, rest[0]!, evaluation).find(each => each.type !== undefined)
    return field ? evaluation.judgeType(field.type!) : 'unknown'
  }
  return bindings.length === 0 ? 'unknown' : evaluation.judgeBindings(bindings, depth)
}

/** Arguments as they are written, without the comma before the first. */
function splitArguments(written: string): string[] {
  const out: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < written.length; at++) {
    const each = written[at]!
    if ('([{'.includes(each)) depth++
    else if (')]}'.includes(each)) depth--
    else if (each === ',' && depth === 0) {
      out.push(written.slice(from, at))
      from = at + 1
    }
  }
  out.push(written.slice(from))
  return out.filter(each => each.trim() !== '')
}
