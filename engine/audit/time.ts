import { EngineError } from '../base/errors.ts'

/** A date or time of `since` as entries have theirs, in UTC, so that texts sort as times do; INPUT_INVALID for neither. */
export function parseTime(text: string): string {
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new EngineError('INPUT_INVALID', `since is ${JSON.stringify(text)}, which is not a date.`, {
      hint: 'Write it as 2025-01-31 or 2025-01-31T14:00:00Z.',
    })
  return new Date(at).toISOString()
}
