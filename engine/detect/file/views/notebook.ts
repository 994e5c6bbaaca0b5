import { Positions } from '../../../base/text/positions.ts'
import { type View, type Views, ViewText } from '../../rules/view.ts'
import { findMember, findString, type JsonNode, readJson, TOO_DEEP } from './json.ts'

/** Kernels by the name that they give their language, where that is not the table's. */
const NAMES: Readonly<Record<string, string>> = {
  ipython: 'python',
  python3: 'python',
  python2: 'python',
  'c++': 'cpp',
  'c++11': 'cpp',
  'c++14': 'cpp',
  'c++17': 'cpp',
  'c#': 'csharp',
  js: 'javascript',
  ts: 'typescript',
  sh: 'bash',
  ir: 'r',
}

/** Cell magics of IPython behind which the cell is code of the kernel. */
const PLAIN_MAGIC = /^%%(?:time|timeit|capture|prun|memit|mprun|lprun|heat|debug|wandb)\b/
const SHELL_MAGIC = /^%%(?:bash|sh|script\s+(?:ba)?sh)\b/
/** A magic, a command of the shell or a question in a line of its own. */
const LINE_MAGIC = /^([ \t]*)(?:%{1,2}[A-Za-z_]|!(?!=)|\?{1,2}\w|[\w.]+\?{1,2}\s*$)/
/** One whose result is kept. */
const KEPT_MAGIC = /^([ \t]*[A-Za-z_][\w, ]*=\s*)(?:%[A-Za-z_]|!(?!=))/

interface Cell {
  /** Among all cells, from 1. */
  number: number
  source: JsonNode
  language?: string
}

/**
 * The code cells of a notebook (nbformat 3 and 4) as one file of the kernel's language, and those for the shell as one of the shell's.
 * Magics are blanked, so that the rest parses. `isJudged` says whether any rule is for a language.
 */
export function makeNotebookViews(path: string, text: string, isJudged: (language: string) => boolean): Views {
  const root = readJson(text)
  if (root === 'too_deep') return { views: [], failure: { ...TOO_DEEP, language: 'python' } }
  const cells = codeCells(root)
  if (!cells) {
    const detail = root ? 'it has no cells: it is not in the format of a notebook' : 'the notebook is not valid JSON'
    return { views: [], failure: { reason: 'not_understood', language: 'python', detail } }
  }
  if (cells.length === 0) return { views: [] }
  const written = languageOf(root, cells)
  const language = NAMES[written] ?? written
  const own = new CellText(language === 'python')
  const shell = new CellText(false)
  for (const cell of cells) {
    const lines = linesOf(cell.source, text)
    const first = lines[0]?.text ?? ''
    if (language === 'python' && SHELL_MAGIC.test(first)) shell.add(cell.number, lines, 1)
    else if (!/^%%\w/.test(first)) own.add(cell.number, lines, 0)
    else if (PLAIN_MAGIC.test(first)) own.add(cell.number, lines, 1)
  }
  const views: View[] = []
  if (isJudged(language)) views.push(own.view(language, path))
  if (shell.length > 0 && isJudged('bash')) views.push(shell.view('bash', path))
  if (isJudged(language)) return { views }
  const detail = `code cells in ${JSON.stringify(written)}: no rule is for that language here`
  return { views, failure: { reason: 'no_grammar', language, detail } }
}

function codeCells(root: JsonNode | undefined): Cell[] | undefined {
  const sheets = findMember(root, 'worksheets')
  const lists =
    sheets?.kind === 'array' ? sheets.items.map(sheet => findMember(sheet, 'cells')) : [findMember(root, 'cells')]
  const cells: Cell[] = []
  let number = 0
  for (const list of lists) {
    if (list?.kind !== 'array') return undefined
    for (const cell of list.items) {
      number++
      if (findString(cell, 'cell_type') !== 'code') continue
      const source = findMember(cell, 'source') ?? findMember(cell, 'input')
      if (source?.kind !== 'string' && source?.kind !== 'array') continue
      const language = findString(cell, 'language')
      cells.push({ number, source, ...(language !== undefined && { language }) })
    }
  }
  return cells
}

function languageOf(root: JsonNode | undefined, cells: readonly Cell[]): string {
  const metadata = findMember(root, 'metadata')
  const named =
    findString(findMember(metadata, 'kernelspec'), 'language') ??
    findString(findMember(metadata, 'language_info'), 'name') ??
    cells.find(({ language }) => language !== undefined)?.language ??
    'python'
  return named.toLowerCase()
}

