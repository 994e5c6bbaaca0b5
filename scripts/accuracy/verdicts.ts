import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { findKey } from '../../engine/base/records/rule-ids.ts'

/** A source tree whose findings were read. */
export interface Tree {
  name: string
  /** Where it comes from: `npm` can be fetched, the others need a local directory. */
  source: 'npm' | 'debian' | 'pypi' | 'directory'
  package: string
  /** Left out where it was not recorded. */
  version?: string
  /** Subresource integrity of the package (`sha512-…`); left out where it was not recorded. */
  integrity?: string
  /** Only findings drawn at random were read, so that one without a verdict is not new. */
  sampled?: boolean
}

/** What a reviewer said of one finding after reading the code. */
export interface Verdict {
  id: string
  tree: string
  rule: string
  path: string
  line: number
  /** `example`: the rule is right about the code, which is a test, a sample or documentation. */
  verdict: 'true' | 'example' | 'false'
  reason: string
}

/** A finding of a scan, as far as it is compared with verdicts. */
export interface Scanned {
  rule_id: string
  also?: string[]
  file: string
  line: number
}

/** The difference between the findings of a tree and its verdicts. */
export interface Difference {
  /** Findings that nobody has read. */
  added: Scanned[]
  /** Verdicts whose finding is not reported any more. */
  gone: Verdict[]
  same: Verdict[]
}

const SOURCES = ['npm', 'debian', 'pypi', 'directory']
const COLUMNS = ['id', 'tree', 'rule', 'path', 'line', 'verdict', 'reason']

/** The manifest of trees in a directory. Throws with the entry where one is not valid. */
export function readTrees(folder: string): Tree[] {
  const trees = parse(readFileSync(join(folder, 'trees.yaml'), 'utf8')) as Tree[]
  const names = new Set<string>()
  for (const [index, { name, source, package: named, integrity, sampled = false }] of trees.entries()) {
    const entry = `trees.yaml, entry ${index + 1}`
    if (!name || !named) throw new Error(`${entry}: name and package are required.`)
    if (names.has(name)) throw new Error(`${entry}: ${name} is there twice.`)
    if (!SOURCES.includes(source)) throw new Error(`${entry}: source must be one of ${SOURCES.join(', ')}.`)
    if (integrity && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity))
      throw new Error(`${entry}: integrity must be sha512-… of the package.`)
    if (typeof sampled !== 'boolean') throw new Error(`${entry}: sampled must be true or false.`)
    names.add(name)
  }
  return trees
}

/** The verdicts in a directory. Throws with file and line where a row is not valid. */
export function readVerdicts(folder: string): Verdict[] {
  return parseVerdicts(readFileSync(join(folder, 'verdicts.csv'), 'utf8'))
}

/** Rows of RFC 4180 under a line of column names, each on one line. */
export function parseVerdicts(text: string): Verdict[] {
  const [head = '', ...lines] = text.trimEnd().split('\n')
  if (head !== COLUMNS.join(',')) throw new Error(`verdicts.csv:1: the columns must be ${COLUMNS.join(',')}.`)
  const ids = new Set<string>()
  return lines.map((line, index) => {
    const at = `verdicts.csv:${index + 2}`
    const cells = splitCells(line)
    if (cells.length !== COLUMNS.length) throw new Error(`${at}: ${COLUMNS.length} cells are required.`)
    const [id, tree, rule, path, number, verdict, reason] = cells as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    if (!/^v\d{4,}$/.test(id) || ids.has(id)) throw new Error(`${at}: id must be v and a number that no other row has.`)
    if (!/^[1-9]\d*$/.test(number)) throw new Error(`${at}: line must be a number from 1.`)
    if (!/^(true|example|false)$/.test(verdict)) throw new Error(`${at}: verdict must be true, example or false.`)
    if (verdict === 'false' && reason === '') throw new Error(`${at}: a false positive needs a reason.`)
    ids.add(id)
    return { id, tree, rule, path, line: Number(number), verdict: verdict as Verdict['verdict'], reason }
  })
}

/** Compares by rule, path and line: a tree has a fixed version, so lines do not move. */
export function compareVerdicts(findings: readonly Scanned[], verdicts: readonly Verdict[]): Difference {
  const key = (rule: string, path: string, line: number) => `${rule}\0${path}\0${line}`
  const found = new Map(findings.map(finding => [key(findKey(finding), finding.file, finding.line), finding]))
  const known = new Set(verdicts.map(({ rule, path, line }) => key(rule, path, line)))
  const isFound = ({ rule, path, line }: Verdict) => found.has(key(rule, path, line))
  return {
    added: [...found].filter(([name]) => !known.has(name)).map(([, finding]) => finding),
    gone: verdicts.filter(verdict => !isFound(verdict)),
    same: verdicts.filter(isFound),
  }
}

/** Rows for new findings, numbered after the last one, for a reviewer to fill in verdict and reason. */
export function formatRows(tree: string, findings: readonly Scanned[], verdicts: readonly Verdict[]): string[] {
  const last = Math.max(0, ...verdicts.map(({ id }) => Number(id.slice(1))))
  return findings.map((finding, index) => {
    const { file, line } = finding
    const id = `v${String(last + 1 + index).padStart(4, '0')}`
    return [id, tree, findKey(finding), file, line, '', ''].map(quoteCell).join(',')
  })
}

function quoteCell(value: string | number): string {
  const text = String(value)
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function splitCells(line: string): string[] {
  const cells = line.match(/(?:"(?:[^"]|"")*"|[^,"]*)(?:,|$)/g) ?? []
  const ended = line.endsWith(',') || cells.at(-1) !== '' ? cells : cells.slice(0, -1)
  return ended.map(cell => {
    const text = cell.replace(/,$/, '')
    return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text
  })
}
