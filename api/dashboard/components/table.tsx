import type { ComponentChildren } from 'preact'

/** A table in a panel that scrolls sideways where it has to; `children` are the rows. */
export function Table({
  columns,
  label,
  children,
}: {
  columns: readonly string[]
  /** What the table is of, where no heading says it. */
  label?: string
  children: ComponentChildren
}) {
  return (
    // A box that scrolls must be reached by keyboard.
    <div class="panel scrolls" tabIndex={0} role="region" aria-label={label ?? columns.join(', ')}>
      <table>
        <thead>
          <tr>
            {columns.map(column => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
