import { List } from '../../components/list.tsx'
import { Places } from '../../components/place.tsx'
import { defineStates, State } from '../../components/state.tsx'
import { Time } from '../../components/time.tsx'
import { Warnings } from '../../components/warnings.tsx'
import { counted, words } from '../../format.ts'
import type { Answers } from '../../server/answers.gen.ts'

type Report = NonNullable<Answers['GET /api/pages/dependencies']['licenses']['data']>
type Licensed = Report['dependencies'][number]

const RISK = defineStates<Licensed['risk']>({ none: 'good', low: 'good', medium: 'warn', high: 'bad' })
const POLICY = defineStates<NonNullable<Licensed['policy']>>({
  allowed: 'good',
  denied: 'bad',
  review: 'warn',
  unknown: 'unknown',
})

/** The license of each component, its risk, and what the policy says of it. */
export function Licenses({ dependencies, notices, unread_manifests, generated_at }: Report) {
  const hasPolicy = dependencies.some(({ policy }) => policy !== undefined)
  return (
    <>
      <p class="soft total">
        Read <Time at={generated_at} />.
      </p>
      <Warnings texts={[...unread_manifests.map(({ file, detail }) => `Not read: ${file}. ${detail}`), ...notices]} />
      <List
        label="Licenses"
        one="component"
        rows={dependencies}
        initially="-risk"
        keyOf={({ component }) => component}
        textOf={row =>
          [row.package, row.version, row.license, row.kind, row.risk, row.scope, row.policy, row.ecosystem].join(' ')
        }
        columns={[
          {
            name: 'name',
            title: 'Component',
            by: row => row.package,
            cell: row => (
              <>
                <b class="breaks">{row.package}</b> <code>{row.version}</code>
                <span class="under">
                  {row.ecosystem}, {row.direct ? 'direct' : 'transitive'}, {words(row.scope)}
                </span>
              </>
            ),
          },
          { name: 'license', title: 'License', by: ({ license }) => license, cell: row => <License {...row} /> },
          { name: 'kind', title: 'Kind', by: ({ kind }) => kind, cell: ({ kind }) => words(kind) },
          {
            name: 'risk',
            title: 'Risk',
            number: true,
            by: ({ risk }) => RISK.rank(risk),
            cell: ({ risk }) => <RISK.Shown state={risk} />,
          },
          ...(hasPolicy
            ? [
                {
                  name: 'policy',
                  title: 'Policy',
                  by: ({ policy }: Licensed) => policy,
                  cell: ({ policy }: Licensed) => policy && <POLICY.Shown state={policy} />,
                },
              ]
            : []),
          { name: 'places', title: 'Named in', cell: ({ locations }) => <Places places={locations} most={2} /> },
        ]}
      />
      {dependencies.length === 0 && <p class="soft">{counted(0, 'component')}: no manifest names one.</p>}
    </>
  )
}

function License({ license, declared, reason, kind }: Licensed) {
  if (license !== undefined && kind !== 'unknown') return <>{license}</>
  return (
    <span class="wide-cell">
      <State state="unknown" tone="unknown" />
      <span class="under">{[declared, reason].filter(Boolean).join(': ')}</span>
    </span>
  )
}
