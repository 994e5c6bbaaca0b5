import { Choice } from '../components/field.tsx'
import { Figures } from '../components/figures.tsx'
import { List } from '../components/list.tsx'
import { Panel } from '../components/panel.tsx'
import { Place, Places } from '../components/place.tsx'
import { Answered, Section } from '../components/section.tsx'
import { defineStates, State } from '../components/state.tsx'
import { Table } from '../components/table.tsx'
import { Warnings } from '../components/warnings.tsx'
import { count, counted, day, percent, words } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import type { PageProps } from '../shell/registry.ts'
import { change, href } from '../shell/route.ts'

type Data = NonNullable<Answers['GET /api/pages/requirements']['data']>
type Row = Data['matrix']['rows'][number]
type StateName = NonNullable<Row['state']> | 'draft' | 'obsolete'

/** In the order in which they need somebody. */
const STATES = defineStates<StateName>({
  unimplemented: 'bad',
  untested: 'bad',
  suspect: 'warn',
  partly: 'warn',
  covered: 'good',
  draft: 'unknown',
  obsolete: 'unknown',
})
/** Drifts that are drawn. */
const LISTED = 200

/** Each requirement with its code and tests, and what changed since somebody confirmed it. */
export default function Requirements({ query }: PageProps) {
  const loaded = useAnswer('GET /api/pages/requirements', {})
  return (
    <Answered loaded={loaded}>
      {page => (
        <Section section={page} title="Requirements">
          {data => <Shown data={data} query={query} />}
        </Section>
      )}
    </Answered>
  )
}

/** The state of a requirement; drafts and obsolete ones count for no coverage, whatever is linked to them. */
function stateOf({ state, status }: Row): StateName {
  return status === 'approved' ? (state ?? 'unimplemented') : status
}

function Shown({ data, query }: { data: Data; query: URLSearchParams }) {
  const { rows, summary, problems, not_evaluated, orphans, test_reports } = data.matrix
  const wanted = STATES.all.find(state => state === query.get('state'))
  return (
    <>
      <Figures
        title={counted(summary.requirements, 'requirement')}
        figures={[
          { label: `of ${count(summary.approved)} approved covered`, value: percent(summary.coverage) },
          ...STATES.all.slice(0, 5).map(state => ({
            label: words(state),
            value: count(summary.states[state as keyof typeof summary.states]),
          })),
          { label: 'drafts', value: count(summary.drafts) },
          {
            label: 'drifted',
            value: count(data.drifts.length),
            tone: data.drifts.length > 0 ? ('bad' as const) : undefined,
          },
        ]}
      />
      <Warnings
        texts={[
          ...problems.slice(0, LISTED).map(({ file, line, message }) => `${file}:${line}: ${message}`),
          ...not_evaluated.map(({ file, reason }) => `Not read: ${file}. ${reason}`),
          ...test_reports.flatMap(({ path, fault }) => (fault ? [`Test report ${path}: ${fault}`] : [])),
          ...(orphans.length > 0
            ? [
                `${counted(orphans.length, 'requirement')} without a parent where the level asks for one: ${orphans.slice(0, 20).join(', ')}`,
              ]
            : []),
        ]}
      />
      <List
        label="Requirements"
        one="requirement"
        rows={wanted ? rows.filter(row => stateOf(row) === wanted) : rows}
        initially="state"
        keyOf={({ id, file }) => `${file} ${id}`}
        textOf={row => [row.id, row.title, row.level, row.status, stateOf(row), ...row.controls].join(' ')}
        columns={[
          {
            name: 'id',
            title: 'Requirement',
            by: ({ id }) => id,
            cell: ({ id, title, level, file, line }) => (
              <span class="wide-cell">
                <code>{id}</code> {title}
                <span class="under">
                  {level && `${level}, `}
                  {file}:{line}
                </span>
              </span>
            ),
          },
          {
            name: 'state',
            title: 'State',
            by: row => STATES.rank(stateOf(row)),
            cell: row => (
              <>
                <STATES.Shown state={stateOf(row)} />
                {row.reasons.slice(0, 3).map(reason => (
                  <span key={reason} class="under">
                    {reason}
                  </span>
                ))}
              </>
            ),
          },
          {
            name: 'code',
            title: 'Code',
            by: ({ code }) => code.length,
            cell: ({ code, more_code }) => <Linked places={code} more={more_code} />,
          },
          { name: 'tests', title: 'Tests', by: ({ tests }) => tests.length, cell: row => <Tests {...row} /> },
          {
            name: 'controls',
            title: 'Controls',
            cell: ({ controls }) =>
              controls.map(control => (
                <a key={control} class="under" href={href('findings', { control, status: 'all' })}>
                  {control}
                </a>
              )),
          },
          {
            name: 'confirmed',
            title: 'Confirmed',
            by: ({ confirmed }) => confirmed?.at,
            cell: ({ confirmed }) =>
              confirmed ? (
                <>
                  {day(confirmed.at)}
                  <span class="under">{confirmed.by}</span>
                </>
              ) : (
                <span class="soft">never</span>
              ),
          },
        ]}
      >
        <Choice
          label="State"
          value={wanted ?? ''}
          options={[['', 'All states'], ...STATES.all.map((state): [string, string] => [state, STATES.name(state)])]}
          onChange={state => change({ state })}
        />
      </List>
      <Drift {...data} />
    </>
  )
}

function Linked({ places, more }: { places: Row['code']; more: number }) {
  return places.length > 0 ? <Places places={places} more={more} /> : <span class="soft">none</span>
}

function Tests({ tests, more_tests }: Row) {
  if (tests.length === 0) return <span class="soft">none</span>
  const failed = tests.filter(({ last_run }) => last_run?.outcome === 'failed').length
  const unknown = tests.filter(({ last_run }) => !last_run).length
  return (
    <>
      <Places places={tests} more={more_tests} />
      {failed > 0 && <State state={`${count(failed)} failed`} tone="bad" />}
      {unknown > 0 && <span class="under">{counted(unknown, 'result')} unknown</span>}
    </>
  )
}

function Drift({ drifts, not_evaluated, unconfirmed, compared }: Data) {
  return (
    <Panel title="Drift since a requirement was confirmed" class="padded apart">
      <p class="soft">
        {counted(compared, 'requirement')} compared
        {unconfirmed.length > 0 &&
          `; ${count(unconfirmed.length)} never confirmed, so their drift is unknown: svc verify-reqs --confirm`}
        {not_evaluated.length > 0 && `; ${counted(not_evaluated.length, 'comparison')} not possible`}.
      </p>
      {drifts.length === 0 ? (
        <p class={compared > 0 ? 'good' : 'soft'}>
          {compared > 0 ? 'Nothing drifted among those compared.' : 'Unknown: nothing could be compared.'}
        </p>
      ) : (
        <Table columns={['Requirement', 'What', 'Where']} label="Drift">
          {drifts.slice(0, LISTED).map(({ id, title, type, message, file, line }, at) => (
            <tr key={at}>
              <td>
                <code>{id}</code> {title}
              </td>
              <td>
                <span class="wide-cell">
                  {message}
                  <span class="under">{words(type)}</span>
                </span>
              </td>
              <td>
                <Place file={file} line={line} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {drifts.length > LISTED && <p class="soft total">{count(drifts.length - LISTED)} more are not shown.</p>}
    </Panel>
  )
}
