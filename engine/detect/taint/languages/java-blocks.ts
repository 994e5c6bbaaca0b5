import type { Statement, Switch } from '../ir.ts'
import type { JavaFile } from './java.ts'
import type { Syntax } from './syntax.ts'

export function lowerSwitch(file: JavaFile, node: Syntax): Switch {
  const condition = node.field('condition')
  const groups = node.field('body')?.parts ?? []
  return {
    subject: condition && file.expression(condition),
    cases: groups.map(group => lowerCase(file, group)),
    fallsThrough: !groups.some(isRule),
  }
}

/** Whether a case is written with an arrow, so that no other follows it. */
function isRule(group: Syntax): boolean {
  return group.kind === 'switch_rule'
}

function lowerCase(file: JavaFile, group: Syntax): Switch['cases'][number] {
  const labels = group.parts.filter(({ kind }) => kind === 'switch_label')
  const rest = group.parts.filter(({ kind }) => kind !== 'switch_label')
  const tests = labels.flatMap(label => label.parts.map(test => file.expression(test)))
  const isDefault = labels.some(({ text }) => text.startsWith('default'))
  const [only] = rest
  if (isRule(group) && only?.kind === 'expression_statement') {
    const [value] = only.parts
    return { tests, isDefault, body: [], yields: value && file.expression(value) }
  }
  const body: Statement[] = rest.flatMap(part => file.body(part))
  // `yield` is lowered as a return; the last one of a block is the value of the case.
  const last = body.at(-1)
  if (isRule(group) && last?.kind === 'return' && last.value)
    return { tests, isDefault, body: body.slice(0, -1), yields: last.value }
  return { tests, isDefault, body }
}
