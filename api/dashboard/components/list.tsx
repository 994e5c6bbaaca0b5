import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { count, counted } from '../format.ts'
import { change, route } from '../shell/route.ts'
import { SearchField } from './field.tsx'
import { findRows, sortRows } from './rows.ts'

/** Rows that are drawn at once. */
const DRAWN = 300

/** A column of a list. */
export interface Column<T> {
  /** Its name in the address, where the list is sorted by it. */
  name: string
  title: string
  number?: true
  /** What rows are sorted by; what is not known comes last either way. Without it, the column is not sorted by. */
  by?(row: T): number | string | null | undefined
  cell(row: T): ComponentChildren
}

/** A long table: searched by any word, sorted by any column, both in the address; past 300 rows it says how many more there are. */
export function List<T>({
  label,
  one,
  many,
  rows,
  columns,
  initially,
  textOf,
  keyOf,
  children,
}: {
  label: string
  /** The word for one row, and for many where that is not the word with an s. */
  one: string
  many?: string
  rows: readonly T[]
  columns: readonly Column<NoInfer<T>>[]
  /** The column that is sorted by at first; with a minus, from the greatest. */
  initially: string
  /** What a row is found by; without it there is no search. */
  textOf?(row: T): string
  keyOf(row: T, at: number): string | number
  /** Further choices beside the search. */
  children?: ComponentChildren
}) {
  const { query } = route.value
  const search = textOf ? (query.get('search') ?? '') : ''
  const sort = query.get('sort') ?? initially
  const shown = useMemo(() => sortRows(findRows(rows, search, textOf), columns, sort), [rows, search, sort])
  return (
    <>
      {(textOf || children) && (
        <div class="filters">
          {textOf && (
            <SearchField
              value={search}
              label={`Search ${label.toLowerCase()}`}
              placeholder={`Search ${label.toLowerCase()}`}
              onSearch={text => change({ search: text }, { replace: true })}
            />
          )}
          {children}
        </div>
      )}
      <p class="soft total" role="status">
        {counted(shown.length, one, many)}
        {shown.length < rows.length && ` of ${count(rows.length)}`}
        {shown.length > DRAWN &&
          `, the first ${count(DRAWN)} shown: search for the other ${count(shown.length - DRAWN)}`}
      </p>
      <div class="panel scrolls" tabIndex={0} role="region" aria-label={label}>
        <table>
          <thead>
            <tr>
              {columns.map(column => (
                <Head key={column.name} column={column} sort={sort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, DRAWN).map((row, at) => (
              <tr key={keyOf(row, at)}>
                {columns.map(({ name, number, cell }) => (
                  <td key={name} class={number ? 'number' : undefined}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Head<T>({ column: { name, title, by, number }, sort }: { column: Column<T>; sort: string }) {
  if (!by) return <th scope="col">{title}</th>
  const up = sort === name
  const down = sort === `-${name}`
  const next = down || (!up && !number) ? name : `-${name}`
  return (
    <th scope="col" aria-sort={up ? 'ascending' : down ? 'descending' : undefined} class={number && 'number'}>
      <button type="button" class="sorts" onClick={() => change({ sort: next }, { replace: true })}>
        {title}
        <span aria-hidden="true">{up ? ' ↑' : down ? ' ↓' : ''}</span>
      </button>
    </th>
  )
}
