export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

const whole = new Intl.NumberFormat('en')
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const clock = new Intl.DateTimeFormat('en', { timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** 12345 → 12,345. */
export function count(number: number): string {
  return whole.format(number)
}

/** `1 file`, `2 files`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`
}

/** Date and time of an ISO 8601 text. */
export function when(iso: string): string {
  return moment.format(new Date(iso))
}

/** The end of a chart over time: its day, or the time of day where the other end is of the same day. */
export function nameEnd(at: string, other: string): string {
  const [one, two] = [new Date(at), new Date(other)]
  return date.format(one) === date.format(two) ? clock.format(one) : date.format(one)
}

/** `5 minutes ago`. */
export function ago(iso: string): string {
  const seconds = (Date.parse(iso) - Date.now()) / 1000
  for (const [unit, size] of [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const) {
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit)
  }
  return 'just now'
}

/** `840 ms`, `3.4 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/** `1.2 MB`, in powers of 1000. */
export function bytes(number: number): string {
  if (number < 1000) return `${number} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = number / 1000
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`
}

/** Ratings, best first, with what they say. */
export const RATINGS: Record<string, string> = {
  A: 'nothing above info',
  'A?': 'nothing above info, not all evaluated',
  B: 'worst finding: low',
  C: 'worst finding: medium',
  D: 'worst finding: high',
  E: 'worst finding: critical',
}

const RATED: Record<string, string> = {
  A: 'good',
  'A?': 'soft',
  B: 'rated low',
  C: 'rated medium',
  D: 'rated high',
  E: 'rated critical',
}

/** The classes that give a rating its color. */
export function rated(rating: string | undefined): string {
  return RATED[rating ?? ''] ?? 'soft'
}

const POSTURE: Record<string, string> = {
  compliance: 'rules without findings',
  vulnerability: 'severity of open findings',
}

/** What a component of the posture score measures: its name alone would promise more than it knows. */
export function nameComponent(name: string): string {
  return POSTURE[name] ?? words(name)
}

/** `not_evaluated` → `not evaluated`. */
export function words(name: string): string {
  return name.replaceAll('_', ' ')
}

/** `2026-11-27` of an ISO 8601 text. */
export function day(iso: string): string {
  return iso.slice(0, 10)
}

/** `84.2 %`; a dash where there is no figure. */
export function percent(value: number | null | undefined, digits = 0): string {
  return value === null || value === undefined ? '–' : `${value.toFixed(digits)} %`
}
