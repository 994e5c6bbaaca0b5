import { count } from '../format.ts'

/** The lines of a chart's values, each with its figure. */
export function Grid({
  y,
  from,
  to,
}: {
  y: { (value: number): number; ticks(about: number): number[] }
  /** Where the lines begin and end in pixels. */
  from: number
  to: number
}) {
  return (
    <>
      {y.ticks(4).map(value => (
        <g key={value} class="grid">
          <line x1={from} x2={to} y1={y(value)} y2={y(value)} />
          <text x={from - 8} y={y(value) + 4} text-anchor="end">
            {count(value)}
          </text>
        </g>
      ))}
    </>
  )
}
