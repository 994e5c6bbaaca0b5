import { FindingLine } from '../components/finding-line.tsx'
import { Panel } from '../components/panel.tsx'
import { Answered } from '../components/section.tsx'
import { count, when } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import type { PageProps } from '../shell/registry.ts'
import { change, href } from '../shell/route.ts'
import { listChoices } from '../shell/runs.ts'

type Line = Answers['GET /api/audit/runs/{run_id}/compare']['new'][number]

/** Findings of each list that are shown. */
const LISTED = 500

/** Any two runs side by side: what is new, what is resolved, what stayed. */
export default function Compare({ run, query }: PageProps) {
  const against = query.get('against') ?? undefined
  const loaded = useAnswer('GET /api/audit/runs/{run_id}/compare', { run_id: run.id, against, limit: LISTED })
  return (
    <>
      <h1>Comparison of two runs</h1>
      <div class="filters">
        <RunChoice label="Run" value={run.id} onChange={id => change({ run: id })} />
        <span>against</span>
        <RunChoice
          label="Against"
          value={loaded.answer?.against ?? against ?? ''}
          onChange={id => change({ against: id })}
        />
      </div>
      <Answered loaded={loaded}>
        {({ counts, new: added, resolved, unchanged, run_id, against: other }) => (
          <div class="stacked">
            <Lines title="New" kind="bad" total={counts.new} lines={added} run={run_id} />
            <Lines title="Resolved" kind="good" total={counts.resolved} lines={resolved} run={other} />
            <Lines title="In both" kind="soft" total={counts.unchanged} lines={unchanged} run={run_id} />
            {counts.not_compared > 0 && (
              <p class="bad">
                {count(counts.not_compared)} findings are of files or rules that one of the two runs did not look at:
                they are neither new nor resolved.
              </p>
            )}
          </div>
        )}
      </Answered>
    </>
  )
}

function RunChoice({ label, value, onChange }: { label: string; value: string; onChange(id: string): void }) {
  return (
    <label class="choice">
      <span class="visually-hidden">{label}</span>
      <select value={value} onChange={event => onChange(event.currentTarget.value)}>
        {listChoices().map(run => (
          <option key={run.id} value={run.id}>
            {when(run.started_at)} {run.branch ?? ''} {run.scope === 'everything' ? '' : run.scope}
          </option>
        ))}
      </select>
    </label>
  )
}

function Lines({
  title,
  kind,
  total,
  lines,
  run,
}: {
  title: string
  kind: string
  total: number
  lines: readonly Line[]
  run: string
}) {
  return (
    <Panel title={title} class="padded" aside={<b class={kind}>{count(total)}</b>}>
      {total === 0 && <p class="soft">None.</p>}
      <ul class="lines">
        {lines.map(line => (
          <li key={line.fingerprint}>
            <FindingLine finding={line} href={href('finding', { id: line.fingerprint, run })} />
          </li>
        ))}
      </ul>
      {lines.length < total && (
        <p class="soft">
          The first {count(lines.length)} of {count(total)} are shown.
        </p>
      )}
    </Panel>
  )
}
