import { DATA_ROWS } from './stride-data.ts'
import { PROCESS_ROWS } from './stride-processes.ts'
import type { StrideRow } from './stride-row.ts'

/** STRIDE per element, as data. Every row is held by a test. */
export const STRIDE_TABLE: readonly StrideRow[] = [...PROCESS_ROWS, ...DATA_ROWS]
