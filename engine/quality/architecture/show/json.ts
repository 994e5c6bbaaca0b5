import { type ImportGraph, listEdges, nameTarget } from '../graph.ts'
import type { Violation } from '../violation.ts'

/** The whole graph: files, every import with its kind and line, what has no target, and the violations. */
export function renderJson(graph: ImportGraph, violations: readonly Violation[]): string {
  const imports = [...listEdges(graph)].map(edge => ({
    from: graph.paths[edge.from]!,
    to: nameTarget(graph, edge),
    target: edge.to === undefined ? edge.external!.kind : 'file',
    ...{ kind: edge.kind, line: edge.line, specifier: edge.specifier },
  }))
  const files = graph.paths.flatMap((path, file) =>
    graph.families[file] === '' ? [] : [{ path, language: graph.families[file] }],
  )
  const unresolved = graph.unresolved.map(({ file, ...rest }) => ({ file: graph.paths[file]!, ...rest }))
  // An import a line, so that two graphs can be compared.
  const list = (items: readonly unknown[]) =>
    items.length === 0 ? '[]' : `[\n${items.map(item => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]`
  return `{\n  "files": ${list(files)},\n  "imports": ${list(imports)},\n  "unresolved": ${list(unresolved)},\n  "violations": ${list(violations)}\n}\n`
}
