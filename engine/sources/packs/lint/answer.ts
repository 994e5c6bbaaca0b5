import type { View } from '../../../base/text/view.ts'
import type { Linted } from './lint.ts'
import { CHECKS, type Problem } from './problem.ts'

/** Problems as a person reads them: place, what is wrong, and what each kind means, once. */
export function formatLint({ pack_id, rules, controls, problems, accepted }: Linted, { paint, verbose }: View): string {
  const place = ({ file, line, column }: Problem) => (line === undefined ? file : `${file}:${line}:${column}`)
  const lines = problems.map(each => `${place(each)}  ${paint('yellow', each.check)}  ${each.message}`)
  const kinds = [...new Set(problems.map(({ check }) => check))].sort()
  const held = verbose
    ? accepted.map(each => paint('dim', `${place(each)}  ${each.check}  ${each.message} (accepted: ${each.reason})`))
    : []
  const looked = [`${rules} ${rules === 1 ? 'rule' : 'rules'}`, ...(controls > 0 ? [`${controls} controls`] : [])].join(
    ', ',
  )
  const sum =
    problems.length === 0 ? 'no problem' : `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`
  const excepted = accepted.length > 0 ? `, ${accepted.length} accepted${verbose ? '' : ' (-v shows them)'}` : ''
  return [
    ...lines,
    ...held,
    ...(kinds.length > 0 ? ['', ...kinds.map(kind => paint('dim', `${kind}: ${CHECKS[kind]}`)), ''] : []),
    `${pack_id}: ${looked}, ${sum}${excepted}.`,
  ].join('\n')
}
