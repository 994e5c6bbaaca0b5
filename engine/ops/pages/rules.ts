import { type } from 'arktype'
import { SeverityType } from '../../base/records/finding-schema.ts'
import { combineForms, groupForms } from '../../base/records/forms.ts'
import { listFixes } from '../../detect/rules/fixes.ts'
import { defineOperation } from '../../door/operation.ts'
import { readSection } from '../../pages/section.ts'
import { sectionType } from '../../pages/section-schema.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import { listLanguages, listScannedFiles } from '../../sources/packs/scanned.ts'
import { listPackStates } from '../../sources/packs/state.ts'
import { runWithStore } from '../../sources/store/open.ts'

/** More than there are rules. */
const MOST = 10_000

const Counts = type({ run_id: 'string', findings: type({ '[string]': 'number.integer' }) })

/** The rules with their packs, and how many findings each has in the latest run. */
export default defineOperation({
  id: 'pages.rules',
  summary: 'Return the rules page: packs, rules, and the findings of each in the latest run.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/pages/rules',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    packs: type({ id: 'string', name: 'string', version: 'string', state: 'string', rules: 'number.integer' }).array(),
    rules: type({
      id: 'string',
      pack_id: 'string',
      title: 'string',
      severity: SeverityType,
      type: 'string',
      languages: 'string[]',
      cwe: 'string[]',
      fixable: 'boolean',
    }).array(),
    counts: sectionType(Counts),
  }),

  async run(_input, context) {
    const config = await loadConfig(context.cwd, { env: context.env })
    const packs = await loadPacks(config.root)
    const states = listPackStates(packs, config, listLanguages(await listScannedFiles(config, context.signal)))
    const counts = await readSection({ reason: 'This repository has not been scanned yet.', command: 'svc scan' }, () =>
      runWithStore(context, async store => {
        const { id } = await store.run('latest')
        const counted = await store.ruleCounts(id, MOST)
        return {
          run_id: id,
          findings: Object.fromEntries(counted.map(({ rule_id, open, baseline }) => [rule_id, open + baseline])),
        }
      }),
    )
    return {
      packs: packs.map(({ id, name, version, rules }) => ({
        ...{ id, name, version, state: states.get(id) ?? 'disabled' },
        rules: groupForms(rules).size,
      })),
      rules: [...groupForms(packs.flatMap(({ rules }) => rules)).values()].map(forms => {
        const { id, pack_id, title, severity, type, languages, cwe } = combineForms(forms)
        return {
          ...{ id, pack_id, title, severity, type, languages: [...languages], cwe: [...cwe] },
          fixable: forms.some(form => listFixes(form).length > 0),
        }
      }),
      counts,
    }
  },

  text: ({ rules, packs }) => `${rules.length} rules in ${packs.length} packs`,
})
