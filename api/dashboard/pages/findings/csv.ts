/** Characters with which a spreadsheet begins a formula: a repository chooses names, and a name must not run. */
const FORMULA = /^[=+\-@\t\r]/

/** CSV (RFC 4180) with a head; texts that a spreadsheet would take for a formula begin with an apostrophe. */
export function formatCsv(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [columns, ...rows].map(cells => `${cells.map(toCell).join(',')}\r\n`).join('')
}

function toCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
