import { relative, resolve } from 'node:path'
import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { resolveOutputFile, writeOutput } from '../../base/disk/output-file.ts'
import { isInside } from '../../base/disk/project-write.ts'
import { EngineError } from '../../base/errors.ts'
import { SEVERITIES, STATUSES } from '../../base/records/finding.ts'
import { defineOperation } from '../../door/operation.ts'
import { GRAPH_FORMATS } from '../../quality/architecture/formats.ts'
import { formatResult } from '../../quality/architecture/show/text.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { discover } from '../../sources/repository/discover.ts'

const Violation = type({
  id: 'string',
  fingerprint: 'string',
  rule: type('string').describe('the name of the rule; findings of scans have architecture:<name>'),
  title: 'string',
  message: 'string',
  reason: type('string').describe('why the rule exists, in the words of its file'),
  severity: type.enumerated(...SEVERITIES).configure({ description: SEVERITIES.join(', ') }, 'self'),
  status: type.enumerated(...STATUSES).configure({ description: STATUSES.join(', ') }, 'self'),
  file: 'string',
  line: 'number.integer',
  column: 'number.integer',
  imported: type('string | null').describe(
    'the imported module as the file has it; null where the file as a whole violates the rule',
  ),
  target: type('string | null').describe('the imported file or package'),
  remediation: 'string',
  'cycle?': 'string[]',
})

/** Checks the imports of a repository against its architecture rules; draws the graph, or writes a template of the rules. */
export default defineOperation({
  id: 'architecture.check',
  summary:
    'Check the imports of the repository against the architecture rules: layers, forbidden imports, cycles, public API, limits.',
  effect: 'write',
  action: ({ init }) => (init ? 'edit_config' : 'read_findings'),
  cli: 'check-arch',
  rest: null,
  mcp: null,
  short: { output: 'o', graph: 'g' },
  input: type({
    'config?': type('string > 0').describe(
      'a file of architecture rules (default: architecture.yaml, .svc/architecture.yaml, or the configuration of dependency-cruiser)',
    ),
    init: type('boolean').describe('true or false: write architecture.yaml from the present structure').default(false),
    'graph?': type
      .enumerated(...GRAPH_FORMATS)
      .configure({ description: `a format of the import graph (${GRAPH_FORMATS.join(', ')})` }, 'self'),
    'output?': type('string > 0').describe('an output file for the import graph (default: standard output)'),
    '+': 'reject',
  }),
  output: type({
    passed: 'boolean',
    rules: type('string | null').describe('the file of the rules'),
    untranslated: type({ rule: 'string', reason: 'string' })
      .array()
      .describe('rules and options of a dependency-cruiser configuration that are not checked'),
    files: type('number.integer').describe('the source files whose imports were read'),
    imports: type({
      internal: 'number.integer',
      type_only: 'number.integer',
      packages: 'number.integer',
      builtin: 'number.integer',
    }),
    languages: type({ '[string]': 'number.integer' }),
    violations: Violation.array(),
    counts: type({ open: 'number.integer', baseline: 'number.integer', suppressed: 'number.integer' }),
    unresolved: type({
      file: 'string',
      line: 'number.integer',
      specifier: 'string',
      state: 'string',
      reason: 'string',
    }).array(),
    unresolved_counts: type({ missing: 'number.integer', computed: 'number.integer', outside: 'number.integer' }),
    unread: type({ path: 'string', reason: 'string' }).array().describe('source files whose imports are unknown'),
    notices: 'string[]',
    'written?': type('string').describe('the file that was written'),
    'graph?': type('string').describe('the import graph'),
  }),
  examples: [
    ['svc check-arch --init', 'write architecture.yaml from the present structure'],
    ['svc check-arch', 'check the rules; exit code 1 on violations'],
    ['svc check-arch --config docs/rules.yaml --json', 'check the rules of another file'],
    ['svc check-arch --graph html --output out/imports.html', 'write the import graph as a page'],
  ],

  check: async (input, context) => {
    refuseContradictions(input)
    if (!input.init) return
    const { requireNoRules } = await import('../../quality/architecture/template.ts')
    requireNoRules((await loadConfig(context.cwd, { env: context.env })).root)
  },

  async run({ config: named, init, graph: format, output }, context) {
    refuseContradictions({ init, config: named, graph: format, output })
    const config = await loadConfig(context.cwd, { env: context.env })
    const { root, scan } = config
    const file = output === undefined ? undefined : resolveOutputFile(context.cwd, output)
    const { checkArchitecture } = await import('../../quality/architecture/run.ts')
    const listing = await discover(root, { exclude: config.scan_exclude, signal: context.signal })
    if (listing.kind === 'bare')
      throw new EngineError('REPO_UNREADABLE', 'Imports are resolved in a work tree, and this repository has none.')
    const request = {
      root,
      listing,
      maxBytes: scan.max_file_bytes,
      signal: context.signal,
      ...(named !== undefined && { named: { path: resolveRules(named, root, context), name: named } }),
      onProgress: (done: number, total: number) =>
        context.emit({ type: 'progress', progress: { phase: 'imports', done, total, bytes: 0, findings: 0 } }),
    }
    if (init) {
      const { writeArchitectureTemplate } = await import('../../quality/architecture/template.ts')
      const written = await writeArchitectureTemplate(request)
      return { ...(await checkArchitecture(request)), written }
    }
    const result = await checkArchitecture(request, format)
    if (file === undefined || result.graph === undefined) return result
    const { graph, ...rest } = result
    writeOutput(file, graph)
    return { ...rest, written: relative(context.cwd, file) || file }
  },

  text: formatResult,
  exit: ({ passed }) => (passed ? 0 : 1),
})

/** INPUT_INVALID for options that exclude or need each other. */
function refuseContradictions(input: {
  init: boolean
  config?: string | undefined
  graph?: string | undefined
  output?: string | undefined
}): void {
  if (input.output !== undefined && input.graph === undefined)
    throw new EngineError('INPUT_INVALID', 'output needs graph: name a format of the import graph.')
  if (input.init && (input.config !== undefined || input.graph !== undefined))
    throw new EngineError('INPUT_INVALID', 'init writes architecture.yaml and takes neither config nor graph.')
}

/** A request may only name a file of the repository. */
function resolveRules(name: string, root: string, { cwd, surface }: Context): string {
  const path = resolve(cwd, name)
  if (surface !== 'cli' && !isInside(root, path))
    throw new EngineError('PATH_ESCAPES', `The path ${name} is outside the project.`)
  return path
}
