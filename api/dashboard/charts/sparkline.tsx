import { line } from 'd3-shape'
import type { Value } from './line.tsx'

const WIDTH = 120
const HEIGHT = 28

/** A small line of values from 0 to 100; what was not measured leaves a gap. `label` says it in words. */
export function Sparkline({ values, label }: { values: readonly Value[]; label: string }) {
  const x = (at: number) => (values.length < 2 ? WIDTH / 2 : 3 + (at * (WIDTH - 6)) / (values.length - 1))
  const y = (value: number) => HEIGHT - 3 - (value / 100) * (HEIGHT - 6)
  const draw = line<Value>()
    .defined(({ value }) => value !== null)
    .x((_, at) => x(at))
    .y(({ value }) => y(value!))
  const last = values.findLastIndex(({ value }) => value !== null)
  return (
    <svg
      class="sparkline"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
    >
      <line x1={0} x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} />
      <path class="stroke" d={draw(values as Value[]) ?? ''} />
      {last >= 0 && <circle class="point" cx={x(last)} cy={y(values[last]!.value!)} r={2.5} />}
    </svg>
  )
}
