import { useState } from 'preact/hooks'
import { Heading } from '../components/heading.tsx'
import { saveFile } from '../components/save.ts'
import { SeverityTally } from '../components/severity.tsx'
import { Table } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { Warnings } from '../components/warnings.tsx'
import { count, counted, duration, rated, when } from '../format.ts'
import { download } from '../server/request.ts'
import type { PageProps } from '../shell/registry.ts'
import { href } from '../shell/route.ts'
import { findRunBefore, hasEarlier, loadEarlierRuns, type RunSummary, runs, stored } from '../shell/runs.ts'
import { showFault } from '../shell/said.ts'

/** The stored runs, newest first: choose one to look at it, compare it, or take its report along. */
export default function Runs({ run: shown }: PageProps) {
  const list = runs.value!
  const { total, damaged } = stored.value
  return (
    <>
      <Heading title="Runs" />
      <p class="soft total" role="status">
        {list.length < total ? `${count(list.length)} of ${counted(total, 'run')} shown` : counted(total, 'run')},
        newest first
      </p>
      <Warnings texts={damaged.map(({ id, reason }) => `Run ${id} cannot be read: ${reason}`)} />
      <Table columns={['When', 'Branch', 'Scanned', 'Open', 'By severity', 'Rating', 'Took', 'More']} label="Runs">
        {list.map(run => (
          <Row key={run.id} run={run} isShown={run === shown} />
        ))}
      </Table>
      {hasEarlier.value && <EarlierButton />}
    </>
  )
}

function EarlierButton() {
  const [busy, setBusy] = useState(false)
  const load = () => {
    setBusy(true)
    loadEarlierRuns()
      .catch(showFault)
      .finally(() => setBusy(false))
  }
  return (
    <button type="button" class="quiet more" disabled={busy} onClick={load}>
      Show earlier runs
    </button>
  )
}

function Row({ run, isShown }: { run: RunSummary; isShown: boolean }) {
  const { by_severity, files, open } = run.counts
  const before = findRunBefore(run)
  return (
    <tr aria-current={isShown ? 'true' : undefined}>
      <td>
        <a class="link unbroken" href={href('overview', { run: run.id })}>
          {when(run.started_at)}
        </a>
        <span class="under">
          <Time at={run.started_at} />
        </span>
      </td>
      <td>
        {run.branch}
        {run.git_sha && <code class="under">{run.git_sha.slice(0, 8)}</code>}
      </td>
      <td>
        {counted(files, 'file')}
        {run.scope !== 'everything' && <span class="under">{run.scope}</span>}
      </td>
      <td class="number">{count(open)}</td>
      <td>
        <span class="chips">
          <SeverityTally counts={by_severity} />
        </span>
      </td>
      <td>
        <b class={rated(run.rating)}>{run.rating ?? '–'}</b>
      </td>
      <td class="number">{duration(run.duration_ms)}</td>
      <td>
        <span class="chips">
          <ReportButton run={run} />
          {before && (
            <a class="quiet small button" href={href('compare', { run: run.id, against: before.id })}>
              Compare<span class="visually-hidden"> {when(run.started_at)} with the run before</span>
            </a>
          )}
        </span>
      </td>
    </tr>
  )
}

/** The report as a file: opened inside this page it would share the page's rights. */
function ReportButton({ run }: { run: RunSummary }) {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const report = await download(`/api/audit/runs/${encodeURIComponent(run.id)}/report`)
      saveFile(`report-${run.id}.html`, 'text/html', report)
    } catch (error) {
      showFault(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <button
      type="button"
      class="quiet small"
      disabled={busy}
      aria-label={`Download the report of ${when(run.started_at)}`}
      onClick={save}
    >
      Report
    </button>
  )
}
