import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { formatLint } from '../../sources/packs/lint/answer.ts'
import { LintedType } from '../../sources/packs/lint-schema.ts'

/** What makes a pack fire wrongly, run slowly, or claim more than it shows. */
export default defineOperation({
  id: 'packs.lint',
  summary: 'Lint a pack: false positives, slow rules, unsupported control mappings.',
  effect: 'read',

  cli: 'lint-pack <pack>',
  rest: null,
  mcp: null,
  examples: [
    ['svc lint-pack .svc/packs/acme', 'lint a pack of the repository'],
    ['svc lint-pack .svc/libraries', 'run the examples of your libraries and list entries that no file uses'],
    ['svc lint-pack soc2-tsc-2017 --json', 'lint a built-in pack and print JSON'],
  ],

  input: type({
    pack: type('string > 0').describe('a pack file, a directory with a pack or libraries, or a pack id'),
    '+': 'reject',
  }),
  output: LintedType,

  async run({ pack }, context) {
    const root = findRepositoryRoot(context.cwd)
    const { lintLibraries, namesLibraries } = await import('../../sources/packs/lint/libraries.ts')
    if (namesLibraries(pack, root, context)) return lintLibraries(pack, root, context)
    const { lintSource } = await import('../../sources/packs/lint/source.ts')
    const { lintPack } = await import('../../sources/packs/lint/lint.ts')
    return lintPack(await lintSource(pack, root, context))
  },

  text: formatLint,
  exit: ({ problems }) => (problems.length > 0 ? 1 : 0),
})
