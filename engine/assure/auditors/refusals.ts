/** How long refusals of the same token count as one series. */
const SERIES_MS = 3_600_000
/** Series that are counted; the oldest is forgotten first. */
const MOST_SERIES = 1000

interface Series {
  began: number
  attempts: number
}

const series = new Map<string, Series>()

/**
 * Counts a refused access of this process, and returns the number of its series where that one is to be logged: the 1st, 10th, 100th … of an
 * hour. Undefined for all others, so that an attacker who knows a token's public prefix adds a few entries an hour to the log and no more.
 */
export function countRefusal(key: string, now: number): number | undefined {
  let own = series.get(key)
  if (!own || now - own.began >= SERIES_MS || now < own.began) {
    series.delete(key)
    own = { began: now, attempts: 0 }
    series.set(key, own)
    if (series.size > MOST_SERIES) series.delete(series.keys().next().value!)
  }
  own.attempts++
  return Number.isInteger(Math.log10(own.attempts)) ? own.attempts : undefined
}
