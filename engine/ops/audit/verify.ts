import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type } from 'arktype'
import { isAnchor, parseAnchor } from '../../audit/anchor.ts'
import { readExport } from '../../audit/export-file.ts'
import { readEntryTexts } from '../../audit/log.ts'
import { findChangedRecords } from '../../audit/records.ts'
import { acceptRecords, restoreRecords } from '../../audit/settle-records.ts'
import { FAULT_KINDS, type Log, type Mark, type Verified, verifyLog } from '../../audit/verify.ts'
import { acceptReplaced, findWitnessFault } from '../../audit/witnessed.ts'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { type GovernanceSession, openGovernance } from '../../governance/governance-session.ts'
import { findGroundFaults, toFault } from '../../governance/tampering.ts'
import { readKnownKeys } from '../../sources/state/key.ts'
import type { RecordFault } from '../../sources/state/seals.ts'

/** Rows that are named; all of them are counted. */
const LISTED = 100

/** Says whether the log and the records are as they were written, and if not what was done to them first. */
export default defineOperation({
  id: 'audit.verify',
  summary: 'Verify the audit log and its records, or an export, and list what was tampered with; exit 1 on tampering.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: 'audit verify [file]',
  rest: null,
  mcp: null,
  input: type({
    'file?': type('string > 0').describe('an export to verify instead of the audit log'),
    anchor: type('string > 0')
      .array()
      .describe(
        'anchors from `svc audit anchor`, or files that contain one; entries before an anchor must be unchanged',
      )
      .default(() => []),
    accept_replaced: type('boolean')
      .describe(
        'true to accept, as a human user, that an earlier log of this directory is missing, or that the clock was set back',
      )
      .default(false),
    accept_records: type('boolean')
      .describe('true to accept, as a human user, the current state of the records')
      .default(false),
    restore_records: type('boolean')
      .describe('true to restore, as a human user, records that another program changed')
      .default(false),
    '+': 'reject',
  }),
  output: type({
    ok: 'boolean',
    entries: 'number.integer',
    first_seq: 'number.integer',
    last_seq: 'number.integer',
    'fault?': type({ kind: type.enumerated(...FAULT_KINDS), seq: 'number.integer', message: 'string' }),
    'records?': type({
      table: 'string',
      id: 'string',
      what: "'edited' | 'added' | 'deleted'",
      seq: 'number.integer',
      message: 'string',
    })
      .array()
      .describe('the first 100 rows that differ from the audit log'),
  }),
  examples: [
    ['svc audit verify', 'verify the integrity of the log'],
    ['svc audit verify --restore-records', 'restore records that another program modified'],
    ['svc audit verify audit.jsonl --anchor "svc-audit-anchor:1:…"', 'verify an export against the anchor in a CI log'],
  ],

  async run({ file, anchor, accept_replaced, accept_records, restore_records }, context) {
    // An export is verified anywhere; records are opened for the log alone.
    const governance = file === undefined ? await openGovernance(context) : undefined
    const { known } = governance?.state.keyring ?? readKnownKeys(context.env)
    if (governance && accept_replaced) acceptReplaced(governance, context.env)
    if (governance && restore_records) restoreRecords(governance)
    if (governance && accept_records) acceptRecords(governance)
    const marks = anchor.map(text => parseAnchor(isAnchor(text) ? text : textOf(context.cwd, text), known))
    return governance
      ? verifyDesk(governance, marks, context)
      : answer(verifyLog(readExport(context.cwd, file!), known, marks))
  },

  text: ({ ok, entries, first_seq, last_seq, fault, records = [] }, { paint }) =>
    ok
      ? `${paint('green', 'Intact')}: ${formatCount(entries, 'entry', 'entries')}${entries > 0 ? `, ${first_seq} to ${last_seq}` : ''}, each signed, linked and in order; the records match the log.`
      : [
          `${paint('red', fault!.kind)} at entry ${fault!.seq}: ${fault!.message}`,
          ...records.map(({ what, message }) => `  ${paint('yellow', what)} ${message}`),
          ...(records.length > 0
            ? [
                'Restore them with `svc audit verify --restore-records`, or accept them with --accept-records; only a user can.',
              ]
            : []),
        ].join('\n'),

  exit: ({ ok }) => (ok ? 0 : 1),
})

/**
 * Verifies the log of a governance session with all that it vouches for. The witness outside the repository is asked first: another log
 * in this one's place may be as sound as can be.
 */
function verifyDesk(governance: GovernanceSession, marks: readonly Mark[], { env }: Context) {
  const { state } = governance
  const log: Log = { texts: () => readEntryTexts(state), head: state.meta('audit_head') }
  const verified = verifyLog(log, state.keyring.known, marks)
  const witness = findWitnessFault(state, env)
  const isOther = witness !== undefined && witness.kind !== 'truncated'
  const found = (isOther ? witness : undefined) ?? verified.fault ?? witness
  const records = verified.fault ? [] : findChangedRecords(state)
  const fault =
    found ??
    (records[0] && toFault(records[0])) ??
    findGroundFaults(state, env, true).find(({ kind }) => kind === 'clock')
  return answer({ ...verified, ...(fault && { fault }) }, records)
}

function answer({ fault, ...verified }: Verified, records: readonly RecordFault[] = []) {
  const listed = records.slice(0, LISTED)
  return {
    ...verified,
    ok: fault === undefined,
    ...(fault && { fault }),
    ...(listed.length > 0 && { records: listed }),
  }
}

/** What a file says that an anchor was kept in; NOT_FOUND where it cannot be read. */
function textOf(cwd: string, name: string): string {
  try {
    return readFileSync(resolve(cwd, name), 'utf8')
  } catch (error) {
    throw new EngineError('NOT_FOUND', `No anchor ${name}, and no readable file of that name.`, {
      hint: 'Pass the output of `svc audit anchor`, or a file with it.',
      cause: error,
    })
  }
}
