import { EngineError } from '../../base/errors.ts'
import type { Finding, FindingStatus } from '../../base/records/finding.ts'
import type { Listing } from '../../base/records/source-file.ts'
import { buildGraph } from './build.ts'
import type { Untranslated } from './cruiser/rules.ts'
import { makeFindings } from './findings.ts'
import type { GraphFormat } from './formats.ts'
import { type ImportGraph, listEdges, listSources } from './graph.ts'
import { judgeFindings } from './judge.ts'
import { type LoadedRules, loadRules } from './load.ts'
import { renderGraph } from './show/render.ts'
import type { Violation } from './violation.ts'

export interface ArchitectureRequest {
  /** The repository's root, absolute. */
  root: string
  listing: Listing
  /** Largest file that is read, in bytes. */
  maxBytes: number
  /** A file of rules that a user named. */
  named?: { path: string; name: string }
  signal: AbortSignal
  onProgress?: (done: number, total: number) => void
}

/** A violation with what a scan would make of it. */
export type JudgedViolation = Violation & Pick<Finding, 'id' | 'fingerprint' | 'status'>

/** What a check came to. */
export interface ArchitectureResult {
  passed: boolean
  rules: string | null
  untranslated: Untranslated[]
  files: number
  imports: { internal: number; type_only: number; packages: number; builtin: number }
  languages: Record<string, number>
  violations: JudgedViolation[]
  counts: Record<FindingStatus, number>
  unresolved: { file: string; line: number; specifier: string; state: string; reason: string }[]
  unresolved_counts: { missing: number; computed: number; outside: number }
  unread: { path: string; reason: string }[]
  notices: string[]
  written?: string
  graph?: string
}

/**
 * Checks a repository's imports against its rules, and draws them where a format is asked for. NOT_FOUND where there are no rules and nothing is to
 * be drawn; CONFIG_INVALID where rules are not valid.
 */
export async function checkArchitecture(
  request: ArchitectureRequest,
  format?: GraphFormat,
): Promise<ArchitectureResult> {
  const { root, listing, named } = request
  const loaded = await loadRules(root, named)
  if (!loaded && format === undefined)
    throw new EngineError('NOT_FOUND', 'The repository has no architecture.yaml.', {
      hint: 'Run `svc check-arch --init` to write one from the present structure, or `svc check-arch --graph html --output imports.html` to see the imports.',
    })
  if (loaded?.count === 0 && format === undefined)
    throw new EngineError('CONFIG_INVALID', `${loaded.path} has no rule that can be checked.`, {
      hint: 'Add a rule, such as cycles; docs/architecture-rules.md describes them.',
      place: { file: loaded.path },
    })
  const { graph, judged } = await judgeGraph(request, loaded)
  const { passed, counts } = countStatuses(judged)
  const result = {
    ...describeGraph(graph),
    counts,
    // A file whose imports are unknown may violate every rule.
    passed: passed && (loaded === undefined || graph.unread.length === 0),
    rules: loaded?.path ?? null,
    untranslated: loaded?.untranslated ?? [],
    notices: [
      ...graph.notices,
      ...(loaded?.describeUnused(
        graph,
        listing.files.map(({ path }) => path),
      ) ?? []),
    ],
    violations: judged,
  }
  return format === undefined ? result : { ...result, graph: renderGraph(graph, judged, format) }
}

/** The import graph of a repository, and what violates its rules; without rules nothing does. */
export async function judgeGraph(
  request: ArchitectureRequest,
  loaded: LoadedRules | undefined,
): Promise<{ graph: ImportGraph; judged: JudgedViolation[] }> {
  const { root, listing, maxBytes } = request
  const graph = await buildGraph(listing, { ...request, ...(loaded && { includes: loaded.includes }) })
  const violations = loaded?.check(graph) ?? []
  const today = new Date().toISOString().slice(0, 10)
  const findings = await judgeFindings(makeFindings(violations, listing.files), { root, listing, maxBytes, today })
  const judged = violations.map((violation, index) => {
    const { id, fingerprint, status } = findings[index]!
    return { id, fingerprint, status, ...violation }
  })
  return { graph, judged }
}

function countStatuses(violations: readonly JudgedViolation[]): Pick<ArchitectureResult, 'passed' | 'counts'> {
  const counts = { open: 0, suppressed: 0, baseline: 0 }
  for (const { status } of violations) counts[status]++
  return { passed: counts.open === 0, counts }
}

function describeGraph(graph: ImportGraph) {
  const languages: Record<string, number> = {}
  const sources = listSources(graph)
  for (const file of sources) languages[graph.families[file]!] = (languages[graph.families[file]!] ?? 0) + 1
  const imports = { internal: 0, type_only: 0, packages: 0, builtin: 0 }
  for (const { to, external, kind } of listEdges(graph)) {
    if (to !== undefined) imports.internal++
    else if (external!.kind === 'package') imports.packages++
    else imports.builtin++
    if (to !== undefined && kind === 'type') imports.type_only++
  }
  const counts = { missing: 0, computed: 0, outside: 0 }
  for (const { state } of graph.unresolved) counts[state]++
  return {
    files: sources.length,
    imports,
    languages: Object.fromEntries(Object.entries(languages).sort(([a], [b]) => (a < b ? -1 : 1))),
    unresolved: graph.unresolved.map(({ file, ...rest }) => ({ file: graph.paths[file]!, ...rest })),
    unresolved_counts: counts,
    unread: [...graph.unread],
  }
}
