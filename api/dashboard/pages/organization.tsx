import { Heading } from '../components/heading.tsx'
import { type Column, List } from '../components/list.tsx'
import { Answered } from '../components/section.tsx'
import { SeverityTally } from '../components/severity.tsx'
import { Time } from '../components/time.tsx'
import { Warnings } from '../components/warnings.tsx'
import { count, counted, rated, words } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'

type Answer = Answers['GET /api/org/projects']
type Project = Answer['projects'][number]

/** The repositories beside this one, worst first. */
export default function Organization() {
  const loaded = useAnswer('GET /api/org/projects', {})
  return (
    <>
      <Heading title="Organization" />
      <Answered loaded={loaded}>{answer => <Projects {...answer} />}</Answered>
    </>
  )
}

function Projects({ projects, statistics, omitted }: Answer) {
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
      <Warnings
        texts={
          omitted.length > 0 ? [`${counted(omitted.length, 'directory', 'directories')} not searched or read.`] : []
        }
      />
      <List
        label="Projects"
        one="project"
        rows={projects}
        columns={COLUMNS}
        initially="worst"
        textOf={({ path, name }) => `${path} ${name ?? ''}`}
        keyOf={({ path }) => path}
      />
    </>
  )
}

/** Sorted by none of them, the projects stand as the server answers them: worst first. */
const COLUMNS: readonly Column<Project>[] = [
  {
    name: 'project',
    title: 'Project',
    by: ({ name, path }) => name ?? path,
    cell: ({ name, path }) => (
      <>
        <b>{name ?? path}</b>
        <code class="under">{path}</code>
      </>
    ),
  },
  {
    name: 'rating',
    title: 'Rating',
    by: ({ rating }) => rating,
    cell: ({ rating }) => <b class={rated(rating)}>{rating ?? '–'}</b>,
  },
  {
    name: 'gate',
    title: 'Gate',
    by: ({ gate }) => (gate === undefined ? undefined : Number(gate)),
    cell: ({ gate }) =>
      gate === undefined ? 'not run' : <span class={gate ? 'good' : 'bad'}>{gate ? 'passed' : 'failed'}</span>,
  },
  {
    name: 'open',
    title: 'Open',
    number: true,
    by: ({ open }) => open,
    cell: ({ open }) => (open === undefined ? '–' : count(open)),
  },
  {
    name: 'severities',
    title: 'By severity',
    cell: ({ by_severity }) => <span class="chips">{by_severity && <SeverityTally counts={by_severity} />}</span>,
  },
  {
    name: 'change',
    title: 'Change',
    number: true,
    by: ({ change }) => change,
    cell: ({ change }) => <Change value={change} />,
  },
  {
    name: 'scanned',
    title: 'Scanned',
    by: ({ scanned_at }) => scanned_at,
    cell: ({ scanned_at }) => (scanned_at ? <Time at={scanned_at} /> : 'never'),
  },
  {
    name: 'state',
    title: 'State',
    by: ({ state }) => state,
    cell: ({ state, not_evaluated }) => (
      <>
        {words(state)}
        {(not_evaluated ?? 0) > 0 && <span class="under bad">{count(not_evaluated!)} not evaluated</span>}
      </>
    ),
  },
]

function Change({ value }: { value: number | undefined }) {
  if (value === undefined) return <span class="soft">–</span>
  return (
    <span class={value === 0 ? 'soft' : value < 0 ? 'good' : 'bad'}>
      {value > 0 && '+'}
      {count(value)}
    </span>
  )
}
