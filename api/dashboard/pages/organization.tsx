import { useState } from 'preact/hooks'
import { Answered } from '../components/section.tsx'
import { SeverityTally } from '../components/severity.tsx'
import { Table } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { count, counted, rated, words } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'

type Answer = Answers['GET /api/org/projects']
type Project = Answer['projects'][number]

/** Projects that are drawn at once. */
const DRAWN = 300

/** The repositories beside this one, worst first. */
export default function Organization() {
  const loaded = useAnswer('GET /api/org/projects', {})
  return (
    <>
      <h1 class="visually-hidden">Organization</h1>
      <Answered loaded={loaded}>{answer => <Projects {...answer} />}</Answered>
    </>
  )
}

function Projects({ projects, statistics, omitted }: Answer) {
  const [wanted, setWanted] = useState('')
  const shown = projects.filter(({ path, name }) =>
    `${path} ${name ?? ''}`.toLowerCase().includes(wanted.toLowerCase()),
  )
  const states = Object.entries(statistics.by_state).filter(([state, n]) => n > 0 && state !== 'current')
  return (
    <>
      <p class="total">
        <b>{counted(statistics.projects, 'project')}</b>, {counted(statistics.open, 'open finding')},{' '}
        {counted(statistics.gates_failed, 'failed gate')}; {count(statistics.better)} better and{' '}
        {count(statistics.worse)} worse than before
        {states.map(([state, n]) => (
          <span key={state} class="bad">
            , {count(n)} {words(state)}
          </span>
        ))}
      </p>
      <div class="filters">
        <input
          type="search"
          aria-label="Search projects"
          placeholder="Search projects"
          value={wanted}
          onInput={event => setWanted(event.currentTarget.value)}
        />
      </div>
      <p class="soft total" role="status">
        {counted(shown.length, 'project')}
        {shown.length > DRAWN && `, the first ${count(DRAWN)} shown: search for the others`}
        {omitted.length > 0 && `, ${count(omitted.length)} directories not looked into`}
      </p>
      <Table
        columns={['Project', 'Rating', 'Gate', 'Open', 'By severity', 'Change', 'Scanned', 'State']}
        label="Projects"
      >
        {shown.slice(0, DRAWN).map(project => (
          <Row key={project.path} {...project} />
        ))}
      </Table>
    </>
  )
}

function Row({ path, name, rating, gate, open, by_severity, change, scanned_at, state, not_evaluated }: Project) {
  return (
    <tr>
      <td>
        <b>{name ?? path}</b>
        <code class="under">{path}</code>
      </td>
      <td>
        <b class={rated(rating)}>{rating ?? '–'}</b>
      </td>
      <td>
        {gate === undefined ? 'not run' : <span class={gate ? 'good' : 'bad'}>{gate ? 'passed' : 'failed'}</span>}
      </td>
      <td class="number">{open === undefined ? '–' : count(open)}</td>
      <td>
        <span class="chips">{by_severity && <SeverityTally counts={by_severity} />}</span>
      </td>
      <td class={change === undefined || change === 0 ? 'soft' : change < 0 ? 'good' : 'bad'}>
        {change === undefined ? '–' : `${change > 0 ? '+' : ''}${count(change)}`}
      </td>
      <td>{scanned_at ? <Time at={scanned_at} /> : 'never'}</td>
      <td>
        {words(state)}
        {(not_evaluated ?? 0) > 0 && <span class="under bad">{count(not_evaluated!)} not evaluated</span>}
      </td>
    </tr>
  )
}
