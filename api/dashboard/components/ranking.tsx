import { count, type Severity } from '../format.ts'
import { Panel } from './panel.tsx'

/** A row of a ranking. */
export interface Ranked {
  label: string
  hint?: string
  mono?: boolean
  severity: Severity
  count: number
  href: string
}

/** Rows by how many findings each has, drawn as bars; a row leads to its findings. */
export function Ranking({ title, rows }: { title: string; rows: readonly Ranked[] }) {
  const most = Math.max(1, ...rows.map(row => row.count))
  return (
    <Panel title={title} class="ranking">
      {rows.length === 0 && <p class="soft">None.</p>}
      <ol>
        {rows.map(row => (
          <li key={row.href}>
            <a href={row.href} title={row.hint ?? row.label}>
              <span class={row.mono ? 'label mono' : 'label'}>{row.mono ? <bdi>{row.label}</bdi> : row.label}</span>
              <b>{count(row.count)}</b>
              <i class={row.severity} style={{ width: `${Math.max(2, (100 * row.count) / most)}%` }} />
            </a>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
