import { type } from 'arktype'
import { findToday } from '../../assure/controls/load.ts'
import { checkEvidence } from '../../assure/evidence/check.ts'
import { readEvidence } from '../../assure/evidence/file.ts'
import { CheckedEvidenceType, formatEvidence } from '../../assure/evidence/schema.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { EVIDENCE_PATH } from '../../sources/config/paths.ts'
import { countDaysBetween } from '../../sources/packs/deadlines.ts'
import { loadPacks } from '../../sources/packs/load.ts'

/** Says which entries of .svc/evidence.yaml do not count, and which will soon not. */
export default defineOperation({
  id: 'evidence.check',
  summary: 'Check the evidence file: digests, expiry dates, controls. Exit 1 if an entry does not count.',
  effect: 'read',
  cli: 'evidence check',
  rest: null,
  mcp: null,
  examples: [
    ['svc evidence check', 'check every entry'],
    ['svc evidence check --within 30', 'also list what expires within 30 days'],
  ],
  input: type({
    within: type('0 <= number.integer <= 3650').describe('days to look ahead for expiry, 0 to 3650').default(14),
    '+': 'reject',
  }),
  output: type({
    file: 'string',
    total: 'number.integer',
    valid: 'number.integer',
    faults: CheckedEvidenceType.array().describe('entries that do not count'),
    expiring: CheckedEvidenceType.array().describe('valid entries that expire soon'),
  }),

  async run({ within }, { cwd, env, signal }) {
    const root = findRepositoryRoot(cwd)
    const today = findToday(env)
    const all = await checkEvidence(root, await readEvidence(root), await loadPacks(root), { today, signal })
    const valid = all.filter(({ state }) => state === 'valid')
    return {
      file: EVIDENCE_PATH,
      total: all.length,
      valid: valid.length,
      faults: all.filter(({ state }) => state !== 'valid'),
      expiring: valid.filter(({ expires }) => expires !== undefined && countDaysBetween(today, expires) <= within),
    }
  },

  text({ total, valid, faults, expiring }, view) {
    const lines = [...faults.map(each => formatEvidence(each, view))]
    for (const each of expiring)
      lines.push(`${view.paint('yellow', 'expires soon')}  ${each.control}  ${each.title}: ${each.expires}`)
    const rest = faults.length > 0 ? `; ${faults.length} without effect` : ''
    return [...lines, `${formatCount(total, 'entry', 'entries')}, ${valid} valid${rest}.`].join('\n')
  },

  exit: ({ faults }) => (faults.length > 0 ? 1 : 0),
})
