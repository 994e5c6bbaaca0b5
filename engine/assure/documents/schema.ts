import { type } from 'arktype'
import type { View } from '../../base/text/view.ts'
import type { AssessedFramework } from '../controls/assessment.ts'
import type { AvailableFramework } from '../controls/list.ts'
import { describeCoverage } from './wording.ts'

/** Schemas of assessments for operations; the promise of each field stands at its interface. */
export const StateCountsType = type({
  violated: 'number.integer',
  met: 'number.integer',
  manual: 'number.integer',
  not_applicable: 'number.integer',
  not_evaluated: 'number.integer',
})

/** What a framework came to in one run. */
export const FrameworkPointType = type({
  run_id: 'string',
  started_at: 'string',
  framework: 'string',
  name: 'string',
  pack_version: 'string',
  counts: StateCountsType,
  'coverage?': 'number',
})

export const AvailableFrameworkType = type({
  id: 'string',
  name: 'string',
  pack_id: 'string',
  controls: 'number.integer',
  enabled: 'boolean',
  evaluated: type('boolean').describe('true if the latest run evaluated it'),
})

export const FrameworkFiguresType = type({
  id: 'string',
  name: 'string',
  counts: StateCountsType,
  'coverage?': type('number').describe('met / (met + violated) in percent'),
  complete: type('boolean').describe('true if every control is met or not applicable'),
})

/** The figures of a framework without its controls. */
export function toFigures(framework: AssessedFramework): typeof FrameworkFiguresType.infer {
  const { id, name, counts, coverage, complete } = framework
  return { id, name, counts, ...(coverage !== undefined && { coverage }), complete }
}

/** The figures of frameworks, a line each. */
export function formatFigures(frameworks: readonly (typeof FrameworkFiguresType.infer)[]): string[] {
  return frameworks.map(framework => `  ${framework.name}: ${describeCoverage(framework)}`)
}

/** The frameworks that there are, a line each, those of the latest run first. */
export function formatAvailable(frameworks: readonly AvailableFramework[], { paint }: View): string {
  const width = Math.max(...frameworks.map(({ id }) => id.length))
  const rank = ({ evaluated, enabled }: AvailableFramework) => (evaluated ? 0 : enabled ? 1 : 2)
  const state = ({ evaluated, enabled }: AvailableFramework) =>
    evaluated ? paint('green', 'evaluated') : enabled ? paint('yellow', 'enabled  ') : paint('dim', 'off      ')
  return [...frameworks]
    .sort((a, b) => rank(a) - rank(b))
    .map(each => `${each.id.padEnd(width)}  ${state(each)}  ${each.name}`)
    .join('\n')
}
