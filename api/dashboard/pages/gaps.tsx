import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Heading } from '../components/heading.tsx'
import { Path } from '../components/path.tsx'
import { Answered } from '../components/section.tsx'
import { Table } from '../components/table.tsx'
import { count, words } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import type { PageProps } from '../shell/registry.ts'

type Detail = Answers['GET /api/audit/runs/{run_id}']

/** Entries of each list that are asked for. */
const LISTED = 2000
/** Files of one reason up to which the list is open. */
const FEW = 10

/** What a run says nothing about: files that were skipped, rules that were not evaluated, suppressions that no longer hold. */
export default function Gaps({ run }: PageProps) {
  const loaded = useAnswer('GET /api/audit/runs/{run_id}', { run_id: run.id, limit: LISTED })
  return <Answered loaded={loaded}>{detail => <Lists {...detail} />}</Answered>
}

function Lists(detail: Detail) {
  const { not_evaluated, not_evaluated_total, notices } = detail
  return (
    <div class="gaps">
      <Heading title="Gaps" />
      <Skipped {...detail} />
      <Part
        title="Rules that were not evaluated"
        total={not_evaluated_total}
        shown={not_evaluated.length}
        columns={['Rule', 'File', 'Reason', 'Detail']}
        nothing="Every rule was evaluated on every file it is for."
      >
        {not_evaluated.map(({ rule_id, file, reason, detail: more }, at) => (
          <tr key={at}>
            <td>
              <code>{rule_id}</code>
            </td>
            <td>
              {file ? (
                <code>
                  <Path path={file} />
                </code>
              ) : (
                'every file'
              )}
            </td>
            <td>{words(reason)}</td>
            <td>{more}</td>
          </tr>
        ))}
      </Part>
      <Part
        title="Suppressions without effect"
        total={notices.length}
        shown={notices.length}
        columns={['Where', 'What', 'Detail']}
        nothing="Every suppression is in effect."
      >
        {notices.map(({ file, line, kind, detail: more }, at) => (
          <tr key={at}>
            <td>
              <code>
                <Path path={file} line={line} />
              </code>
            </td>
            <td>{words(kind.replace('suppression_', ''))}</td>
            <td>{more}</td>
          </tr>
        ))}
      </Part>
    </div>
  )
}

/** By reason, the rarest first: among many pictures one file that could not be read would not be seen. */
function Skipped({ skipped, skipped_total, run }: Detail) {
  const reasons = Object.entries(run.counts.skipped).sort(([, a], [, b]) => a - b)
  return (
    <section aria-labelledby="skipped">
      <h2 id="skipped">
        Files not scanned
        {skipped_total > 0 && <span class="tag">{count(skipped_total)}</span>}
      </h2>
      {skipped_total === 0 && <p class="good">Every file was read.</p>}
      {reasons.map(([reason, n]) => {
        const files = skipped.filter(file => file.reason === reason)
        return (
          <details key={reason} class="panel reason" open={n <= FEW}>
            <summary>
              <b>{words(reason)}</b>
              <span class="tag">{count(n)}</span>
            </summary>
            <ul>
              {files.map(({ path, detail }) => (
                <li key={path}>
                  <code>
                    <Path path={path} />
                  </code>
                  {detail && <span class="soft">{detail}</span>}
                </li>
              ))}
            </ul>
            <Rest shown={files.length} total={n} />
          </details>
        )
      })}
    </section>
  )
}

function Rest({ shown, total }: { shown: number; total: number }) {
  if (shown >= total) return null
  return <p class="soft">The first {count(shown)} are shown; the run.json of the run has all.</p>
}

function Part({
  title,
  total,
  shown,
  columns,
  nothing,
  children,
}: {
  title: string
  total: number
  shown: number
  columns: readonly string[]
  nothing: string
  children: ComponentChildren
}) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {title}
        {total > 0 && <span class="tag">{count(total)}</span>}
      </h2>
      {total === 0 ? (
        <p class="good">{nothing}</p>
      ) : (
        <Table columns={columns} label={title}>
          {children}
        </Table>
      )}
      <Rest shown={shown} total={total} />
    </section>
  )
}
