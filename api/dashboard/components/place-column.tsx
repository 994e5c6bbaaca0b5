import type { Column } from './list.tsx'
import { Place } from './place.tsx'

/** The column of a list whose rows are each at one place of a file. */
export const PLACE_COLUMN: Column<{ file: string; line?: number }> = {
  name: 'place',
  title: 'Where',
  by: ({ file }) => file,
  cell: ({ file, line }) => <Place file={file} line={line} />,
}
