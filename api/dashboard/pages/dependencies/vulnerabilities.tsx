import { List } from '../../components/list.tsx'
import { Places } from '../../components/place.tsx'
import { SeverityBadge } from '../../components/severity.tsx'
import { State } from '../../components/state.tsx'
import { Time } from '../../components/time.tsx'
import { Warnings } from '../../components/warnings.tsx'
import { rankOf } from '../../components/worst.ts'
import { counted, day, percent, words } from '../../format.ts'
import type { Answers } from '../../server/answers.gen.ts'

type Report = NonNullable<Answers['GET /api/pages/dependencies']['vulnerabilities']['data']>
type Vulnerability = Report['vulnerabilities'][number]

/** The known vulnerabilities of the components: how bad, what mends each, what was decided of it, and which components nobody knows about. */
export function Vulnerabilities({
  vulnerabilities,
  not_evaluated,
  notices,
  source,
  evaluated,
  generated_at,
  total_dependencies,
}: Report) {
  return (
    <>
      <p class="soft total">
        Looked up <Time at={generated_at} /> in {source.location}: {counted(evaluated, 'component')} of{' '}
        {total_dependencies}.
      </p>
      <Warnings
        texts={[
          ...not_evaluated.map(({ count, detail }) => `${counted(count, 'component')} not checked: ${detail}`),
          ...source.faults,
          ...notices,
        ]}
      />
      {vulnerabilities.length === 0 ? (
        <p class={evaluated > 0 && not_evaluated.length === 0 ? 'good' : 'soft'}>
          {evaluated === 0
            ? 'Unknown: no component could be checked.'
            : `No known vulnerability in the ${counted(evaluated, 'component')} that could be checked.`}
        </p>
      ) : (
        <Rows rows={vulnerabilities} />
      )}
    </>
  )
}

function Rows({ rows }: { rows: readonly Vulnerability[] }) {
  return (
    <List
      label="Vulnerabilities"
      one="vulnerability"
      many="vulnerabilities"
      rows={rows}
      initially="-severity"
      keyOf={({ id, component }) => `${id} ${component}`}
      textOf={row =>
        [
          row.id,
          ...row.aliases,
          row.package,
          row.version,
          row.severity,
          row.summary,
          row.status,
          row.scope,
          row.reachability,
        ].join(' ')
      }
      columns={[
        {
          name: 'severity',
          title: 'Severity',
          number: true,
          by: ({ severity }) => rankOf(severity),
          cell: ({ severity, score }) => (
            <>
              {severity === 'unknown' ? (
                <State state="unknown" tone="unknown" />
              ) : (
                <SeverityBadge severity={severity} />
              )}
              {score !== undefined && <span class="under">{score.toFixed(1)}</span>}
            </>
          ),
        },
        { name: 'id', title: 'Vulnerability', by: ({ id }) => id, cell: row => <What {...row} /> },
        {
          name: 'package',
          title: 'Component',
          by: row => row.package,
          cell: row => (
            <>
              <b class="breaks named">{row.package}</b> <code>{row.version}</code>
              <span class="under">
                {row.direct ? 'direct' : (row.paths[0]?.join(' › ') ?? 'transitive')}, {words(row.scope)}
              </span>
            </>
          ),
        },
        {
          name: 'fix',
          title: 'Fixed in',
          by: ({ fixed_versions }) => fixed_versions[0],
          cell: ({ fixed_versions }) =>
            fixed_versions.length > 0 ? (
              <code>{fixed_versions.join(', ')}</code>
            ) : (
              <span class="soft">no fix known</span>
            ),
        },
        { name: 'state', title: 'State', by: ({ status }) => status, cell: row => <Decision {...row} /> },
        {
          name: 'reach',
          title: 'Imported',
          by: ({ reachability }) => reachability,
          cell: ({ reachability }) =>
            reachability === 'unknown' ? (
              <State state="unknown" tone="unknown" />
            ) : reachability === 'imported' ? (
              'yes'
            ) : (
              'no'
            ),
        },
        {
          name: 'epss',
          title: 'EPSS',
          number: true,
          by: ({ epss }) => epss?.score,
          cell: ({ epss }) => (epss ? percent(epss.score * 100, 1) : '–'),
        },
        { name: 'places', title: 'Named in', cell: ({ locations }) => <Places places={locations} most={2} /> },
      ]}
    />
  )
}

function What({ id, aliases, summary, known_exploited, malicious }: Vulnerability) {
  return (
    <span class="wide-cell">
      {summary || id}
      <code class="under">{[id, ...aliases].join(', ')}</code>
      {malicious && <State state="malicious package" tone="bad" />}
      {known_exploited && (
        <State
          state={known_exploited.ransomware ? 'exploited, by ransomware too' : 'known to be exploited'}
          tone="bad"
        />
      )}
    </span>
  )
}

function Decision({ status, dismissal, vex_status }: Vulnerability) {
  if (dismissal)
    return (
      <span class="wide-cell">
        <State state={dismissal.status} tone="good" />{' '}
        <span class="soft">{dismissal.by === 'vex' ? 'VEX' : 'ignored'}</span>
        <span class="under">
          {dismissal.reason}
          {dismissal.expires && ` Until ${day(dismissal.expires)}.`}
        </span>
      </span>
    )
  return (
    <>
      <State state={status} tone="bad" />
      {vex_status && <span class="under">VEX: {words(vex_status)}</span>}
    </>
  )
}
