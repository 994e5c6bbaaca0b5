import { Choice } from '../components/field.tsx'
import { FindingLine } from '../components/finding-line.tsx'
import { Heading } from '../components/heading.tsx'
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
      <Heading title="Comparison of two runs" />
      <p class="soft total">
        A finding is one fingerprint here, and counts once; the same fingerprint may stand at several places, which the
        other pages count each.
      </p>
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
    <Choice
      label={label}
      value={value}
      options={listChoices().map(({ id, started_at, branch, scope }) => [
        id,
        [when(started_at), branch, scope === 'everything' ? undefined : scope].filter(Boolean).join(' '),
      ])}
      onChange={onChange}
    />
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
    <Panel title={title} class="padded" aside={<b class={total === 0 ? 'soft' : kind}>{count(total)}</b>}>
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
