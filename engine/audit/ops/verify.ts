import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type } from 'arktype'
import { EngineError } from '../../errors.ts'
import { deskOf } from '../../governance/desk.ts'
import { defineOperation } from '../../operation.ts'
import { isAnchor, parseAnchor } from '../anchor.ts'
import { readExport } from '../export-file.ts'
import { knownKeys } from '../key.ts'
import { textsOf } from '../log.ts'
import { recordsFault } from '../records.ts'
import { FAULT_KINDS, verifyLog } from '../verify.ts'
import { acceptReplaced, witnessFault } from '../witnessed.ts'

/** Says whether the log is as it was written, and if not what was done to it first. */
export default defineOperation({
  id: 'audit.verify',
  summary: 'Verify the audit log, or an export of it, and name the first bad entry; exit 1 where there is one.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: 'audit verify [file]',
  rest: null,
  mcp: null,
  input: type({
    'file?': type('string > 0').describe('an export to verify instead of the log'),
    anchor: type('string > 0')
      .array()
      .describe('anchors of `svc audit anchor`, or files that hold one: nothing before them may have changed')
      .default(() => []),
    accept_replaced: type('boolean')
      .describe('true to accept, as a person, that an earlier log of this folder is gone')
      .default(false),
    '+': 'reject',
  }),
  output: type({
    ok: 'boolean',
    entries: 'number.integer',
    first_seq: 'number.integer',
    last_seq: 'number.integer',
    'fault?': type({ kind: type.enumerated(...FAULT_KINDS), seq: 'number.integer', message: 'string' }),
  }),
  examples: [
    ['svc audit verify', 'is the log as it was written?'],
    ['svc audit verify audit.jsonl --anchor "svc-audit-anchor:1:…"', 'an export, against what a CI log kept'],
  ],

  async run({ file, anchor, accept_replaced }, context) {
    // An export is verified anywhere; records are opened for the log alone.
    const desk = file === undefined ? await deskOf(context) : undefined
    const { known } = desk?.state.keyring ?? knownKeys(context.env)
    if (desk && accept_replaced) acceptReplaced(desk, context.env)
    const marks = anchor.map(text => parseAnchor(isAnchor(text) ? text : textOf(context.cwd, text), known))
    const log = desk
      ? { texts: () => textsOf(desk.state), head: desk.state.meta('audit_head') }
      : readExport(context.cwd, file!)
    const verified = verifyLog(log, known, marks)
    const fault = verified.fault ?? (desk && (witnessFault(desk, context.env) ?? recordsFault(desk.state)))
    return { ...verified, ok: fault === undefined, ...(fault && { fault }) }
  },

  text: ({ ok, entries, first_seq, last_seq, fault }, { paint }) =>
    ok
      ? `${paint('green', 'Intact')}: ${entries} entries${entries > 0 ? `, ${first_seq} to ${last_seq}` : ''}, each signed, linked and in its place.`
      : `${paint('red', fault!.kind)} at entry ${fault!.seq}: ${fault!.message}`,

  exit: ({ ok }) => (ok ? 0 : 1),
})

/** What a file says that an anchor was kept in; NOT_FOUND where it cannot be read. */
function textOf(cwd: string, name: string): string {
  try {
    return readFileSync(resolve(cwd, name), 'utf8')
  } catch (error) {
    throw new EngineError('NOT_FOUND', `There is no anchor ${name}, and no file of that name can be read.`, {
      hint: 'Give what `svc audit anchor` printed, or a file that holds it.',
      cause: error,
    })
  }
}
