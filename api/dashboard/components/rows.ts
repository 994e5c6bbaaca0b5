/** What rows are sorted by. */
interface Sorted<T> {
  name: string
  by?(row: T): number | string | null | undefined
}

/** The rows with every word of a search in their text, in any case. */
export function findRows<T>(rows: readonly T[], search: string, textOf: ((row: T) => string) | undefined): T[] {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (!textOf || terms.length === 0) return [...rows]
  return rows.filter(row => {
    const text = textOf(row).toLowerCase()
    return terms.every(term => text.includes(term))
  })
}

/** The rows by a column, named as in the address; what is not known comes last either way. */
export function sortRows<T>(rows: readonly T[], columns: readonly Sorted<T>[], sort: string): T[] {
  const down = sort.startsWith('-')
  const by = columns.find(({ name }) => name === sort.slice(down ? 1 : 0))?.by
  if (!by) return [...rows]
  const direction = down ? -1 : 1
  return rows
    .map(row => ({ row, value: by(row) ?? undefined }))
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined)
        return Number(a.value === undefined) - Number(b.value === undefined)
      if (typeof a.value === 'number' && typeof b.value === 'number') return direction * (a.value - b.value)
      return direction * String(a.value).localeCompare(String(b.value))
    })
    .map(({ row }) => row)
}
