import { formatCount } from '../base/text/words.ts'

/** An age in the largest unit that it has at least one of. */
export function formatAge(seconds: number): string {
  if (seconds >= 86_400) return formatCount(Math.floor(seconds / 86_400), 'day')
  if (seconds >= 3600) return formatCount(Math.floor(seconds / 3600), 'hour')
  if (seconds >= 60) return formatCount(Math.floor(seconds / 60), 'minute')
  return formatCount(seconds, 'second')
}
