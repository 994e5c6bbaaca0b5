import { type } from 'arktype'
import type { Style } from '../../base/text/view.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { type DatedDeadline, type DeadlineState, listDeadlines } from '../../sources/packs/deadlines.ts'
import { DatedDeadlineType } from '../../sources/packs/deadlines-schema.ts'
import { loadPacks } from '../../sources/packs/load.ts'

const STYLE: Record<DeadlineState, Style> = { past: 'dim', soon: 'yellow', ahead: 'green' }

/** The days on which frameworks begin to bind or change, with where each stands. */
export default defineOperation({
  id: 'packs.deadlines',
  summary: 'Show the deadlines of frameworks, with days left and source.',
  effect: 'read',

  cli: 'deadlines',
  rest: null,
  mcp: null,
  examples: [
    ['svc deadlines', 'list upcoming deadlines of the enabled frameworks'],
    ['svc deadlines --all --past', 'list all known deadlines'],
  ],

  input: type({
    all: type('boolean').describe('true or false: include frameworks that are not enabled').default(false),
    past: type('boolean').describe('true or false: include past deadlines').default(false),
    '+': 'reject',
  }),
  output: type({
    today: type('string').describe('the ISO date to count days from, in UTC'),
    deadlines: DatedDeadlineType.array(),
    total: 'number.integer',
    left_out: type({ past: 'number.integer', not_enabled: 'number.integer' }).describe(
      'the number of deadlines not listed, and why',
    ),
  }),

  async run({ all, past }, { cwd, env }) {
    const config = await loadConfig(cwd, { env })
    const enabled = new Set(config.packs.enable.filter(id => !config.packs.disable.includes(id)))
    const today = new Date().toISOString().slice(0, 10)
    const every = listDeadlines(await loadPacks(config.root), enabled, today)
    const chosen = every.filter(each => all || each.enabled)
    const deadlines = chosen.filter(({ state }) => past || state !== 'past')
    return {
      today,
      deadlines,
      total: deadlines.length,
      left_out: { past: chosen.length - deadlines.length, not_enabled: every.length - chosen.length },
    }
  },

  text({ deadlines, left_out }, { paint, verbose }) {
    const lines = deadlines.flatMap(each => [
      `${each.date}  ${paint(STYLE[each.state], countdown(each).padEnd(13))}  ${each.framework}: ${each.title}`,
      ...(verbose ? [`            ${each.meaning}`, `            ${paint('dim', each.source)}`] : []),
    ])
    const more = [
      ...(left_out.past > 0 ? [`${left_out.past} past (--past)`] : []),
      ...(left_out.not_enabled > 0 ? [`${left_out.not_enabled} of frameworks that are not on (--all)`] : []),
    ]
    const rest = more.length > 0 ? `Not listed: ${more.join(', ')}.` : ''
    const none = deadlines.length === 0 ? 'No coming deadlines for the active frameworks.' : ''
    const caution =
      deadlines.length > 0 ? 'Dates are those of the sources named (-v); law changes, so compare them.' : ''
    return [...lines, none, rest, caution].filter(Boolean).join('\n')
  },
})

function countdown({ days }: Pick<DatedDeadline, 'days'>): string {
  if (days === 0) return 'today'
  const count = Math.abs(days)
  const unit = count === 1 ? 'day' : 'days'
  return days < 0 ? `${count} ${unit} ago` : `in ${count} ${unit}`
}
