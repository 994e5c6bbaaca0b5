import { Figures } from '../components/figures.tsx'
import { List } from '../components/list.tsx'
import { PLACE_COLUMN } from '../components/place-column.tsx'
import { Answered, Section } from '../components/section.tsx'
import { defineStates } from '../components/state.tsx'
import { Time } from '../components/time.tsx'
import { count, counted } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import { answerColumn } from './review/answer-column.tsx'
import { ModelWarning } from './review/model-warning.tsx'
import { Unfold } from './review/unfold.tsx'

type Data = NonNullable<Answers['GET /api/pages/review']['decisions']['data']>
type Decision = Data['decisions'][number]

const RISK = defineStates<Decision['risk_level']>({ low: 'good', medium: 'warn', high: 'bad' })

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
      <ModelWarning llm={llm} />
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
              by: ({ risk_level }) => RISK.rank(risk_level),
              cell: ({ risk_level }) => <RISK.Shown state={risk_level} />,
            },
            {
              name: 'summary',
              title: 'Decision',
              by: ({ summary }) => summary,
              cell: row => <Unfold title={row.summary} id={row.id} under={row.question} facts={describeFacts(row)} />,
            },
            {
              name: 'category',
              title: 'Kind',
              by: ({ category }) => category,
              cell: ({ category }) => category.replaceAll('-', ' '),
            },
            PLACE_COLUMN,
            answerColumn<Decision>(row => ({
              tone: row.status === 'acknowledged' ? 'good' : 'warn',
              changed: row.changed_since_acknowledgment,
              by: row.acknowledged_by,
              at: row.acknowledged_at,
              note: row.note,
            })),
          ]}
        />
      )}
    </>
  )
}

function describeFacts({ risk, evidence, alternatives }: Decision): Record<string, string> {
  return { Risk: risk, Evidence: evidence, Alternatives: alternatives.join('; ') }
}
