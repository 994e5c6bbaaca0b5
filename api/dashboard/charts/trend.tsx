import { scaleBand, scaleLinear } from 'd3-scale'
import { useState } from 'preact/hooks'
import { useNarrow } from '../components/narrow.ts'
import { SeverityTally } from '../components/severity.tsx'
import { count, counted, nameEnd, SEVERITIES, when } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { Grid } from './grid.tsx'

/** A run's counts, as the trend draws them. */
export type TrendPoint = Answers['GET /api/trends']['points'][number]

const HEIGHT = 210
const LEFT = 46
const BOTTOM = 24
const TOP = 10
/** The width of a date below the columns; the two ends must not lie over each other. */
const LABEL = 92
/** Columns that a narrow screen has room for. */
const NARROW = 14
/** As many columns there are at least, so that two runs are not two walls. */
const FEWEST = 12

/** A column for each run, its severities stacked, worst at the foot; choosing one shows that run. */
export function Trend({
  points: all,
  shown,
  onChoose,
}: {
  points: readonly TrendPoint[]
  shown: string
  onChoose(run: string): void
}) {
  const narrow = useNarrow()
  const points = narrow ? all.slice(-NARROW) : all
  const [about, setAbout] = useState<TrendPoint>()
  if (points.length === 0) return <p class="soft">No run can be drawn.</p>
  const [first, last] = [points[0]!.started_at, points.at(-1)!.started_at]
  // The drawing is scaled to the page; where that is narrow it is made narrow, so that its words stay readable.
  const width = narrow ? 480 : 1000
  const y = scaleLinear([0, Math.max(1, ...points.map(({ open }) => open))], [HEIGHT - BOTTOM, TOP]).nice(4)
  const places = Array.from({ length: Math.max(points.length, FEWEST) }, (_, at) => at)
  const x = scaleBand(places, [LEFT + 6, width])
    .paddingInner(0.28)
    .paddingOuter(0.14)
  const wide = Math.min(44, x.bandwidth())
  const told = about ?? points.find(({ run_id }) => run_id === shown) ?? points.at(-1)!
  return (
    <div class="trend">
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="group" aria-label="Runs, oldest first">
        <Grid y={y} from={LEFT} to={width} />
        {points.map((point, at) => (
          <Column
            key={point.run_id}
            point={point}
            isShown={point.run_id === shown}
            x={x(at)! + (x.bandwidth() - wide) / 2}
            width={wide}
            hit={{ x: x(at)! - (x.step() - x.bandwidth()) / 2, width: x.step() }}
            y={y}
            onChoose={onChoose}
            onLook={setAbout}
          />
        ))}
        <text class="end" x={x(0)} y={HEIGHT - 5}>
          {nameEnd(first, last)}
        </text>
        {nameEnd(last, first) !== nameEnd(first, last) && (
          <text
            class="end"
            x={Math.max(x(points.length - 1)! + x.bandwidth(), x(0)! + 2 * LABEL)}
            y={HEIGHT - 5}
            text-anchor="end"
          >
            {nameEnd(last, first)}
          </text>
        )}
      </svg>
      <About point={told} />
    </div>
  )
}

function Column({
  point,
  isShown,
  x,
  width,
  hit,
  y,
  onChoose,
  onLook,
}: {
  point: TrendPoint
  isShown: boolean
  x: number
  width: number
  hit: { x: number; width: number }
  y: (value: number) => number
  onChoose(run: string): void
  onLook(point: TrendPoint): void
}) {
  const choose = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onChoose(point.run_id)
  }
  return (
    <g
      class={isShown ? 'column shown' : 'column'}
      role="button"
      tabIndex={0}
      aria-label={`${when(point.started_at)}: ${counted(point.open, 'open finding')}`}
      aria-pressed={isShown}
      onClick={() => onChoose(point.run_id)}
      onKeyDown={choose}
      onPointerEnter={() => onLook(point)}
      onFocus={() => onLook(point)}
    >
      <rect class="hit" x={hit.x} y={TOP} width={hit.width} height={HEIGHT - TOP} />
      {stack(point, y).map(({ name, top, height }) => (
        <rect key={name} class={name} x={x} width={width} y={top} height={height} rx={name === 'none' ? 1.5 : 0} />
      ))}
    </g>
  )
}

function stack(point: TrendPoint, y: (value: number) => number): { name: string; top: number; height: number }[] {
  let below = 0
  const parts = SEVERITIES.filter(severity => point[severity] > 0).map(name => {
    const foot = y(below)
    below += point[name]
    return { name: name as string, top: y(below), height: Math.max(1, foot - y(below)) }
  })
  // A run without findings still stands there; one that evaluated nothing has no score, which is no good news.
  if (parts.length === 0) parts.push({ name: point.score === undefined ? 'unknown' : 'none', top: y(0) - 3, height: 3 })
  return parts
}

function About({ point }: { point: TrendPoint }) {
  const origin = [point.branch, point.git_sha?.slice(0, 8)].filter(Boolean).join(' ')
  return (
    <p class="soft about" aria-live="polite">
      <b>{when(point.started_at)}</b>
      <span>{counted(point.open, 'open finding')}</span>
      <SeverityTally counts={point} />
      {(point.introduced ?? 0) > 0 && <span class="bad">+{count(point.introduced!)} new</span>}
      {(point.resolved ?? 0) > 0 && <span class="good">−{count(point.resolved!)} resolved</span>}
      {point.rating !== undefined && <span>rating {point.rating}</span>}
      {origin && <span>{origin}</span>}
      {point.scope !== 'everything' && <span>{point.scope}</span>}
    </p>
  )
}
