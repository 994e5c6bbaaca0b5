const BARS = [...'▁▂▃▄▅▆▇█']

/** A bar for each value between the least and the greatest; a gap where there is none. All are in the middle where they are equal. */
export function drawSparkline(values: readonly (number | null)[]): string {
  const known = values.filter(value => value !== null)
  const [least, most] = [Math.min(...known), Math.max(...known)]
  return values
    .map(value => {
      if (value === null) return ' '
      if (most === least) return BARS[3]
      return BARS[Math.round(((value - least) / (most - least)) * (BARS.length - 1))]
    })
    .join('')
}
