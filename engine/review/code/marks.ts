import type { CodeFile } from './code-file.ts'
import { CONSTRUCT_FORMS } from './construct-forms.ts'
import { listEndpoints } from './endpoints.ts'
import type { MarkKind } from './forms.ts'
import { findSymbolIn } from './symbols.ts'
import { listTechnologies } from './uses.ts'

/** A construct of a file that a review speaks of. */
export interface Mark {
  kind: MarkKind
  /** What it is, without the location: equal marks on both sides of a change are no change. */
  key: string
  name: string
  file: string
  line: number
  /** The function or type around it; empty at the top of a file. */
  symbol: string
  /** The code of its line, white space folded. */
  evidence: string
  /** Of a technology: its id. Of an endpoint: its framework. */
  detail?: string
}

/** More marks of one kind and name in one file are counted as one. */
const MOST = 400

/** All marks of a file in the order of their lines. Time linear to the text. */
export function listMarks(file: CodeFile): Mark[] {
  const lines = file.code.split('\n')
  const marks: Mark[] = []
  const add = (kind: MarkKind, name: string, key: string, line: number, detail?: string) => {
    const evidence = (lines[line - 1] ?? '').slice(0, 400).trim().replace(/\s+/g, ' ')
    const symbol = findSymbolIn(lines, line)
    marks.push({ kind, key, name, file: file.path, line, symbol, evidence, ...(detail !== undefined && { detail }) })
  }
  for (const { method, path, framework, line } of listEndpoints(file))
    add('endpoint', `${method} ${path}`, `endpoint ${method} ${path}`, line, framework)
  for (const { technology, line } of listTechnologies(file))
    add(technology.kind, technology.name, `${technology.kind} ${technology.id}`, line, technology.id)
  for (const { kind, name, languages, needs, pattern } of CONSTRUCT_FORMS) {
    if (!languages.includes(file.language)) continue
    if (needs.length > 0 && !needs.some(need => file.code.includes(need))) continue
    let count = 0
    for (const match of file.code.matchAll(pattern)) {
      if (++count > MOST) break
      const { line } = file.positions.at(match.index + Math.max(0, match[0].search(/\S/)))
      const own = match.groups?.name
      add(
        kind,
        own === undefined ? name : `${name} ${own}`,
        `${kind} ${name}${own === undefined ? '' : ` ${own}`}`,
        line,
      )
    }
  }
  return marks.sort((a, b) => a.line - b.line || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}
