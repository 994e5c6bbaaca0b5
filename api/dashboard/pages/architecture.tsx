import { Behind } from '../charts/behind.tsx'
import { Graph } from '../charts/graph.tsx'
import { Figures } from '../components/figures.tsx'
import { List } from '../components/list.tsx'
import { Panel } from '../components/panel.tsx'
import { Place } from '../components/place.tsx'
import { PLACE_COLUMN } from '../components/place-column.tsx'
import { Answered, Section } from '../components/section.tsx'
import { SEVERITY_COLUMN } from '../components/severity-column.tsx'
import { State } from '../components/state.tsx'
import { count, counted } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'

type Data = NonNullable<Answers['GET /api/pages/architecture']['data']>

/** Edges of the table behind the graph. */
const LISTED = 300

/** Which parts of the repository import which, what violates the rules, and what imports itself in the end. */
export default function Architecture() {
  const loaded = useAnswer('GET /api/pages/architecture', {})
  return (
    <Answered loaded={loaded}>
      {page => (
        <Section section={page} title="Architecture">
          {data => <Shown {...data} />}
        </Section>
      )}
    </Answered>
  )
}

function Shown(data: Data) {
  const { rules, files, unread, nodes, edges, violations, violations_total, cycles_total } = data
  const open = violations.filter(({ status }) => status === 'open').length
  return (
    <>
      <Figures
        title="Architecture"
        figures={[
          { label: 'source files', value: count(files) },
          {
            label: 'violations',
            value: rules === null ? '–' : count(violations_total),
            tone: open > 0 ? 'bad' : undefined,
          },
          {
            label: cycles_total === 1 ? 'group of files in a cycle' : 'groups of files in cycles',
            value: count(cycles_total),
          },
          ...(unread > 0
            ? [{ label: 'files whose imports are unknown', value: count(unread), tone: 'bad' as const }]
            : []),
        ]}
      >
        <p class="soft">
          {rules === null ? (
            <>
              There are no rules, so nothing can violate one. <code>svc check-arch --init</code> writes them from the
              present structure.
            </>
          ) : (
            <>
              Checked against <code>{rules}</code>.
            </>
          )}
        </p>
      </Figures>
      <Panel title="Imports between files and directories" class="padded">
        <p class="soft">
          {nodes.length > 0 ? 'What is above imports what is below.' : 'No file imports from another.'}
          {nodes.length > 0 && rules !== null && ' A line that violates a rule is marked.'}
        </p>
        <Graph
          nodes={nodes}
          edges={edges}
          label={`${counted(nodes.length, 'file or directory', 'files and directories')} and ${counted(edges.length, 'link')} between them; the table below has them`}
        />
        <Behind label="Imports between files and directories" columns={['From', 'To', 'Imports', 'Violations', 'Kind']}>
          {[...edges]
            .sort((a, b) => b.violations - a.violations || b.imports - a.imports)
            .slice(0, LISTED)
            .map(({ from, to, imports, violations: n, type_only }) => (
              <tr key={`${from} ${to}`}>
                <td>
                  <code>{nodes[from]}</code>
                </td>
                <td>
                  <code>{nodes[to]}</code>
                </td>
                <td class="number">{count(imports)}</td>
                <td class={n > 0 ? 'number bad' : 'number'}>{count(n)}</td>
                <td>{type_only ? 'types only' : ''}</td>
              </tr>
            ))}
        </Behind>
        {edges.length > LISTED && <p class="soft">{count(edges.length - LISTED)} more links are not listed.</p>}
      </Panel>
      {rules !== null && <Violations violations={violations} total={violations_total} />}
      <Cycles {...data} />
    </>
  )
}

function Violations({ violations, total }: { violations: Data['violations']; total: number }) {
  return (
    <div class="apart">
      <h2>Violations</h2>
      {violations.length === 0 ? (
        <p class="good">No import violates a rule.</p>
      ) : (
        <List
          label="Violations"
          one="violation"
          rows={violations}
          initially="-severity"
          keyOf={(_, at) => at}
          textOf={row => [row.rule, row.title, row.message, row.file, row.target, row.severity, row.status].join(' ')}
          columns={[
            SEVERITY_COLUMN,
            {
              name: 'rule',
              title: 'Rule',
              by: ({ rule }) => rule,
              cell: ({ rule, message, reason }) => (
                <span class="wide-cell">
                  {message}
                  <span class="under">
                    <code>{rule}</code> {reason}
                  </span>
                </span>
              ),
            },
            PLACE_COLUMN,
            {
              name: 'status',
              title: 'State',
              by: ({ status }) => status,
              cell: ({ status }) => <State state={status} tone={status === 'open' ? 'bad' : 'warn'} />,
            },
          ]}
        />
      )}
      {total > violations.length && (
        <p class="soft total">
          {count(total - violations.length)} more: <code>svc check-arch</code> lists all.
        </p>
      )}
    </div>
  )
}

function Cycles({ cycles, cycles_total, unread }: Data) {
  return (
    <Panel title="Cycles" class="padded apart">
      {cycles.length === 0 && (
        <p class={unread === 0 ? 'good' : 'soft'}>
          No import cycles{unread > 0 && ' among the files whose imports are known'}.
        </p>
      )}
      <ul class="entries">
        {cycles.map(({ files, total }, at) => (
          <li key={at}>
            <details>
              <summary>
                {counted(total, 'file')} import each other: <code>{files[0]}</code> and others
              </summary>
              <ul class="places indented">
                {files.map(file => (
                  <li key={file}>
                    <Place file={file} />
                  </li>
                ))}
                {total > files.length && <li class="soft">and {count(total - files.length)} more</li>}
              </ul>
            </details>
          </li>
        ))}
      </ul>
      {cycles_total > cycles.length && (
        <p class="soft">{count(cycles_total - cycles.length)} more groups are not listed.</p>
      )}
    </Panel>
  )
}
