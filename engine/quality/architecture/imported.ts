import type { Listing } from '../../base/records/source-file.ts'
import { buildGraph } from './build.ts'
import { listEdges } from './graph.ts'

/** What code of a repository imports from elsewhere, by families of languages (`javascript`, `python`, `go`, `rust`, `ruby`). */
export interface ImportedPackages {
  /** Families of which files were read. */
  families: ReadonlySet<string>
  /** Names of packages, and the specifiers as written; imports of types alone are left out, since no code of the package runs. */
  imports: ReadonlyMap<string, ReadonlySet<string>>
  /** Families of which a file could not be read, or an import is known at run time only: more may be imported. */
  incomplete: ReadonlySet<string>
}

/** Reads which packages the files of a listing import. */
export async function readImportedPackages(
  listing: Listing,
  options: { maxBytes: number; signal: AbortSignal },
): Promise<ImportedPackages> {
  const graph = await buildGraph(listing, options)
  const families = new Set(graph.families.filter(family => family !== ''))
  const imports = new Map<string, Set<string>>()
  for (const { from, external, specifier, kind } of listEdges(graph)) {
    if (external?.kind !== 'package' || kind === 'type') continue
    const family = graph.families[from]!
    const names = imports.get(family) ?? new Set()
    imports.set(family, names)
    names.add(external.name)
    names.add(specifier.replace(/^["`]|["`]$/g, ''))
  }
  const incomplete = new Set<string>()
  for (const { file, state } of graph.unresolved) if (state === 'computed') incomplete.add(graph.families[file]!)
  // The language of an unread file does not matter: what it imports may be anything.
  if (graph.unread.length > 0) for (const family of families) incomplete.add(family)
  return { families, imports, incomplete }
}
