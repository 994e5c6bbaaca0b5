import { Figures } from '../components/figures.tsx'
import { List } from '../components/list.tsx'
import { Place } from '../components/place.tsx'
import { Answered, Section } from '../components/section.tsx'
import { State, type Tone } from '../components/state.tsx'
import { Time } from '../components/time.tsx'
import { Warnings } from '../components/warnings.tsx'
import { count, counted, day, words } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'

type Data = NonNullable<Answers['GET /api/pages/review']['decisions']['data']>
type Decision = Data['decisions'][number]

const RISKS = ['low', 'medium', 'high'] as const
const TONES: Record<Decision['risk_level'], Tone> = { low: 'good', medium: 'warn', high: 'bad' }

/** Decisions that the code shows, with the question that each asks, and who acknowledged it. */
export default function Decisions() {
  const loaded = useAnswer('GET /api/pages/review', {})
  return (
    <Answered loaded={loaded}>
      {({ decisions }) => (
        <Section section={decisions} title="Design decisions">
          {data => <Shown {...data} />}
        </Section>
      )}
    </Answered>
  )
}

function Shown({ decisions, scope, generated_at, llm }: Data) {
  const pending = decisions.filter(({ status }) => status === 'pending').length
  return (
    <>
      <Figures
        title={decisions.length === 0 ? 'No design decision was found' : counted(decisions.length, 'design decision')}
        figures={
          decisions.length === 0
            ? []
            : [
                { label: 'nobody acknowledged', value: count(pending), tone: pending > 0 ? 'bad' : 'good' },
                { label: 'acknowledged', value: count(decisions.length - pending) },
              ]
        }
      >
        <p class="soft">
          Of {scope}, made <Time at={generated_at} />. <code>svc review-design</code> makes the review afresh.
        </p>
      </Figures>
      <Warnings
        texts={
          llm.state === 'not_evaluated' ? [`Not reviewed by a language model: ${llm.reason ?? 'no reason given'}.`] : []
        }
      />
      {decisions.length > 0 && (
        <List
          label="Decisions"
          one="decision"
          rows={decisions}
          initially="-risk"
          keyOf={({ id }) => id}
          textOf={row =>
            [row.id, row.summary, row.question, row.category, row.kind, row.file, row.symbol, row.status].join(' ')
          }
          columns={[
            {
              name: 'risk',
              title: 'Risk',
              number: true,
              by: ({ risk_level }) => RISKS.indexOf(risk_level),
              cell: ({ risk_level }) => <State state={risk_level} tone={TONES[risk_level]} />,
            },
            { name: 'summary', title: 'Decision', by: ({ summary }) => summary, cell: row => <What {...row} /> },
            {
              name: 'category',
              title: 'Kind',
              by: ({ category }) => category,
              cell: ({ category }) => category.replaceAll('-', ' '),
            },
            {
              name: 'place',
              title: 'Where',
              by: ({ file }) => file,
              cell: ({ file, line }) => <Place file={file} line={line} />,
            },
            { name: 'status', title: 'State', by: ({ status }) => status, cell: row => <Acknowledged {...row} /> },
          ]}
        />
      )}
    </>
  )
}

function What({ id, summary, question, risk, evidence, alternatives }: Decision) {
  return (
    <details class="wide-cell">
      <summary>
        {summary}
        <span class="under">
          <code>{id}</code> {question}
        </span>
      </summary>
      <dl class="told">
        {Object.entries({ Risk: risk, Evidence: evidence, Alternatives: alternatives.join('; ') }).map(
          ([name, text]) =>
            text && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ),
        )}
      </dl>
    </details>
  )
}

function Acknowledged({ status, acknowledged_by, acknowledged_at, note, changed_since_acknowledgment }: Decision) {
  return (
    <>
      <State state={words(status)} tone={status === 'acknowledged' ? 'good' : 'warn'} />
      {changed_since_acknowledgment && <State state="changed since" tone="warn" />}
      {acknowledged_by && (
        <span class="under">
          {acknowledged_by}
          {acknowledged_at && `, ${day(acknowledged_at)}`}
          {note && `: ${note}`}
        </span>
      )}
    </>
  )
}
