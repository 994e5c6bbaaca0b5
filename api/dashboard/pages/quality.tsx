import { Behind } from '../charts/behind.tsx'
import { Line } from '../charts/line.tsx'
import { Sparkline } from '../charts/sparkline.tsx'
import { Figures } from '../components/figures.tsx'
import { List } from '../components/list.tsx'
import { Panel } from '../components/panel.tsx'
import { Place } from '../components/place.tsx'
import { Answered, Section } from '../components/section.tsx'
import { Time } from '../components/time.tsx'
import { count, when, words } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import { href } from '../shell/route.ts'

type Answer = Answers['GET /api/pages/quality']
type Scores = NonNullable<Answer['scores']['data']>
type FiguresOfRun = NonNullable<Answer['figures']['data']>

/** Scores of the table behind the trend. */
const LISTED = 100
/** Languages that are named. */
const LANGUAGES = 8

/** The quality score: its six dimensions with their formulas, how it developed, and the largest files. */
export default function Quality() {
  const loaded = useAnswer('GET /api/pages/quality', {})
  return (
    <Answered loaded={loaded}>
      {({ dimensions, scores, figures }) => (
        <>
          <Section section={scores} title="Quality">
            {data => <Score dimensions={dimensions} scores={data} />}
          </Section>
          <Section section={figures}>{data => <Largest {...data} />}</Section>
        </>
      )}
    </Answered>
  )
}

function Score({ dimensions, scores }: { dimensions: Answer['dimensions']; scores: Scores }) {
  const latest = scores.at(-1)!
  const before = scores.at(-2)
  const change = latest.score === null || !before || before.score === null ? undefined : latest.score - before.score
  return (
    <>
      <Figures
        title={latest.score === null ? 'Quality is unknown' : `Quality ${latest.score.toFixed(1)} of 100`}
        figures={
          !change
            ? []
            : [
                {
                  label: 'since the score before',
                  value: `${change > 0 ? '+' : ''}${change.toFixed(1)}`,
                  tone: change > 0 ? 'good' : 'bad',
                },
              ]
        }
      >
        <p class="soft">
          Measured <Time at={latest.at} />. A dimension without data is left out, and its weight falls to the others.
        </p>
      </Figures>
      <ul class="dimensions" aria-label="Dimensions">
        {dimensions.map(({ id, name, weight, formula }) => (
          <li key={id} class="panel">
            <h2>
              {name} <span class="soft">{weight} %</span>
            </h2>
            <div class="line">
              <b>{latest.dimensions[id]?.toFixed(1) ?? <span class="soft">no data</span>}</b>
              <Sparkline
                values={scores.map(({ at, dimensions: each }) => ({ at, value: each[id] ?? null }))}
                label={`${name} over ${count(scores.length)} measurements`}
              />
            </div>
            <p class="soft formula">{formula}</p>
          </li>
        ))}
      </ul>
      <Panel title="Score over time" class="padded">
        <Line values={scores.map(({ at, score }) => ({ at, value: score }))} name="Quality" />
        <Behind label="Scores" columns={['Measured', 'Score', ...dimensions.map(({ name }) => name), 'Commit']}>
          {[...scores]
            .reverse()
            .slice(0, LISTED)
            .map(score => (
              <tr key={score.at}>
                <td class="number">{when(score.at)}</td>
                <td class="number">{score.score ?? '–'}</td>
                {dimensions.map(({ id }) => (
                  <td key={id} class="number">
                    {score.dimensions[id] ?? '–'}
                  </td>
                ))}
                <td>
                  <code>{score.git_sha?.slice(0, 8)}</code>
                </td>
              </tr>
            ))}
        </Behind>
      </Panel>
    </>
  )
}

function Largest({ languages, largest, files, lines }: FiguresOfRun) {
  const most = Object.entries(languages).sort(([, a], [, b]) => b - a)
  return (
    <div class="apart">
      <div class="heading">
        <h2>Largest files</h2>
        <a href={href('files')}>All {count(files)} files</a>
      </div>
      <p class="soft">
        {count(lines)} lines; files by language:{' '}
        {most
          .slice(0, LANGUAGES)
          .map(([language, n]) => `${words(language)} ${count(n)}`)
          .join(', ')}
        {most.length > LANGUAGES && ` and ${count(most.length - LANGUAGES)} more languages`}.
      </p>
      <List
        label="Largest files"
        one="file"
        rows={largest}
        initially="-code"
        keyOf={({ path }) => path}
        columns={[
          { name: 'path', title: 'File', by: ({ path }) => path, cell: ({ path }) => <Place file={path} /> },
          {
            name: 'code',
            title: 'Code lines',
            number: true,
            by: row => row.code_lines,
            cell: row => metric(row.code_lines),
          },
          {
            name: 'functions',
            title: 'Functions',
            number: true,
            by: row => row.functions,
            cell: row => metric(row.functions),
          },
          {
            name: 'longest',
            title: 'Longest function',
            number: true,
            by: row => row.longest_function,
            cell: row => metric(row.longest_function),
          },
          {
            name: 'nesting',
            title: 'Nesting',
            number: true,
            by: row => row.max_nesting,
            cell: row => metric(row.max_nesting),
          },
          {
            name: 'cyclomatic',
            title: 'Cyclomatic',
            number: true,
            by: row => row.max_cyclomatic,
            cell: row => metric(row.max_cyclomatic),
          },
          {
            name: 'findings',
            title: 'Findings',
            number: true,
            by: row => row.findings,
            cell: row => count(row.findings),
          },
        ]}
      />
    </div>
  )
}

function metric(value: number | null): string {
  return value === null ? '–' : count(value)
}
