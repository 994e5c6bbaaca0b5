import type { ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useState } from 'preact/hooks'
import { WriteButton } from '../components/write-button.tsx'
import { when } from '../format.ts'
import { refresh } from '../server/load.ts'
import { reach } from '../server/session.ts'
import { PAGES, type Page, type PageProps } from './registry.ts'
import { href, route } from './route.ts'
import { hasNewer, isEarlier, isSeeking, loadRuns, type RunSummary, runs, shownRun, sought } from './runs.ts'
import { showFault } from './said.ts'
import { scan, startScan } from './scanning.tsx'

const loaded = new Map<string, ComponentType<PageProps>>()

/** The page of the address, once its code is there and the runs are known. */
export function Content() {
  const { page, query } = route.value
  const known = PAGES[page]
  if (!known) return <NotFound page={page} />
  if (!runs.value || (isSeeking.value && !known.always)) return <p class="loading">Loading…</p>
  const run = shownRun.value
  if (!run && !known.always) return <NothingToShow page={page} />
  return (
    <>
      <RunNotice run={run} page={page} />
      <Shown key={`${page} ${known.present ? '' : run?.id}`} name={page} page={known} run={run!} query={query} />
    </>
  )
}

function Shown({ name, page, run, query }: { name: string; page: Page } & PageProps) {
  const [, drawn] = useState(0)
  const [error] = useErrorBoundary(showFault)
  const Component = loaded.get(name)
  useEffect(() => {
    if (Component) return
    page.load().then(
      module => {
        loaded.set(name, module.default)
        drawn(1)
      },
      () => explainMissing().catch(showFault),
    )
  }, [name])
  if (error) return <p class="loading">This page could not be drawn.</p>
  return Component ? <Component run={run} query={query} /> : <p class="loading">Loading…</p>
}

/** Why the code of a page did not come: nothing answers, or the files of another build are there. */
async function explainMissing(): Promise<void> {
  await reach('/health')
  showFault(new Error('This page belongs to another build of the program. Reload it in the browser.'))
}

/** Says that an earlier run is shown, or that a newer one can be. */
function RunNotice({ run, page }: { run: RunSummary | undefined; page: string }) {
  if (run && isEarlier.value)
    return (
      <p class="earlier">
        {PAGES[page]!.present ? 'This page shows the present state; chosen is the run' : 'The run'} of{' '}
        {when(run.started_at)}. <a href={href(page, { run: undefined })}>Show the latest</a>
      </p>
    )
  if (!hasNewer.value) return null
  const show = async () => {
    await loadRuns()
    // A page of the present state stays, whatever run is shown, and asks again itself.
    if (PAGES[page]!.present) refresh()
  }
  return (
    <p class="earlier" role="status">
      A newer run was stored.{' '}
      <button type="button" class="link" onClick={() => show().catch(showFault)}>
        Show it
      </button>
    </p>
  )
}

function NotFound({ page }: { page: string }) {
  return (
    <section class="empty">
      <h1>No such page</h1>
      <p>
        There is no page <code>{page}</code>.
      </p>
      <a href={href('overview')}>To the overview</a>
    </section>
  )
}

function NothingToShow({ page }: { page: string }) {
  if (runs.value!.length > 0)
    return (
      <p class="earlier">
        {sought.value?.fault?.message ?? 'That run is not known.'}{' '}
        <a href={href(page, { run: undefined })}>Show the latest</a>
      </p>
    )
  return (
    <section class="empty">
      <h1>Nothing has been scanned yet</h1>
      <p>A scan reads every file of this repository, on this machine only, and stores the findings in out/.</p>
      <WriteButton class="primary large" busy={scan.value !== undefined} onClick={() => void startScan()}>
        Scan this repository
      </WriteButton>
    </section>
  )
}
