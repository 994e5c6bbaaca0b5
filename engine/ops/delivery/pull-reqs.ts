import { resolve } from 'node:path'
import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { checkPull, pullRequirements } from '../../delivery/work-items/pull.ts'
import { defineOperation } from '../../door/operation.ts'
import { type Config, loadConfig } from '../../sources/config/load.ts'

/** Work items of the provider become requirements. */
export default defineOperation({
  id: 'delivery.pull-reqs',
  summary: 'Pull requirements from the work items of the DevOps provider into requirements.yaml.',
  effect: 'write',
  cli: 'pull-reqs',
  rest: 'POST /api/pull-reqs',
  mcp: null,
  short: { provider: 'p', output: 'o' },
  examples: [
    ['svc pull-reqs --merge', "keep both sides' edits since the last pull, and name conflicts"],
    ['svc pull-reqs --provider jira --map-files', 'name the files that commits changed for each item'],
  ],
  input: type({
    'provider?': type('string > 0').describe(
      'a provider (github, gitlab, azure, jira, or devops_a, devops_b, devops_c); default: providers.default',
    ),
    output: type('string > 0').describe('the file to write').default('requirements.yaml'),
    merge: type('boolean')
      .describe(
        "true to keep both sides' edits since the last pull; false: the provider's words replace those of the file",
      )
      .default(false),
    map_files: type('boolean')
      .describe('true to add the files that commits changed whose message names the work item')
      .default(false),
    'config?': type('string > 0').describe('a configuration file to use instead of .svc/config.yaml'),
    '+': 'reject',
  }),
  output: type({
    status: type.enumerated('ok', 'conflicts'),
    provider: 'string',
    requirements: type('object[]').describe('the requirements of the file, as in requirements.yaml'),
    requirements_file: 'string',
    count: 'number.integer',
    added: 'string[]',
    changed: 'string[]',
    removed: 'string[]',
    conflicts: type({
      id: 'string',
      kind: 'string',
      'field?': 'string',
      'base?': 'unknown',
      'here?': 'unknown',
      'there?': 'unknown',
    })
      .array()
      .describe('edits of both sides of which only one can stand: the value of the file stays'),
    skipped: type('string[]').describe('the work items that cannot be requirements, by key'),
  }),
  paths: ({ output }) => [output],
  check: async ({ config: path, ...input }, context) => {
    await checkPull(input, await load(path, context), context)
  },

  async run({ config: path, ...input }, context) {
    const config = await load(path, context)
    return pullRequirements(input, config, context)
  },
  text({ provider, count, requirements_file, added, changed, removed, conflicts, skipped }, { paint }) {
    const lines = [
      `${formatCount(count, 'requirement')} in ${escapeInvisibleLine(requirements_file)} from ${provider}: ${added.length} added, ${changed.length} changed, ${removed.length} removed.`,
      ...conflicts.map(({ id, kind, field }) =>
        paint(
          'yellow',
          `conflict  ${escapeInvisibleLine(id)}  ${kind === 'field' ? `${field} changed on both sides; the file's value stays` : kind.replaceAll('_', ' ')}`,
        ),
      ),
      ...(skipped.length > 0 ? [`Skipped, no requirement: ${skipped.map(escapeInvisibleLine).join(', ')}`] : []),
    ]
    return lines.join('\n')
  },
  exit: ({ status }) => (status === 'ok' ? 0 : 1),
})

function load(path: string | undefined, { cwd, env }: Context): Promise<Config> {
  return loadConfig(cwd, { env, ...(path !== undefined && { path: resolve(cwd, path) }) })
}
