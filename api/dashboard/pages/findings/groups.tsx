import { Path } from '../../components/path.tsx'
import { SeverityBadge, SeverityTally } from '../../components/severity.tsx'
import { Table } from '../../components/table.tsx'
import { count, counted } from '../../format.ts'
import type { Answers } from '../../server/answers.gen.ts'
import { change } from '../../shell/route.ts'
import type { Filter } from './filter.ts'

type Group = NonNullable<Answers['POST /api/findings/query']['groups']>[number]

/** Groups of findings; each leads to its findings. */
export function Groups({ groups, total, by }: { groups: readonly Group[]; total: number; by: Filter['group'] }) {
  return (
    <>
      <Table columns={['Worst', 'Group', 'By severity', 'Findings', 'Files']} label="Groups of findings">
        {groups.map(group => (
          <tr key={group.key}>
            <td>
              <SeverityBadge severity={group.worst} />
            </td>
            <td>
              <button
                type="button"
                class="link"
                onClick={() => change({ group: '', id: undefined, [by]: group.key })}
                disabled={group.key === ''}
              >
                {by === 'rule' ? group.title : <Path path={group.key || `no ${by}`} />}
              </button>
              {by === 'rule' && <code class="under">{group.key}</code>}
            </td>
            <td>
              <span class="chips">
                <SeverityTally counts={group.by_severity} />
              </span>
            </td>
            <td class="number">{count(group.count)}</td>
            <td class="number">{count(group.files)}</td>
          </tr>
        ))}
      </Table>
      {groups.length < total && (
        <p class="soft total">
          The largest {counted(groups.length, 'group')} of {count(total)} are shown.
        </p>
      )}
    </>
  )
}
