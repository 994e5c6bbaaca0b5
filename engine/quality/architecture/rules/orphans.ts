import { makeDigraph } from '../cycles.ts'
import { type ImportGraph, listEdges, listSources } from '../graph.ts'
import type { ArchitectureRules } from '../rules.ts'
import { markFiles, matchAny } from '../scope.ts'
import { makeFileViolation, type Violation } from '../violation.ts'

/** Files that nothing imports and that import no file; with `entries`, files that no entry point reaches. */
export function findOrphans(graph: ImportGraph, { orphans }: ArchitectureRules): Violation[] {
  if (!orphans) return []
  const isIn = markFiles(graph, orphans)
  const isKept = orphans.entries ? reach(graph, orphans.entries) : connect(graph)
  const heading = {
    rule: 'orphans',
    title: orphans.entries ? 'Unreachable file' : 'Orphan file',
    told: orphans,
    severity: 'low' as const,
    remediation: 'Remove the file, import it where it is needed, or add it to except.',
  }
  return listSources(graph)
    .filter(file => isIn[file] && graph.units[file] === file && !isKept[file])
    .map(file =>
      makeFileViolation(
        graph,
        file,
        heading,
        orphans.entries
          ? `No entry point reaches ${graph.paths[file]}.`
          : `No file imports ${graph.paths[file]}, and it imports no file.`,
      ),
    )
}

function connect(graph: ImportGraph): Uint8Array {
  const isConnected = new Uint8Array(graph.paths.length)
  for (const { from, to } of listEdges(graph)) {
    if (to === undefined || graph.units[from] === graph.units[to]) continue
    isConnected[graph.units[from]!] = 1
    isConnected[graph.units[to]!] = 1
  }
  return isConnected
}

function reach(graph: ImportGraph, entries: readonly string[]): Uint8Array {
  const { units } = graph
  const pairs = [...listEdges(graph)].flatMap(({ from, to }) =>
    to === undefined ? [] : [[units[from]!, units[to]!] as const],
  )
  const { first, to } = makeDigraph(graph.paths.length, pairs)
  const isEntry = matchAny(entries)
  const isReached = new Uint8Array(graph.paths.length)
  const open = listSources(graph)
    .filter(file => isEntry(graph.paths[file]!))
    .map(file => units[file]!)
  for (const file of open) isReached[file] = 1
  for (const file of open)
    for (const next of to.subarray(first[file], first[file + 1])) {
      if (isReached[next]) continue
      isReached[next] = 1
      open.push(next)
    }
  return isReached
}
