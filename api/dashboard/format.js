export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info']

const whole = new Intl.NumberFormat('en')
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** 12345 → 12,345. */
export function count(number) {
  return whole.format(number)
}

/** `1 file`, `2 files`. */
export function counted(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`
}

/** Date and time of an ISO 8601 text. */
export function when(iso) {
  return moment.format(new Date(iso))
}

/** `5 minutes ago`. */
export function ago(iso) {
  const seconds = (new Date(iso) - Date.now()) / 1000
  for (const [unit, size] of [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ]) {
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit)
  }
  return 'just now'
}

/** `840 ms`, `3.4 s`, `2 min 5 s`. */
export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/** `1.2 MB`, in powers of 1000. */
export function bytes(number) {
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
export const RATINGS = {
  A: 'nothing above info',
  'A?': 'nothing above info, not all evaluated',
  B: 'worst finding: low',
  C: 'worst finding: medium',
  D: 'worst finding: high',
  E: 'worst finding: critical',
}

const RATED = { A: 'good', 'A?': 'soft', B: 'rated low', C: 'rated medium', D: 'rated high', E: 'rated critical' }

/** The classes that give a rating its color. */
export function rated(rating) {
  return RATED[rating] ?? 'soft'
}

/** `not_evaluated` → `not evaluated`. */
export function words(name) {
  return name.replaceAll('_', ' ')
}
