import type { Pack } from './pack.ts'

/** A deadline is near this many days before it. */
export const SOON_DAYS = 90

const DAY_MS = 86_400_000

export const DEADLINE_STATES = ['past', 'soon', 'ahead'] as const
export type DeadlineState = (typeof DEADLINE_STATES)[number]

/** A deadline of a framework as it stands today. */
export interface DatedDeadline {
  pack_id: string
  /** The framework's name with its edition. */
  framework: string
  /** ISO date. */
  date: string
  title: string
  meaning: string
  source: string
  state: DeadlineState
  /** Whole days from today to the date; negative where it is past, 0 on the day. */
  days: number
  /** Whether the pack is on. */
  enabled: boolean
}

/** Every deadline of the packs against a day (ISO date, UTC), by date, then pack. */
export function listDeadlines(packs: readonly Pack[], enabled: ReadonlySet<string>, today: string): DatedDeadline[] {
  return packs
    .flatMap(({ id, framework, deadlines }) =>
      framework
        ? deadlines.map(({ date, title, meaning, source }): DatedDeadline => {
            const days = countDaysBetween(today, date)
            return {
              pack_id: id,
              framework: `${framework.name} ${framework.edition}`,
              date,
              title,
              meaning,
              source,
              state: days < 0 ? 'past' : days <= SOON_DAYS ? 'soon' : 'ahead',
              days,
              enabled: enabled.has(id),
            }
          })
        : [],
    )
    .sort((a, b) => compare(a.date, b.date) || compare(a.pack_id, b.pack_id))
}

/** Whole days from one ISO date to another; calendar days, so that no clock change counts. */
export function countDaysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
