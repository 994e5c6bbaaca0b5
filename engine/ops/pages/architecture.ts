import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { STATUSES } from '../../base/records/finding.ts'
import { SeverityType } from '../../base/records/finding-schema.ts'
import { defineOperation } from '../../door/operation.ts'
import { FileState } from '../../pages/file-state.ts'
import { keepAnswer } from '../../pages/kept.ts'
import { addPackages } from '../../pages/package-state.ts'
import { readSection, type Section } from '../../pages/section.ts'
import { sectionType } from '../../pages/section-schema.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { discover } from '../../sources/repository/discover.ts'

/** What the page draws at most. */
const LIMITS = { nodes: 30, violations: 300, cycles: 50, files: 30 } as const

const Data = type({
  rules: type('string | null').describe('the file of the rules; null without one'),
  files: type('number.integer').describe('the source files whose imports were read'),
  unread: type('number.integer').describe('source files whose imports are unknown'),
  nodes: type('string[]').describe('files and directories of the graph; a directory ends with a slash'),
  edges: type({
    from: type('number.integer').describe('the index of a node'),
    to: 'number.integer',
    imports: 'number.integer',
    type_only: 'boolean',
    violations: 'number.integer',
  }).array(),
  violations: type({
    rule: 'string',
    title: 'string',
    message: 'string',
    reason: 'string',
    severity: SeverityType,
    status: type.enumerated(...STATUSES).configure({ description: STATUSES.join(', ') }, 'self'),
    file: 'string',
    line: 'number.integer',
    target: 'string | null',
  }).array(),
  violations_total: 'number.integer',
  cycles: type({ files: 'string[]', total: 'number.integer' })
    .array()
    .describe('groups of files that import each other'),
  cycles_total: 'number.integer',
})

/** The structure of the repository: which directories import which, violations of the rules, and cycles. */
export default defineOperation({
  id: 'pages.architecture',
  summary: 'Return the architecture page: import graph of directories, violations and cycles.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/pages/architecture',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: sectionType(Data),

  run: (_input, context): Promise<Section<typeof Data.infer>> =>
    readSection(
      { reason: 'No source file of this repository has imports that svc reads.', command: 'svc check-arch --init' },
      async () => {
        const { signal } = context
        const config = await loadConfig(context.cwd, { env: context.env })
        const { overlookArchitecture } = await import('../../quality/architecture/overview.ts')
        const state = new FileState()
        const listing = await discover(config.root, { exclude: config.scan_exclude, signal })
        if (listing.kind === 'bare')
          throw new EngineError('NOT_FOUND', 'Imports are resolved in a work tree, and this repository has none.')
        const request = { root: config.root, listing, maxBytes: config.scan.max_file_bytes, signal }
        // Suppressions of violations expire by the day.
        addPackages(state.add([request.maxBytes, new Date().toISOString().slice(0, 10)]).addTree(listing), listing)
        return keepAnswer(`architecture ${config.root}`, state.digest(), async () => {
          const { graph, violations, ...rest } = await overlookArchitecture(request, LIMITS)
          if (rest.files === 0) return undefined
          return {
            ...rest,
            nodes: graph.nodes,
            edges: graph.edges.map(({ typeOnly, ...edge }) => ({ ...edge, type_only: typeOnly })),
            violations: violations.map(({ rule, title, message, reason, severity, status, file, line, target }) => ({
              ...{ rule, title, message, reason, severity, status, file, line, target },
            })),
          }
        })
      },
    ),

  text: ({ state }) => `architecture: ${state}`,
})
