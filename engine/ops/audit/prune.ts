import { existsSync } from 'node:fs'
import { type } from 'arktype'
import { writeExport } from '../../audit/export-file.ts'
import { pruneBefore } from '../../audit/prune.ts'
import { resolveOutputFile } from '../../base/disk/output-file.ts'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { sealHead } from '../../sources/state/chain.ts'
import { computeSha256 } from '../../sources/state/seal.ts'

/** Retention: old entries go to an archive, and a checkpoint keeps the chain provable. */
export default defineOperation({
  id: 'audit.prune',
  summary: 'Move old entries of the audit log to an archive; a checkpoint keeps the log verifiable.',
  effect: 'destroy',
  action: 'edit_config',
  cli: 'audit prune',
  rest: null,
  mcp: null,
  short: { output: 'o' },
  input: type({
    keep_days: type('1 <= number.integer <= 36500').describe('days of entries to keep, 1 to 36500'),
    output: type('string > 0').describe('an archive file to write, verifiable with `svc audit verify`'),
    '+': 'reject',
  }),
  output: type({ removed: 'number.integer', removed_through: 'number.integer', archive: 'string | null' }),
  examples: [['svc audit prune --keep-days 365 -o audit-2024.jsonl', 'keep the entries of one year']],

  check: ({ output }, context) => {
    locateArchive(context.cwd, output)
  },

  async run({ keep_days, output }, context) {
    const { state, acting } = await openGovernance(context)
    const file = locateArchive(context.cwd, output)
    const before = new Date(Date.now() - keep_days * 86_400_000).toISOString()
    const { log_id } = state.head()
    return state.write(acting, tx => {
      const { removed, removed_through, texts } = pruneBefore(tx, before)
      if (removed === 0) return { removed, removed_through, archive: null }
      const end = texts.at(-1)!
      const first = removed_through - removed + 1
      const head = {
        log_id,
        seq: removed_through,
        hash: computeSha256(end),
        at: (JSON.parse(end) as { at: string }).at,
        first_seq: first,
      }
      // Before the transaction ends: what is removed is in the archive, or nothing is removed.
      writeExport(file, output, [...texts, sealHead(head, state.keyring.signing)])
      return { removed, removed_through, archive: output }
    })
  },

  text: ({ removed, archive }) =>
    removed === 0 ? 'No entry is that old.' : `${removed} entries are in ${archive} now.`,
})

/** The file of the archive; CONFLICT where there is one. */
function locateArchive(cwd: string, output: string): string {
  const file = resolveOutputFile(cwd, output)
  if (existsSync(file))
    throw new EngineError('CONFLICT', `${output} is there already, and an archive replaces no file.`)
  return file
}
