import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { SeverityTally } from '../components/severity.tsx'
import { bytes, count, counted, duration, SEVERITIES, type Severity } from '../format.ts'
import { refresh } from '../server/load.ts'
import { stream } from '../server/request.ts'
import { go, route } from './route.ts'
import { loadRuns } from './runs.ts'
import { say, showFault } from './said.ts'

/** A scan under way. */
interface Scan {
  began: number
  stop: AbortController
  tally: Record<Severity, number>
  figures: string
  done: number
  total: number
}

/** The scan that this page started; undefined where none runs. */
export const scan = signal<Scan>()

interface Progress {
  done: number
  total: number
  bytes: number
  findings: number
}

/** Scans the repository, and shows what it found. */
export async function startScan(): Promise<void> {
  if (scan.value) return
  const stop = new AbortController()
  const tally = Object.fromEntries(SEVERITIES.map(severity => [severity, 0])) as Scan['tally']
  scan.value = { began: performance.now(), stop, tally, figures: 'Looking for files…', done: 0, total: 0 }
  say('The scan has started.')
  try {
    const { run_id, total } = await stream<{ run_id: string; total: number }>(
      '/api/run-scan-stream',
      {},
      (name, data) => {
        if (scan.value) scan.value = { ...scan.value, ...tell(scan.value, name, data) }
      },
      stop.signal,
    )
    await loadRuns()
    refresh()
    say(`The scan is done: ${counted(total, 'finding')}.`)
    const chosen = route.value.query.get('run')
    if (chosen && chosen !== run_id) go('overview', { run: undefined })
  } catch (error) {
    if (stop.signal.aborted) say('The scan was stopped. Nothing was stored.')
    else showFault(error)
  } finally {
    scan.value = undefined
  }
}

function tell(before: Scan, name: string, data: unknown): Partial<Scan> {
  if (name === 'started') return { figures: counted((data as { files: number }).files, 'file') }
  if (name === 'finding') {
    const { status, severity } = data as { status: string; severity: Severity }
    if (status === 'suppressed') return {}
    return { tally: { ...before.tally, [severity]: before.tally[severity] + 1 } }
  }
  if (name !== 'progress') return {}
  const { done, total, bytes: read, findings } = data as Progress
  if (total === 0) return {}
  const figures = `${count(done)} of ${counted(total, 'file')}, ${bytes(read)}, ${counted(findings, 'finding')}`
  return { done, total, figures }
}

/** The progress of the scan, with a way to stop it. */
export function Scanning() {
  const running = scan.value
  return (
    <section class="scanning" id="scanning" aria-label="Scan in progress" hidden={!running}>
      {running && (
        <div class="inner">
          <div class="line">
            <p class="figures">{running.figures}</p>
            <p class="chips">
              <SeverityTally counts={running.tally} />
            </p>
            <Clock {...running} />
            <button type="button" class="quiet" onClick={() => running.stop.abort()}>
              Stop
            </button>
          </div>
          <progress
            max={running.total || 1}
            value={running.total ? running.done : undefined}
            aria-label="Files scanned"
          />
        </div>
      )}
    </section>
  )
}

function Clock({ began, done, total }: Scan) {
  const [now, setNow] = useState(performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250)
    return () => clearInterval(timer)
  }, [])
  const spent = Math.max(0, now - began)
  // Before a twentieth is done, a guess of what is left is worth nothing.
  const left = done > 0 && done >= total / 20 && done < total ? (spent / done) * (total - done) : undefined
  return (
    <span class="soft">
      {left === undefined ? duration(spent) : `${duration(spent)}, about ${duration(left)} left`}
    </span>
  )
}
