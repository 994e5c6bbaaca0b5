import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One judged place of a labelled suite. */
export interface Label {
  path: string
  /** The lines, first and last, in which the weakness is; left out where the whole file is the case. */
  lines?: readonly [number, number]
  /** Numbers such as CWE-89; a finding with any of them answers the case. */
  cwe: string[]
  /** Whether the weakness is there. */
  expected: boolean
}

/** The names under which a folder may say what is in it. */
const FILES = ['expected.json', 'expected.csv']

/** The labels of a folder, as docs/measuring-accuracy.md describes them. Throws with file and line where one is not understood. */
export function readLabels(folder: string): Label[] {
  const name = FILES.find(file => existsSync(join(folder, file)))
  if (!name) throw new Error(`${folder} has neither ${FILES.join(' nor ')}.`)
  const text = readFileSync(join(folder, name), 'utf8')
  if (name.endsWith('.json')) {
    const rows = JSON.parse(text) as unknown
    if (!Array.isArray(rows)) throw new Error(`${name}: must be a list.`)
    return rows.map((row, index) => label(row as Record<string, unknown>, `${name}, entry ${index + 1}`))
  }
  return csvLabels(text, name)
}

/** Columns by the names in the first line; no quoting, since neither paths nor numbers need it. */
export function csvLabels(text: string, name: string): Label[] {
  const [head = '', ...lines] = text.split(/\r?\n/)
  const columns = head.split(',').map(column => column.trim().toLowerCase())
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const cells = line.split(',').map(cell => cell.trim())
    return label(Object.fromEntries(columns.map((column, at) => [column, cells[at]])), `${name}:${index + 2}`)
  })
}

function label(row: Record<string, unknown>, place: string): Label {
  const { path, line, cwe, expected } = row
  if (typeof path !== 'string' || path === '') throw new Error(`${place}: path is missing.`)
  const numbers = String(cwe ?? '').match(/\d+/g)
  if (!numbers) throw new Error(`${place}: cwe is missing.`)
  if (!/^(true|false)$/.test(String(expected))) throw new Error(`${place}: expected must be true or false.`)
  const known: Label = { path, cwe: numbers.map(number => `CWE-${number}`), expected: String(expected) === 'true' }
  if (line !== undefined && line !== '') {
    const [, first, last] = /^([1-9]\d*)(?:-([1-9]\d*))?$/.exec(String(line)) ?? []
    if (first === undefined) throw new Error(`${place}: line must be a number from 1, or two as in 12-30.`)
    known.lines = [Number(first), Number(last ?? first)]
    if (known.lines[1] < known.lines[0]) throw new Error(`${place}: line ends before it begins.`)
  }
  return known
}
