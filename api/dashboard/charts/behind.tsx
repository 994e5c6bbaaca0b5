import type { ComponentChildren } from 'preact'
import { Table } from '../components/table.tsx'

/** The figures behind a chart as a table, closed at first. */
export function Behind({
  label,
  columns,
  children,
}: {
  label: string
  columns: readonly string[]
  children: ComponentChildren
}) {
  return (
    <details class="behind-chart">
      <summary>Figures</summary>
      <Table columns={columns} label={label}>
        {children}
      </Table>
    </details>
  )
}
