import { type } from 'arktype'
import { findEntries } from '../../audit/log.ts'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { DecisionType, EntryType } from '../../governance/record-schema.ts'
import { findStateFaults } from '../../governance/tampering.ts'
import { readSection, type Section } from '../../pages/section.ts'
import { sectionType } from '../../pages/section-schema.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { stateExists } from '../../sources/state/local-folder.ts'
import { Limit } from '../../sources/store/run-schema.ts'

const Data = type({
  entries: EntryType.array(),
  total: type('number.integer').describe('the number of entries of the log'),
  'next_before?': type('number.integer').describe('the value of before that gives the entries after these'),
  tampered: type('string[]').describe('the tampering found in the records; `svc audit verify` checks the whole log'),
})

/** A page of the audit log, newest first, and whether its records were tampered with. */
export default defineOperation({
  id: 'pages.audit',
  summary: 'Return the audit log page: entries, newest first, and tampering found in the records.',
  effect: 'read',
  action: 'read_audit',
  cli: null,
  rest: 'GET /api/pages/audit',
  mcp: null,
  input: type({
    'agent?': type('0 < string <= 200').describe('the name of an agent'),
    'action?': type('0 < string <= 200').describe('an action'),
    'decision?': DecisionType.configure({ description: 'allowed, warned, pending or refused' }, 'self'),
    'before?': type('number.integer >= 1').describe('a number of an entry: only earlier ones'),
    limit: Limit(1000, 200),
    '+': 'reject',
  }),
  output: sectionType(Data),

  run: ({ before, limit, ...wanted }, context): Promise<Section<typeof Data.infer>> =>
    readSection(
      { reason: 'No action is recorded: nothing is governed in this repository yet.', command: 'svc task-bind --help' },
      async () => {
        if (!stateExists(findRepositoryRoot(context.cwd))) return undefined
        const governance = await openGovernance(context)
        const entries = findEntries(governance.state, { ...wanted, limit, before })
        const last = entries.at(-1)
        return {
          entries,
          total: governance.state.head().seq,
          ...(entries.length === limit && last && last.seq > 1 && { next_before: last.seq }),
          tampered: findStateFaults(governance).map(({ message }) => message),
        }
      },
    ),

  text: ({ state }) => `audit log: ${state}`,
})
