import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { formatLint } from '../../sources/packs/lint/answer.ts'
import { LintedType } from '../../sources/packs/lint-schema.ts'
import { loadPacks } from '../../sources/packs/load.ts'

/** The same as `lint-pack` for a text that a coding agent has at hand. */
export default defineOperation({
  id: 'packs.lint-yaml',
  summary: 'Lint the YAML of a pack or rule, and list each problem with its location.',
  effect: 'read',

  cli: null,
  rest: null,
  mcp: 'lint_pack_yaml',

  input: type({
    yaml: type('0 < string <= 4194304').describe(
      'the YAML of a pack (with its rules under `rules`), of a rule file, or of several separated by `---`',
    ),
    '+': 'reject',
  }),
  output: LintedType,

  async run({ yaml }, { cwd }) {
    const { lintText } = await import('../../sources/packs/lint/source.ts')
    const { lintPack } = await import('../../sources/packs/lint/lint.ts')
    return lintPack(lintText(yaml, 'pack.yaml', await loadPacks(findRepositoryRoot(cwd))))
  },

  text: formatLint,
})
