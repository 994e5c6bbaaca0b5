import type { SgNode } from '@ast-grep/napi'
import type { Location } from '../rules/detector.ts'
import { getBranch } from './branch.ts'
import { findSimpleTypes } from './languages.ts'
import { kindOf, listParts } from './nodes.ts'
import type { Verdict } from './types.ts'
import { Values } from './values.ts'

const INTERPOLATED = /^(?:interpolat|template_substitution)/
const STRING = /string|template|heredoc/
const JOINING = /^(?:binary_expression|binary_operator|binary|infix_expression|additive_expression)$/
const ASSIGNED = /^(?:identifier|simple_identifier|variable_name|instance_variable)$/

/** How sure a finding is whose text is built of parts of which one can hold text, and where that is not known. */
const HOLDS_TEXT = 0.8
const NOT_KNOWN = 0.5

/** How sure a match is by the types of what its text is built of; undefined where nothing can break out of it. */
export function weighBuiltText({ language, start, end, getRoot }: Location): number | undefined {
  if (!findSimpleTypes(language)) return NOT_KNOWN
  const root = getRoot()
  const verdict = root ? judgeBuiltText(language, root, start, end) : 'unknown'
  return verdict === 'simple' ? undefined : verdict === 'text' ? HOLDS_TEXT : NOT_KNOWN
}

/**
 * What the text that is built at a match is made of: `simple` where every part of it is a fixed text or of a simple type, so that nothing can
 * break out of it. `unknown` too where nothing is built there.
 */
export function judgeBuiltText(language: string, root: SgNode, start: number, end: number): Verdict {
  const types = findSimpleTypes(language)
  if (!types) return 'unknown'
  const node = findNode(root, start, end)
  const values = new Values(language, types, root)
  const verdicts: Verdict[] = []
  const visit = (each: SgNode, depth: number): void => {
    if (isBuilding(each, types.formats)) {
      verdicts.push(values.judge(each))
      return
    }
    if (depth > 12) return
    const isHanded = /argument|call_suffix/.test(kindOf(each))
    for (const part of listParts(each)) {
      if (isHanded && ASSIGNED.test(kindOf(part)) && isBuiltBefore(part, values)) verdicts.push(values.judge(part))
      else visit(part, depth + 1)
    }
  }
  visit(node, 0)
  if (verdicts.length === 0) return 'unknown'
  return verdicts.includes('text') ? 'text' : verdicts.includes('unknown') ? 'unknown' : 'simple'
}

/** The smallest node that holds the match, or the call that it begins. */
function findNode(root: SgNode, start: number, end: number): SgNode {
  let branch = getBranch(root)
  for (;;) {
    const inner = branch.findAround(start, end)
    if (!inner) return branch.node
    branch = inner
  }
}

/** Whether text is put together here: a string with something in it, a sum with a string, a format with arguments. */
function isBuilding(node: SgNode, formats: string | undefined): boolean {
  const kind = kindOf(node)
  if (STRING.test(kind) && !/content|fragment|_type/.test(kind)) return hasParts(node)
  if (JOINING.test(kind)) return /^(?:[^'"`]*)["'`]/s.test(node.text()) && isJoined(node)
  if (kind === 'macro_invocation') return /^\w*format!/.test(node.text())
  if (!/^(?:method_invocation|call_expression|call|invocation_expression|function_call_expression)$/.test(kind))
    return false
  const head = node.text().split('(')[0]!.replace(/\s+/g, '').replace(/::|->/g, '.')
  if (formats !== undefined && new RegExp(formats).test(head.replace(/^["'].*["']\./s, '.'))) return true
  return /^["'](?:[^"'\\]|\\.)*["']\.(?:format|formatted|concat)$/s.test(head)
}

function hasParts(node: SgNode): boolean {
  return listParts(node).some(part => {
    const kind = kindOf(part)
    if (INTERPOLATED.test(kind) && !/_(?:start|quote|brace)$/.test(kind)) return true
    if (
      /^(?:variable_name|member_access_expression|subscript_expression|member_call_expression|dynamic_variable_name)$/.test(
        kind,
      )
    )
      return true
    return STRING.test(kind) && !/content|fragment/.test(kind) && hasParts(part)
  })
}

/** Whether one of the operands of a sum is a string. */
function isJoined(node: SgNode): boolean {
  return listParts(node).some(part => {
    const kind = kindOf(part)
    return JOINING.test(kind) ? isJoined(part) : STRING.test(kind)
  })
}

/** Whether a variable took a text that was put together. */
function isBuiltBefore(name: SgNode, values: Values): boolean {
  return values
    .listValues(name)
    .some(
      value =>
        isBuilding(value, undefined) ||
        /format|Format|printf|concat/.test(value.text().split('(')[0]!) ||
        STRING.test(kindOf(value)),
    )
}
