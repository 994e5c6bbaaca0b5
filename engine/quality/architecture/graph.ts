/** How a file depends on another. `type` is erased when the program is built; `declare` says that a file belongs to the program (`mod x;`). */
export const IMPORT_KINDS = ['import', 'type', 'reexport', 'dynamic', 'require', 'declare'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

/** What is not a file of the repository: a package, or a part of the language's standard library. */
export interface External {
  name: string
  kind: 'package' | 'builtin'
}

/** An import without a target in the graph, with the reason. */
export interface Unresolved {
  file: number
  line: number
  specifier: string
  /** `outside`: the file exists, and is not scanned. `computed`: the target is known at run time only. `missing`: there is none. */
  state: 'outside' | 'computed' | 'missing'
  reason: string
}

/** A source file whose imports are unknown. */
export interface Unread {
  path: string
  reason: string
}

/** One import, as rules and pictures read it. */
export interface Edge {
  from: number
  /** A file, by its number. */
  to?: number
  /** What is imported where that is no file of the repository. */
  external?: External
  kind: ImportKind
  line: number
  column: number
  specifier: string
}

/**
 * Which files of a repository import which: files are numbers (`paths`, sorted), and imports lie in typed arrays in the order of file, line and
 * column, so that 300,000 of them take 8 MB.
 */
export interface ImportGraph {
  paths: readonly string[]
  /** The family of languages that a file's imports were read by; '' for a file that was not read for imports. */
  families: readonly string[]
  /** The file that stands for the file's package where the language imports packages (Go); itself elsewhere. */
  units: Int32Array
  externals: readonly External[]
  from: Int32Array
  /** The number of a file, or -1 - n for the n-th of `externals`. */
  to: Int32Array
  kind: Uint8Array
  line: Int32Array
  column: Int32Array
  specifier: readonly string[]
  /** `first[n]` to `first[n + 1]`: the imports of file n. */
  first: Int32Array
  unresolved: readonly Unresolved[]
  unread: readonly Unread[]
  /** What a reader should know: a tsconfig.json that cannot be read, a limit that was reached. */
  notices: readonly string[]
}

/** The imports of a graph while it is built, in any order. */
export class ImportList {
  readonly #rows: Edge[] = []
  readonly unresolved: Unresolved[] = []

  add(edge: Edge): void {
    this.#rows.push(edge)
  }

  miss(miss: Unresolved): void {
    this.unresolved.push(miss)
  }

  /** The graph; the same imports give the same graph in whatever order they came. */
  close(rest: Pick<ImportGraph, 'paths' | 'families' | 'units' | 'unread' | 'notices'>): ImportGraph {
    const rows = this.#rows.sort(compareEdges)
    const externals = listExternals(rows)
    const numbers = new Map(externals.map((external, index) => [makeKey(external), index]))
    const graph = {
      ...rest,
      externals,
      from: Int32Array.from(rows, ({ from }) => from),
      to: Int32Array.from(rows, ({ to, external }) => to ?? -1 - numbers.get(makeKey(external!))!),
      kind: Uint8Array.from(rows, ({ kind }) => IMPORT_KINDS.indexOf(kind)),
      line: Int32Array.from(rows, ({ line }) => line),
      column: Int32Array.from(rows, ({ column }) => column),
      specifier: rows.map(({ specifier }) => specifier),
      first: new Int32Array(rest.paths.length + 1),
      unresolved: this.unresolved.sort(
        (a, b) => a.file - b.file || a.line - b.line || (a.specifier < b.specifier ? -1 : 1),
      ),
    }
    for (const { from } of rows) graph.first[from + 1]!++
    for (let file = 0; file < rest.paths.length; file++) graph.first[file + 1]! += graph.first[file]!
    return graph
  }
}

/** The n-th import of a graph. */
export function readEdge(graph: ImportGraph, index: number): Edge {
  const to = graph.to[index]!
  return {
    from: graph.from[index]!,
    ...(to >= 0 ? { to } : { external: graph.externals[-1 - to]! }),
    kind: IMPORT_KINDS[graph.kind[index]!]!,
    line: graph.line[index]!,
    column: graph.column[index]!,
    specifier: graph.specifier[index]!,
  }
}

/** The imports of a graph, by file, line and column. */
export function* listEdges(graph: ImportGraph): Generator<Edge> {
  for (let index = 0; index < graph.from.length; index++) yield readEdge(graph, index)
}

/** The path of a file, or the name of what is imported from elsewhere. */
export function nameTarget(graph: ImportGraph, { to, external }: Edge): string {
  return to === undefined ? external!.name : graph.paths[to]!
}

/** The numbers of the source files: those whose imports were read. */
export function listSources({ families }: Pick<ImportGraph, 'families'>): number[] {
  return families.flatMap((family, file) => (family === '' ? [] : [file]))
}

function listExternals(rows: readonly Edge[]): External[] {
  const found = new Map<string, External>()
  for (const { external } of rows) if (external) found.set(makeKey(external), external)
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, external]) => external)
}

function makeKey({ kind, name }: External): string {
  return `${kind}\0${name}`
}

function compareEdges(a: Edge, b: Edge): number {
  if (a.from !== b.from) return a.from - b.from
  if (a.line !== b.line) return a.line - b.line
  if (a.column !== b.column) return a.column - b.column
  if (a.to !== b.to) return (a.to ?? -1) - (b.to ?? -1)
  return a.specifier < b.specifier ? -1 : a.specifier > b.specifier ? 1 : 0
}
