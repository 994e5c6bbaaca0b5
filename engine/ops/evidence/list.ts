import { type } from 'arktype'
import { findToday } from '../../assure/controls/load.ts'
import { checkEvidence } from '../../assure/evidence/check.ts'
import { readEvidence } from '../../assure/evidence/file.ts'
import { CheckedEvidenceType, formatEvidence } from '../../assure/evidence/schema.ts'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { EVIDENCE_PATH } from '../../sources/config/paths.ts'
import { expandFramework } from '../../sources/packs/find-framework.ts'
import { loadPacks } from '../../sources/packs/load.ts'

/** The entries of .svc/evidence.yaml, each with its state. */
export default defineOperation({
  id: 'evidence.list',
  summary: 'List the evidence that people vouch for, with control, owner and expiry.',
  effect: 'read',
  cli: 'evidence list',
  rest: null,
  mcp: null,
  examples: [['svc evidence list', 'list the entries of .svc/evidence.yaml with their states']],
  input: type({
    'control?': type('string > 0').describe('the beginning of framework:control, such as soc2-tsc-2017:CC6'),
    '+': 'reject',
  }),
  output: type({ file: 'string', evidence: CheckedEvidenceType.array(), total: 'number.integer' }),

  async run({ control }, { cwd, env, signal }) {
    const root = findRepositoryRoot(cwd)
    const packs = await loadPacks(root)
    const all = await checkEvidence(root, await readEvidence(root), packs, { today: findToday(env), signal })
    const wanted = control && expandFramework(control, packs)
    const evidence = all.filter(
      each =>
        wanted === undefined ||
        each.control.startsWith(wanted) ||
        `${each.framework}:${each.control_id}`.startsWith(wanted),
    )
    return { file: EVIDENCE_PATH, evidence, total: all.length }
  },

  text({ evidence, total }, view) {
    if (total === 0) return 'No evidence. Add some with `svc evidence add <framework:control> --title … --file …`.'
    return (
      evidence.map(each => formatEvidence(each, view)).join('\n') || `None of ${total} entries is for that control.`
    )
  },
})
