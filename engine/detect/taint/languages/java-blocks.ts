import type { SgNode } from '@ast-grep/napi'
import type { Statement, Switch } from '../ir.ts'
import type { JavaFile } from './java.ts'
import { lowerBlock } from './lowering.ts'
import { listNamedChildren } from './tree.ts'

/** A statement that may or may not be a block. */
export function lowerBody(file: JavaFile, node: SgNode | undefined): Statement[] {
  if (!node) return []
  return (node.kind() as string) === 'block' ? lowerBlock(file, node) : file.statement(node)
}

export function lowerSwitch(file: JavaFile, node: SgNode): Switch {
  const condition = file.field(node, 'condition')
  const body = file.field(node, 'body')
  const cases: Switch['cases'] = []
  let fallsThrough = true
  for (const group of body ? listNamedChildren(body) : []) {
    const isRule = (group.kind() as string) === 'switch_rule'
    if (isRule) fallsThrough = false
    const parts = listNamedChildren(group)
    const labels = parts.filter(part => (part.kind() as string) === 'switch_label')
    const tests = labels.flatMap(label => listNamedChildren(label).map(test => file.expression(test)))
    const isDefault = labels.some(label => file.of(label).startsWith('default'))
    const rest = parts.filter(part => (part.kind() as string) !== 'switch_label')
    const [only] = rest
    if (isRule && only && (only.kind() as string) === 'expression_statement') {
      const [value] = listNamedChildren(only)
      cases.push({ tests, isDefault, body: [], ...(value && { yields: file.expression(value) }) })
      continue
    }
    const statements = rest.flatMap(part => lowerBody(file, part))
    // `yield` is lowered as a return; the last one of a block is the value of the case.
    const last = statements.at(-1)
    if (isRule && last?.kind === 'return' && last.value)
      cases.push({ tests, isDefault, body: statements.slice(0, -1), yields: last.value })
    else cases.push({ tests, isDefault, body: statements })
  }
  return { ...(condition && { subject: file.expression(condition) }), cases, fallsThrough }
}
