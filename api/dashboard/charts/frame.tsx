import { scaleLinear } from 'd3-scale'
import type { ComponentChildren } from 'preact'
import { nameEnd } from '../format.ts'
import { Grid } from './grid.tsx'
import { useWidth } from './width.ts'

const HEIGHT = 220
const LEFT = 46
const RIGHT = 10
const TOP = 10
const BOTTOM = 26

/** Where times and values lie in pixels. */
export interface Scales {
  x(time: number): number
  y(value: number): number
}

/** The axes of a chart over time, and what `children` draws between them. `label` says what the chart shows, and where it ends up. */
export function Frame({
  times,
  most,
  label,
  children,
}: {
  /** ISO times, oldest first; at least one. */
  times: readonly string[]
  /** The greatest value; the axis begins at 0. */
  most: number
  label: string
  children(scales: Scales): ComponentChildren
}) {
  const [box, width] = useWidth()
  const [first, last] = [times[0]!, times.at(-1)!]
  const x = scaleLinear([Date.parse(first), Date.parse(last)], [LEFT, width - RIGHT])
  const y = scaleLinear([0, Math.max(1, most)], [HEIGHT - BOTTOM, TOP]).nice(4)
  return (
    <div class="chart" ref={box}>
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
        <Grid y={y} from={LEFT} to={width - RIGHT} />
        {children({ x, y })}
        <text x={LEFT} y={HEIGHT - 6}>
          {nameEnd(first, last)}
        </text>
        {first !== last && (
          <text x={width - RIGHT} y={HEIGHT - 6} text-anchor="end">
            {nameEnd(last, first)}
          </text>
        )}
      </svg>
    </div>
  )
}
