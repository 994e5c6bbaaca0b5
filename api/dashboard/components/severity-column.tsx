import type { Severity } from '../format.ts'
import type { Column } from './list.tsx'
import { SeverityBadge } from './severity.tsx'
import { rankOf } from './worst.ts'

/** The column of a list whose rows have a severity; the list is sorted by it at first where it says `-severity`. */
export const SEVERITY_COLUMN: Column<{ severity: Severity }> = {
  name: 'severity',
  title: 'Severity',
  number: true,
  by: ({ severity }) => rankOf(severity),
  cell: ({ severity }) => <SeverityBadge severity={severity} />,
}
