import { area, stack } from 'd3-shape'
import { count, SEVERITIES, type Severity } from '../format.ts'
import { Frame } from './frame.tsx'

/** How many findings there were of each severity at a time. */
export type Counts = { at: string } & Record<Severity, number>

/** From the foot: the worst, whose edge is then straight to be read. */
const shapes = stack<unknown, Counts, Severity>().keys(SEVERITIES)

/** Findings by severity over time, stacked, the worst at the foot. With one time, a column. */
export function SeverityAreas({ points }: { points: readonly Counts[] }) {
  const layers = shapes(points as Counts[])
  const most = Math.max(0, ...points.map(totalOf))
  return (
    <Frame times={points.map(({ at }) => at)} most={most} label={describe(points)}>
      {({ x, y }) =>
        layers.map(layer => {
          const draw = area<(typeof layer)[number]>()
            .x(({ data }) => x(Date.parse(data.at)))
            .y0(([foot]) => y(foot))
            .y1(([, top]) => y(top))
          const [only] = layer
          return points.length === 1 ? (
            <rect
              key={layer.key}
              class={`fill ${layer.key}`}
              x={x(Date.parse(points[0]!.at)) - 14}
              width={28}
              y={y(only![1])}
              height={y(only![0]) - y(only![1])}
            />
          ) : (
            <path key={layer.key} class={`fill ${layer.key}`} d={draw(layer)!} />
          )
        })
      }
    </Frame>
  )
}

function totalOf(point: Counts): number {
  return SEVERITIES.reduce((sum, severity) => sum + point[severity], 0)
}

function describe(points: readonly Counts[]): string {
  const [first, last] = [points[0]!, points.at(-1)!]
  const parts = SEVERITIES.map(severity => `${count(last[severity])} ${severity}`).join(', ')
  return `Open findings by severity: from ${count(totalOf(first))} to ${count(totalOf(last))}; last ${parts}`
}
