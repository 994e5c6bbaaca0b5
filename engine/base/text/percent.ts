/**
 * A part of a whole, from 0 to 1, rounded to a number of decimals; undefined of nothing. 1 is only all and 0 is only none, however near the
 * part comes: of 2,000 parts 1,999 are 0.999 and not 1.
 */
export function computeShare(part: number, whole: number, decimals: number): number | undefined {
  const steps = 10 ** decimals
  const rounded = countSteps(part, whole, steps)
  return rounded === undefined ? undefined : rounded / steps
}

/** The same in percent, from 0 to 100, with one decimal unless said otherwise. */
export function computePercent(part: number, whole: number, decimals = 1): number | undefined {
  const rounded = countSteps(part, whole, 100 * 10 ** decimals)
  return rounded === undefined ? undefined : rounded / 10 ** decimals
}

function countSteps(part: number, whole: number, steps: number): number | undefined {
  if (whole <= 0) return undefined
  if (part <= 0) return 0
  if (part >= whole) return steps
  return Math.min(steps - 1, Math.max(1, Math.round((part / whole) * steps)))
}
