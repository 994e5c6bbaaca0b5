import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import type { Draft } from '../../sources/packs/import/draft.ts'
import { importText } from '../../sources/packs/import/report-text.ts'
import { ImportReportType } from '../../sources/packs/import-schema.ts'
import type { WrittenRule } from '../../sources/packs/pack-file.ts'

const Any = type({ '[string]': 'unknown' })

/** A pack of the repository's own from its parts; they are checked as an imported file is. */
export default defineOperation({
  id: 'packs.create',
  summary: 'Create a pack in the repository.',
  effect: 'write',
  action: 'manage_packs',
  cli: null,
  rest: 'POST /api/packs',
  mcp: null,
  input: type({
    id: type('string > 0').describe('a pack id: words joined by hyphens'),
    name: type('string > 0').describe('a display name'),
    description: type('string > 0').describe('what the pack detects'),
    version: type('string').describe('a semantic version such as 1.0.0').default('1.0.0'),
    languages: type('string[]')
      .describe('languages whose presence enables the pack, or any')
      .default(() => []),
    'framework?': Any.describe('the framework that the pack maps: id, name, edition, date'),
    rules: Any.array()
      .describe('a list of rules, each as in a rule file')
      .default(() => []),
    controls: Any.array()
      .describe('a list of controls, each as in pack.yaml')
      .default(() => []),
    obligations: Any.array()
      .describe('a list of documentation obligations, each as in pack.yaml')
      .default(() => []),
    enable: type('boolean').describe('true to enable the pack as well').default(false),
    '+': 'reject',
  }),
  output: ImportReportType,

  check: async ({ rules, enable: _, ...head }, context) => {
    const { checkImport } = await import('../../sources/packs/import/run.ts')
    await checkImport(toDraft(rules, head), { overwrite: false }, context)
  },

  async run({ rules, enable, ...head }, context) {
    const { importDraft } = await import('../../sources/packs/import/run.ts')
    return importDraft(toDraft(rules, head), { overwrite: false, enable }, context)
  },

  text: (report, view) => importText(report, view),
})

function toDraft(rules: readonly unknown[], head: Draft['head']): Draft {
  const place = () => ({ file: 'body' })
  const written = rules.map(data => ({ data: data as WrittenRule, file: 'body', place }))
  return { format: 'svc', head, file: 'body', place, rules: written, libraries: [], left_out: [] }
}
