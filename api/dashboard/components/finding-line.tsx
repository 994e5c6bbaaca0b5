import type { Severity } from '../format.ts'
import { SeverityBadge } from './severity.tsx'
import { State } from './state.tsx'

/** What a line of a finding shows. */
export interface LineOfFinding {
  severity: Severity
  title: string
  file: string
  line: number
  status?: string
  in_test?: boolean
}

/** A finding on one line: how bad, what, where. `short` leaves out the directory. */
export function FindingLine({
  finding,
  href,
  more,
  live = false,
  short = false,
}: {
  finding: LineOfFinding
  href: string
  /** What stands behind the title. */
  more?: string
  /** Whether it is a secret that works. */
  live?: boolean
  short?: boolean
}) {
  const { severity, title, status, in_test, line } = finding
  const cut = finding.file.lastIndexOf('/') + 1
  return (
    <a class="finding-line" href={href} title={`${finding.file}:${line}`}>
      <SeverityBadge severity={severity} />
      <span class="title">{title}</span>
      {status && status !== 'open' && <span class="tag">{status}</span>}
      {in_test && <span class="tag">test</span>}
      {live && <State state="live" tone="bad" />}
      {more && <span class="soft">{more}</span>}
      <code class="place">
        {!short && cut > 0 && <span>{finding.file.slice(0, cut)}</span>}
        <span class="name">{finding.file.slice(cut)}</span>
        <b>:{line}</b>
      </code>
    </a>
  )
}
