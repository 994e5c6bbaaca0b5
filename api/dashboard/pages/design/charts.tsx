import { SeverityAreas } from '../../charts/areas.tsx'
import { Behind } from '../../charts/behind.tsx'
import { Graph } from '../../charts/graph.tsx'
import { Line } from '../../charts/line.tsx'
import { Sparkline } from '../../charts/sparkline.tsx'
import { Treemap } from '../../charts/treemap.tsx'
import { Trend, type TrendPoint } from '../../charts/trend.tsx'
import { Panel } from '../../components/panel.tsx'
import { SEVERITIES } from '../../format.ts'

const DAYS = ['2026-01-05T09:00:00Z', '2026-01-12T09:00:00Z', '2026-01-19T09:00:00Z', '2026-01-26T09:00:00Z']
const COUNTS = DAYS.map((at, n) => ({ at, critical: 4 - n, high: 9 - n, medium: 12, low: 6 + n, info: 2 }))
const VALUES = [62, 71, null, 84].map((value, at) => ({ at: DAYS[at]!, value }))
const POINTS = COUNTS.map(({ at, ...counts }, n): TrendPoint => {
  const open = SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0)
  return {
    ...counts,
    run_id: `run-${n}`,
    started_at: at,
    scope: 'everything',
    open,
    rating: 'E',
    baseline: 0,
    suppressed: 0,
    files: 168,
  }
})
const AREAS = ([undefined, ...SEVERITIES] as const).map((worst, at) => ({
  ...{ key: String(at), name: `${worst ?? 'none'}/`, label: `${worst ?? 'none'}, ${60 - at * 8} lines` },
  ...{ size: 60 - at * 8, worst, href: '#/design', inner: [] },
}))

/** Every chart, over data that is made up. */
export function Charts() {
  return (
    <>
      <Panel title="Trend" class="padded">
        <Trend points={POINTS} shown="run-3" onChoose={() => {}} />
      </Panel>
      <Panel title="Severity areas" class="padded">
        <SeverityAreas points={COUNTS} />
        <Behind label="The figures of the areas" columns={['When', 'Critical']}>
          {COUNTS.map(({ at, critical }) => (
            <tr key={at}>
              <td>{at.slice(0, 10)}</td>
              <td class="number">{critical}</td>
            </tr>
          ))}
        </Behind>
      </Panel>
      <Panel title="Line and sparkline" class="padded">
        <Line values={VALUES} name="Quality" />
        <Sparkline values={VALUES} label="From 62 to 84, once not measured" />
      </Panel>
      <Panel title="Treemap" class="padded">
        <Treemap areas={AREAS} label="A directory of each tone" />
      </Panel>
      <Panel title="Graph" class="padded">
        <Graph
          nodes={['web/', 'core/', 'base/']}
          edges={[
            { from: 0, to: 1, imports: 12, violations: 0 },
            { from: 1, to: 2, imports: 40, violations: 0 },
            { from: 0, to: 2, imports: 1, violations: 1 },
          ]}
          label="Three directories and three links between them"
        />
      </Panel>
    </>
  )
}
