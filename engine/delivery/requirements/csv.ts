import { addRequirement, mapStatus, type RequirementFile, type RequirementReader } from './model.ts'

/** What the columns are called, in lower case without blanks and punctuation. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  id: ['id', 'uid', 'key', 'requirementid', 'reqid', 'identifier', 'number'],
  title: ['title', 'name', 'summary', 'requirement', 'headline'],
  description: ['description', 'text', 'statement', 'body', 'details'],
  status: ['status', 'state'],
  level: ['level', 'type'],
  parent: ['parent', 'parents', 'parentid', 'derivedfrom', 'satisfies'],
  acceptance: ['acceptance', 'acceptancecriteria'],
  files: ['files', 'file', 'code'],
  tests: ['tests', 'test'],
  controls: ['controls', 'control'],
  url: ['url', 'link'],
}

/**
 * Reads a table with a header (RFC 4180; comma, semicolon or tab, whichever the header has most of). A column without a meaning is left out; a cell
 * with several values has them on lines, or separated by `|` or `;`.
 */
export const readRequirementCsv: RequirementReader = (text, file) => {
  const into: RequirementFile = { requirements: [], faults: [] }
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const header = source.slice(0, (source.indexOf('\n') + 1 || source.length + 1) - 1)
  const separator = [',', ';', '\t'].reduce((a, b) => (header.split(b).length > header.split(a).length ? b : a))
  const rows = parseCsv(source, separator)
  if ('fault' in rows) {
    into.faults.push({ kind: 'invalid', file, line: rows.line, message: rows.fault })
    return into
  }
  const names = (rows[0]?.cells ?? []).map(cell => cell.toLowerCase().replace(/[^a-z]/g, ''))
  const indexes = new Map(
    Object.entries(COLUMNS).map(([field, known]) => [field, names.findIndex(name => known.includes(name))]),
  )
  if (indexes.get('id') === -1 || (indexes.get('title') === -1 && indexes.get('description') === -1)) {
    const message = 'The table has no column id, or none of title and description.'
    into.faults.push({ kind: 'invalid', file, line: 1, message })
    return into
  }
  for (const { line, cells } of rows.slice(1)) {
    if (cells.every(cell => cell.trim() === '')) continue
    const read = (field: string) => (cells[indexes.get(field)!] ?? '').trim()
    const list = (field: string, split = /[;|\n]/) =>
      [
        ...new Set(
          read(field)
            .split(split)
            .map(item => item.trim()),
        ),
      ].filter(item => item !== '')
    const url = read('url')
    addRequirement(
      into,
      { file, line, format: 'csv' },
      {
        id: read('id'),
        title: read('title'),
        description: read('description'),
        status: mapStatus(read('status')),
        level: read('level'),
        parent: list('parent', /[;|,\n]/),
        acceptance: list('acceptance'),
        files: list('files'),
        tests: list('tests'),
        controls: list('controls', /[;|,\n]/),
        ...(/^https?:\/\/\S+$/.test(url) && { source: { provider: 'csv', key: read('id'), url } }),
      },
    )
  }
  return into
}

/** The rows of a table, each with the line on which it begins; a quote that is not closed is a fault. Linear in the text. */
export function parseCsv(
  text: string,
  separator: string,
): { line: number; cells: string[] }[] | { fault: string; line: number } {
  const rows: { line: number; cells: string[] }[] = []
  let line = 1
  let at = 0
  while (at < text.length) {
    const row = { line, cells: [] as string[] }
    for (;;) {
      let cell = ''
      if (text[at] === '"') {
        const opened = line
        for (at++; ; ) {
          const quote = text.indexOf('"', at)
          if (quote === -1) return { fault: 'A quote is not closed.', line: opened }
          cell += text.slice(at, quote)
          at = quote + 1
          if (text[at] !== '"') break
          cell += '"'
          at++
        }
        for (const character of cell) if (character === '\n') line++
      }
      const start = at
      while (at < text.length && text[at] !== separator && text[at] !== '\n') at++
      row.cells.push(cell + text.slice(start, at).replace(/\r$/, ''))
      if (text[at] !== separator) break
      at++
    }
    at++
    line++
    rows.push(row)
  }
  return rows
}
