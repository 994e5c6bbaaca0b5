import { detectLanguage } from '../../../engine/base/languages/languages.ts'
import { buildGraph } from '../../../engine/quality/architecture/build.ts'
import { listEdges, nameTarget } from '../../../engine/quality/architecture/graph.ts'
import { folder } from '../../made/folder.ts'

/** The import graph of a small project, an import a line: importing file, line, kind, target. */
export async function readImports(files: Record<string, string>, root = folder(files)) {
  const paths = Object.keys(files).sort()
  const listing = {
    root,
    kind: 'folder' as const,
    skipped: [],
    files: paths.map(path => ({ path, size: 1, language: detectLanguage(path) ?? null, in_test: false })),
  }
  const graph = await buildGraph(listing, { maxBytes: 1 << 20, signal: new AbortController().signal })
  return {
    edges: [...listEdges(graph)].map(
      edge =>
        `${graph.paths[edge.from]}:${edge.line} ${edge.kind} ${nameTarget(graph, edge)}${edge.external ? ` (${edge.external.kind})` : ''}`,
    ),
    unresolved: graph.unresolved.map(
      ({ file, line, specifier, state }) => `${graph.paths[file]}:${line} ${specifier} ${state}`,
    ),
    notices: graph.notices,
    unread: graph.unread,
  }
}
