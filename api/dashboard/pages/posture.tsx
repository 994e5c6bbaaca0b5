import { SeverityAreas } from '../charts/areas.tsx'
import { Behind } from '../charts/behind.tsx'
import { Line } from '../charts/line.tsx'
import { Sparkline } from '../charts/sparkline.tsx'
import { Choice } from '../components/field.tsx'
import { Figures } from '../components/figures.tsx'
import { Panel } from '../components/panel.tsx'
import { Answered, Section } from '../components/section.tsx'
import { Table } from '../components/table.tsx'
import { Warnings } from '../components/warnings.tsx'
import { count, counted, nameComponent, percent, SEVERITIES, when, words } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import type { PageProps } from '../shell/registry.ts'
import { change, href } from '../shell/route.ts'

type Answer = Answers['GET /api/pages/posture']
type Data = NonNullable<Answer['runs']['data']>
type Quality = NonNullable<Answer['quality']['data']>

/** The ranges that are offered, in days. */
const RANGES = [7, 30, 90, 180, 365, 1095, 3650]
const INITIALLY = 90
/** Runs that are asked for. */
const RUNS = 500
/** Rows of the table behind a chart. */
const LISTED = 300

/** Posture, and how findings, frameworks and quality developed over any range. */
export default function Posture({ query }: PageProps) {
  const given = Number(query.get('days'))
  const days = Number.isInteger(given) && given >= 1 && given <= 3650 ? given : INITIALLY
  const loaded = useAnswer('GET /api/pages/posture', { days, limit: RUNS })
  return (
    <>
      <div class="filters range">
        <Choice
          label="Range"
          value={String(days)}
          options={[...new Set([...RANGES, days])].sort((a, b) => a - b).map(each => [String(each), nameOf(each)])}
          onChange={chosen => change({ days: chosen })}
        />
      </div>
      <Answered loaded={loaded}>
        {({ runs, quality }) => (
          <>
            <Section section={runs} title="Posture">
              {data => <Development {...data} />}
            </Section>
            <Panel title="Quality" class="padded apart" aside={<a href={href('quality')}>Dimensions</a>}>
              <Section section={quality}>{data => <QualityTrend scores={data} />}</Section>
            </Panel>
          </>
        )}
      </Answered>
    </>
  )
}

function nameOf(days: number): string {
  return days % 365 === 0 ? `Last ${counted(days / 365, 'year')}` : `Last ${counted(days, 'day')}`
}

function Development({ posture, points, frameworks, damaged }: Data) {
  const { overall, status, components, details } = posture
  return (
    <>
      <Figures
        title={overall === null ? 'Posture is unknown' : `Posture ${overall} of 100: ${words(status)}`}
        figures={Object.entries(components).map(([name, { score }]) => ({
          label: nameComponent(name),
          value: score === null ? 'no data' : score.toFixed(0),
        }))}
      >
        <details class="behind-chart">
          <summary>How it is computed</summary>
          <dl class="details">
            {Object.entries(details).map(([name, text]) => (
              <div key={name}>
                <dt>{nameComponent(name)}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </details>
      </Figures>
      <Warnings texts={damaged.map(({ id, reason }) => `Run ${id} is left out: ${reason}`)} />
      <Panel title="Open findings by severity" class="padded" aside={<a href={href('runs')}>Runs</a>}>
        {points.length === 0 ? <p class="soft">No run in this range.</p> : <Findings points={points} />}
      </Panel>
      <Panel title="Coverage of frameworks" class="padded apart" aside={<a href={href('compliance')}>Controls</a>}>
        {frameworks.length === 0 ? (
          <p class="soft">No run in this range evaluated a framework.</p>
        ) : (
          <Coverage points={frameworks} />
        )}
      </Panel>
    </>
  )
}

function Findings({ points }: Pick<Data, 'points'>) {
  return (
    <>
      <SeverityAreas points={points.map(point => ({ ...point, at: point.started_at }))} />
      <p class="legend soft">
        {SEVERITIES.map(severity => (
          <span key={severity} class={`key solid ${severity}`}>
            {severity}
          </span>
        ))}
        {points.length === 1 && <span>There is one run in this range.</span>}
      </p>
      <Behind
        label="Open findings by run"
        columns={['Run', 'Open', ...SEVERITIES, 'New', 'Resolved', 'Rating', 'Scope']}
      >
        {[...points]
          .reverse()
          .slice(0, LISTED)
          .map(point => (
            <tr key={point.run_id}>
              <td class="number">
                <a href={href('overview', { run: point.run_id })}>{when(point.started_at)}</a>
              </td>
              <td class="number">{count(point.open)}</td>
              {SEVERITIES.map(severity => (
                <td key={severity} class="number">
                  {count(point[severity])}
                </td>
              ))}
              <td class="number">{point.introduced === undefined ? '–' : count(point.introduced)}</td>
              <td class="number">{point.resolved === undefined ? '–' : count(point.resolved)}</td>
              <td>{point.rating ?? '–'}</td>
              <td>{point.scope}</td>
            </tr>
          ))}
      </Behind>
    </>
  )
}

/** Each framework's coverage as it came, and what the percentage leaves out. */
function Coverage({ points }: { points: Data['frameworks'] }) {
  const groups = new Map<string, Data['frameworks']>()
  for (const point of points) groups.set(point.framework, [...(groups.get(point.framework) ?? []), point])
  return (
    <Table
      columns={['Framework', 'Coverage', 'Change', 'Over time', 'Met', 'Violated', 'By hand', 'Not evaluated']}
      label="Coverage of frameworks"
    >
      {[...groups].map(([framework, list]) => {
        const [first, last] = [list[0]!, list.at(-1)!]
        const moved =
          first.coverage === undefined || last.coverage === undefined ? undefined : last.coverage - first.coverage
        const { met, violated, manual, not_evaluated } = last.counts
        return (
          <tr key={framework}>
            <td>
              <a href={href('compliance', { framework })}>{last.name}</a>
            </td>
            <td class="number">{percent(last.coverage, 1)}</td>
            <td class={moved === undefined || moved === 0 ? 'number' : moved > 0 ? 'number good' : 'number bad'}>
              {moved === undefined ? '–' : `${moved > 0 ? '+' : ''}${moved.toFixed(1)}`}
            </td>
            <td>
              <Sparkline
                values={list.map(({ started_at, coverage }) => ({ at: started_at, value: coverage ?? null }))}
                label={`${last.name} over ${counted(list.length, 'run')}: from ${percent(first.coverage, 1)} to ${percent(last.coverage, 1)}`}
              />
            </td>
            {[met, violated, manual, not_evaluated].map((n, at) => (
              <td key={at} class="number">
                {count(n)}
              </td>
            ))}
          </tr>
        )
      })}
    </Table>
  )
}

function QualityTrend({ scores }: { scores: Quality }) {
  return (
    <>
      <Line values={scores.map(({ at, score }) => ({ at, value: score }))} name="Quality" />
      <Behind label="Quality scores" columns={['Measured', 'Score']}>
        {[...scores]
          .reverse()
          .slice(0, LISTED)
          .map(({ at, score }) => (
            <tr key={at}>
              <td class="number">{when(at)}</td>
              <td class="number">{score ?? '–'}</td>
            </tr>
          ))}
      </Behind>
    </>
  )
}