/** A stretch of a line: its text, and where it stands in the file. */
interface Stretch {
  text: string
  origin: number
  length: number
}

interface Line {
  text: string
  stretches: Stretch[]
}

/** The lines of a source, which is one string or a list of them. */
function linesOf(source: JsonNode, text: string): Line[] {
  const lines: Line[] = [{ text: '', stretches: [] }]
  for (const node of source.kind === 'array' ? source.items : [source]) {
    if (node.kind !== 'string') continue
    for (const stretch of stretchesOf(text, node.start + 1, node.end - 1)) {
      const line = lines.at(-1)!
      line.stretches.push(stretch)
      line.text += stretch.text
      if (stretch.text === '\n') lines.push({ text: '', stretches: [] })
    }
  }
  return lines
}

const ESCAPE = /\\(?:u[0-9A-Fa-f]{4}|.)/g

/** A string's text in stretches: each escape by itself, and what stands as it is between them. */
function stretchesOf(text: string, start: number, end: number): Stretch[] {
  const written = text.slice(start, end)
  const out: Stretch[] = []
  let from = 0
  for (const { index, 0: escaped } of written.matchAll(ESCAPE)) {
    if (index > from) out.push({ text: written.slice(from, index), origin: start + from, length: index - from })
    // A return before a line end would make two lines of one.
    const decoded = escaped === '\\r' ? ' ' : (JSON.parse(`"${escaped}"`) as string)
    out.push({ text: decoded, origin: start + index, length: escaped.length })
    from = index + escaped.length
  }
  if (from < written.length)
    out.push({ text: written.slice(from), origin: start + from, length: written.length - from })
  return out
}

/** Where a cell begins in the text of all, its number in the notebook, and its first lines that are left out. */
interface CellPlace {
  at: number
  number: number
  skipped: number
}

/** Cells one behind the other. */
class CellText {
  // Cells are the file's own characters, each once.
  readonly #out = new ViewText(Number.POSITIVE_INFINITY)
  readonly #hasMagics: boolean
  readonly #cells: CellPlace[] = []

  constructor(hasMagics: boolean) {
    this.#hasMagics = hasMagics
  }

  get length(): number {
    return this.#out.length
  }

  /** Adds a cell without its first lines. */
  add(number: number, lines: readonly Line[], skipped: number): void {
    this.#cells.push({ at: this.#out.length, number, skipped })
    for (const line of lines.slice(skipped)) this.#addLine(line)
    this.#out.add('\n')
  }

  #addLine({ text, stretches }: Line): void {
    const kept = this.#hasMagics ? withoutMagic(text) : text
    let at = 0
    for (const stretch of stretches) {
      this.#out.addFrom(kept.slice(at, at + stretch.text.length), stretch.origin, stretch.length)
      at += stretch.text.length
    }
  }

  /** The cell in which an offset lies. */
  #cellAt(offset: number): CellPlace {
    let low = 0
    for (let high = this.#cells.length - 1; low < high; ) {
      const middle = (low + high + 1) >> 1
      if (this.#cells[middle]!.at <= offset) low = middle
      else high = middle - 1
    }
    return this.#cells[low]!
  }

  view(language: string, path: string): View {
    const out = this.#out
    const { text } = out
    const positions = new Positions(text)
    return {
      language,
      path,
      text,
      isForSecrets: true,
      showsOwnLines: true,
      start: offset => out.start(offset),
      end: offset => out.end(offset),
      label: offset => {
        const cell = this.#cellAt(offset)
        const line = positions.at(offset).line - positions.at(cell.at).line + 1 + cell.skipped
        return `cell ${cell.number}, line ${line}`
      },
    }
  }
}

/** The line with a magic blanked, as long as before. */
function withoutMagic(line: string): string {
  const kept = KEPT_MAGIC.exec(line)
  if (kept) return filled(kept[1]!, 'None', line)
  const magic = LINE_MAGIC.exec(line)
  if (!magic) return line
  return filled(magic[1]!, magic[1] === '' ? '' : 'pass', line)
}

function filled(before: string, statement: string, line: string): string {
  const end = line.endsWith('\n') ? '\n' : ''
  const room = line.length - before.length - end.length
  const put = statement.length <= room ? statement : statement === 'None' ? '0' : ''
  return `${before}${put.padEnd(room)}${end}`
}
