import { type } from 'arktype'
import { readLatestEntries } from '../../audit/log.ts'
import { defineOperation } from '../../door/operation.ts'
import { scanAnomalies } from '../../governance/anomaly-scan.ts'
import { AnomalyType } from '../../governance/anomaly-schema.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { AgentType, DelegationType, EntryType, GrantType, SessionType } from '../../governance/record-schema.ts'
import { readAgentStatus } from '../../governance/status.ts'
import { findStateFaults } from '../../governance/tampering.ts'
import { hideInternals } from '../../governance/text.ts'
import { listZones } from '../../governance/zones.ts'
import { readSection, type Section } from '../../pages/section.ts'
import { sectionType } from '../../pages/section-schema.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { ENFORCEMENTS } from '../../sources/config/values.ts'
import { stateExists } from '../../sources/state/local-folder.ts'

/** Sessions, delegations, grants and entries that are listed at most, the newest first. */
const LISTED = 200

const Data = type({
  agents: AgentType.array(),
  frozen: type('string[]').describe('names of frozen agents; * means all'),
  sessions: SessionType.array(),
  sessions_total: 'number.integer',
  delegations: DelegationType.array(),
  grants: GrantType.array(),
  anomalies: AnomalyType.array(),
  anomaly_detection: type('boolean').describe('whether anomaly detection is enabled'),
  zones: type({ name: 'string', patterns: 'string[]', enforcement: type.enumerated(...ENFORCEMENTS) }).array(),
  zones_enabled: 'boolean',
  activity: EntryType.array(),
  pending_approvals: 'number.integer',
  tampered: type('string[]').describe('the tampering found in the records'),
})

/** Everything that is known of coding agents here: who they are, what they do and did, what they may, what was unusual. */
export default defineOperation({
  id: 'pages.agents',
  summary: 'Return the agents page: sessions, delegations, grants, zones, anomalies and activity.',
  effect: 'read',
  action: 'read_audit',
  cli: null,
  rest: 'GET /api/pages/agents',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: sectionType(Data),

  run: (_input, context): Promise<Section<typeof Data.infer>> =>
    readSection(
      { reason: 'No coding agent has acted in this repository.', command: 'svc task-bind --help' },
      async () => {
        if (!stateExists(findRepositoryRoot(context.cwd))) return undefined
        const governance = await openGovernance(context)
        const { state, policy } = governance
        const records = state.read((reader, at) => ({
          agents: reader.find('agents', '1 ORDER BY name').map(agent => readAgentStatus(reader, at, agent, policy)),
          frozen: reader.find('frozen', '1 ORDER BY name').map(({ name }) => name),
          sessions: reader
            .find('sessions', '1 ORDER BY created_at DESC, rowid DESC LIMIT ?', LISTED)
            .map(hideInternals),
          sessions_total: reader.count('sessions', '1'),
          delegations: reader.find('delegations', '1 ORDER BY created_at DESC, rowid DESC LIMIT ?', LISTED),
          grants: reader.find('grants', '1 ORDER BY requested_at DESC, rowid DESC LIMIT ?', LISTED),
          pending_approvals: reader.count('approvals', "status = 'pending'"),
        }))
        return {
          ...records,
          anomalies: (await scanAnomalies(governance, {}, context.signal)).slice(0, LISTED),
          anomaly_detection: policy.anomaly_detection.enabled,
          zones: listZones(policy).map(({ name, patterns, enforcement }) => ({
            ...{ name, enforcement },
            patterns: [...patterns],
          })),
          zones_enabled: policy.blast_radius.enabled,
          activity: readLatestEntries(state, LISTED),
          tampered: findStateFaults(governance).map(({ message }) => message),
        }
      },
    ),

  text: ({ state }) => `agents: ${state}`,
})
