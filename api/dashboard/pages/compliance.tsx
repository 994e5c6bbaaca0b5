import { Choice } from '../components/field.tsx'
import { Figures } from '../components/figures.tsx'
import { Panel } from '../components/panel.tsx'
import { Answered, Section } from '../components/section.tsx'
import { State, type Tone } from '../components/state.tsx'
import { Table } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { Warnings } from '../components/warnings.tsx'
import { count, counted, percent } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import type { PageProps } from '../shell/registry.ts'
import { change, href } from '../shell/route.ts'
import { Control, type ControlState, STATES } from './compliance/control.tsx'

type Answer = Answers['GET /api/pages/compliance']
type Data = NonNullable<Answer['assessment']['data']>
type Framework = Data['frameworks'][number]

const TONES: Record<Answer['deadlines'][number]['state'], Tone> = { past: 'unknown', soon: 'warn', ahead: 'good' }

/** Frameworks, each control with what stands behind it, and the dates that are ahead. */
export default function Compliance({ query }: PageProps) {
  const loaded = useAnswer('GET /api/pages/compliance', {})
  return (
    <Answered loaded={loaded}>
      {({ assessment, deadlines }) => (
        <>
          <Section section={assessment} title="Compliance">
            {data => <Assessment {...data} query={query} />}
          </Section>
          <Deadlines deadlines={deadlines} />
        </>
      )}
    </Answered>
  )
}

function Assessment({ frameworks, generated_at, query }: Data & { query: URLSearchParams }) {
  const framework = frameworks.find(({ id }) => id === query.get('framework')) ?? frameworks[0]
  if (!framework)
    return (
      <Figures title="Compliance" figures={[]}>
        <p>
          The latest run evaluated no framework. <code>svc add-pack soc2-tsc-2017</code> adds SOC 2; the next scan
          evaluates it.
        </p>
      </Figures>
    )
  return (
    <>
      {frameworks.length > 1 && <Frameworks frameworks={frameworks} shown={framework} />}
      <Shown framework={framework} generated_at={generated_at} query={query} />
    </>
  )
}

function Frameworks({ frameworks, shown }: { frameworks: readonly Framework[]; shown: Framework }) {
  return (
    <ul class="frameworks" aria-label="Frameworks">
      {frameworks.map(({ id, name, coverage, counts }) => (
        <li key={id}>
          <a
            class="panel"
            href={href('compliance', { framework: id })}
            aria-current={id === shown.id ? 'true' : undefined}
          >
            <span class="name">{name}</span>
            <b>{percent(coverage)}</b>
            <Shares counts={counts} />
            <span class="soft">{describe(counts)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Beside every percentage: what it leaves out. */
function describe({ met, violated, manual, not_evaluated }: Framework['counts']): string {
  const parts = [`${count(met)} met`, `${count(violated)} violated`]
  if (manual > 0) parts.push(`${count(manual)} by hand`)
  if (not_evaluated > 0) parts.push(`${count(not_evaluated)} not evaluated`)
  return parts.join(', ')
}

function Shares({ counts }: { counts: Framework['counts'] }) {
  return (
    <span class="shares" aria-hidden="true">
      {STATES.all
        .filter(state => counts[state] > 0)
        .map(state => (
          <i key={state} class={state} style={{ flexGrow: counts[state] }} />
        ))}
    </span>
  )
}

function Shown({
  framework,
  generated_at,
  query,
}: {
  framework: Framework
  generated_at: string
  query: URLSearchParams
}) {
  const { name, edition, counts, coverage, complete, caveats, controls } = framework
  const wanted = STATES.all.find(state => state === query.get('state'))
  const shown = controls
    .filter(({ state }) => wanted === undefined || state === wanted)
    .sort((a, b) => STATES.rank(a.state) - STATES.rank(b.state))
  return (
    <>
      <Figures
        title={name.includes(edition) ? name : `${name} ${edition}`}
        figures={[
          { label: 'met of met and violated', value: percent(coverage), tone: complete ? 'good' : undefined },
          { label: 'met', value: count(counts.met) },
          { label: 'violated', value: count(counts.violated), tone: counts.violated > 0 ? 'bad' : undefined },
          { label: 'by hand', value: count(counts.manual) },
          { label: 'not evaluated', value: count(counts.not_evaluated) },
          { label: 'not applicable', value: count(counts.not_applicable) },
        ]}
      >
        <p class="soft">
          Assessed <Time at={generated_at} />. A control that is met has no open finding of its rules; that is no proof
          that it holds. Those by hand need <a href={href('evidence')}>evidence of people</a>.
        </p>
      </Figures>
      <Warnings texts={caveats} />
      <div class="filters">
        <Choice
          label="State"
          value={wanted ?? ''}
          options={[
            ['', `All ${counted(controls.length, 'control')}`],
            ...STATES.all.map((state): [ControlState, string] => [
              state,
              `${STATES.name(state)} (${count(counts[state])})`,
            ]),
          ]}
          onChange={state => change({ state })}
        />
      </div>
      <ul class="panel controls" aria-label="Controls">
        {shown.map(control => (
          <Control key={control.id} framework={framework.id} {...control} />
        ))}
        {shown.length === 0 && <li class="soft control">No control is in this state.</li>}
      </ul>
    </>
  )
}

function Deadlines({ deadlines }: Pick<Answer, 'deadlines'>) {
  if (deadlines.length === 0) return null
  return (
    <Panel title="Deadlines of the frameworks that are on" class="padded apart">
      <Table columns={['Date', 'In', 'What', 'Framework']} label="Deadlines">
        {deadlines.map(({ date, days, state, title, meaning, framework, source }) => (
          <tr key={`${framework} ${date} ${title}`}>
            <td class="number">{date}</td>
            <td class="number">
              <State
                state={days < 0 ? `${counted(-days, 'day')} ago` : days === 0 ? 'today' : counted(days, 'day')}
                tone={TONES[state]}
              />
            </td>
            <td>
              <span class="wide-cell">
                {title}
                <span class="under">{meaning}</span>
              </span>
            </td>
            <td>
              {framework}
              <span class="under breaks">{source}</span>
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  )
}
