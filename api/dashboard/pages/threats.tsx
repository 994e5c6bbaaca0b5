import { FacetMenu } from '../components/facet-menu.tsx'
import { Figures } from '../components/figures.tsx'
import { List } from '../components/list.tsx'
import { Places } from '../components/place.tsx'
import { Answered, Section } from '../components/section.tsx'
import { SeverityBadge } from '../components/severity.tsx'
import { SEVERITY_COLUMN } from '../components/severity-column.tsx'
import { Time } from '../components/time.tsx'
import { count, counted, words } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import type { PageProps } from '../shell/registry.ts'
import { change, href } from '../shell/route.ts'
import { answerColumn } from './review/answer-column.tsx'
import { ModelWarning } from './review/model-warning.tsx'
import { Unfold } from './review/unfold.tsx'

type Data = NonNullable<Answers['GET /api/pages/review']['threats']['data']>
type Threat = Data['threats'][number]

/** The threat model: each threat with where it is, what is seen against it, and whether somebody mitigated it. */
export default function Threats({ query }: PageProps) {
  const loaded = useAnswer('GET /api/pages/review', {})
  return (
    <Answered loaded={loaded}>
      {({ threats }) => (
        <Section section={threats} title="Threats">
          {data => <Shown data={data} query={query} />}
        </Section>
      )}
    </Answered>
  )
}

function Shown({ data: { threats, elements, generated_at, llm }, query }: { data: Data; query: URLSearchParams }) {
  const chosen = new Set((query.get('stride') ?? '').split(',').filter(Boolean))
  const kinds = new Map<string, number>()
  for (const { stride } of threats) kinds.set(stride, (kinds.get(stride) ?? 0) + 1)
  const pending = threats.filter(({ status }) => status === 'pending').length
  return (
    <>
      <Figures
        title={counted(threats.length, 'threat')}
        figures={[
          { label: 'pending', value: count(pending), tone: pending > 0 ? 'bad' : 'good' },
          { label: 'mitigated', value: count(threats.length - pending) },
          { label: 'elements of the system', value: count(elements.length) },
        ]}
      >
        <p class="soft">
          Made <Time at={generated_at} />. <code>svc threat-model</code> makes it afresh.
        </p>
      </Figures>
      <ModelWarning llm={llm} />
      <List
        label="Threats"
        one="threat"
        rows={chosen.size > 0 ? threats.filter(({ stride }) => chosen.has(stride)) : threats}
        initially="-severity"
        keyOf={({ id }) => id}
        textOf={row =>
          [row.id, row.title, row.component, words(row.stride), row.severity, row.status, ...row.cwe].join(' ')
        }
        columns={[
          {
            ...SEVERITY_COLUMN,
            cell: ({ severity, likelihood }) => (
              <>
                <SeverityBadge severity={severity} />
                <span class="under">likelihood {likelihood}</span>
              </>
            ),
          },
          {
            name: 'title',
            title: 'Threat',
            by: ({ title }) => title,
            cell: row => <Unfold title={row.title} id={row.id} under={row.component} facts={describeFacts(row)} />,
          },
          { name: 'stride', title: 'STRIDE', by: ({ stride }) => stride, cell: ({ stride }) => words(stride) },
          {
            name: 'places',
            title: 'Where',
            by: ({ places }) => places.length,
            cell: ({ places }) => <Places places={places} />,
          },
          {
            name: 'findings',
            title: 'Findings',
            number: true,
            by: ({ findings }) => findings.length,
            cell: ({ findings, rules }) =>
              findings.length > 0 && rules.length > 0 ? (
                <a href={href('findings', { rule: rules.join(','), status: 'all' })}>{count(findings.length)}</a>
              ) : (
                count(findings.length)
              ),
          },
          {
            name: 'seen',
            title: 'Seen against it',
            by: ({ controls_seen }) => controls_seen.length,
            cell: ({ controls_seen }) =>
              controls_seen.length > 0 ? (
                [...new Set(controls_seen.map(({ what }) => what))].join(', ')
              ) : (
                <span class="soft">nothing</span>
              ),
          },
          answerColumn<Threat>(row => ({
            tone: row.status === 'mitigated' ? 'good' : 'bad',
            changed: row.changed_since_mitigation,
            by: row.mitigated_by,
            at: row.mitigated_at,
            note: row.mitigation_note,
          })),
        ]}
      >
        <FacetMenu
          title="STRIDE"
          values={[...kinds].map(([value, n]) => ({ value, count: n }))}
          chosen={chosen}
          onChange={values => change({ stride: values.join(',') })}
        />
      </List>
    </>
  )
}

function describeFacts({ description, attack_vector, impact, mitigation, cwe }: Threat): Record<string, string> {
  return { What: description, Attack: attack_vector, Impact: impact, Mitigation: mitigation, CWE: cwe.join(', ') }
}
