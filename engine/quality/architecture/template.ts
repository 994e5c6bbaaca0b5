import { writeProjectFile } from '../../base/disk/project-write.ts'
import { EngineError } from '../../base/errors.ts'
import { buildGraph } from './build.ts'
import { listSources } from './graph.ts'
import { findRulesPath } from './rules-path.ts'
import type { ArchitectureRequest } from './run.ts'
import { formatTemplate, TEMPLATE_PATH } from './template-text.ts'

/** CONFLICT where the repository has architecture rules already. */
export function requireNoRules(root: string): void {
  const existing = findRulesPath(root)
  if (existing !== undefined)
    throw new EngineError('CONFLICT', `${existing} exists already.`, {
      hint: `Edit ${existing}, or remove it first; --init replaces no rules.`,
      place: { file: existing },
    })
}

/**
 * Writes architecture.yaml from the present structure, so that the first check of it passes: layers in the order in which the directories import each
 * other, no new cycles, no imports of tests, limits as they are. A rule that the present code violates is written as a comment. CONFLICT where the
 * repository has rules already.
 */
export async function writeArchitectureTemplate(request: ArchitectureRequest): Promise<string> {
  const { root, listing, maxBytes, signal, onProgress } = request
  requireNoRules(root)
  const graph = await buildGraph(listing, { maxBytes, signal, ...(onProgress && { onProgress }) })
  if (listSources(graph).length === 0)
    throw new EngineError('NOTHING_TO_SCAN', 'There is no source file whose imports svc can read.', {
      hint: 'docs/architecture-rules.md lists the languages.',
    })
  writeProjectFile(root, TEMPLATE_PATH, formatTemplate(graph))
  return TEMPLATE_PATH
}
