import { useState } from 'preact/hooks'
import { Heading } from '../components/heading.tsx'
import { Panel } from '../components/panel.tsx'
import { Answered, Section } from '../components/section.tsx'
import { Table } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { WriteButton } from '../components/write-button.tsx'
import { count, counted, words } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useChanges } from '../server/changes.ts'
import { activity } from '../server/live.ts'
import { refresh, useAnswer } from '../server/load.ts'
import { ask } from '../server/request.ts'
import { href } from '../shell/route.ts'
import { announce, showFault } from '../shell/said.ts'
import { ActivityFeed } from './agents/activity-feed.tsx'
import { Anomalies } from './agents/anomalies.tsx'
import { DelegationTree } from './agents/delegation-tree.tsx'
import { SessionCard } from './agents/session-card.tsx'

export type AgentsData = NonNullable<Answers['GET /api/pages/agents']['data']>

/** Sessions that are still open. */
const OPEN = new Set(['active', 'violated'])
/** Ended sessions that are drawn. */
const ENDED = 50

/** What coding agents do and did here: the feed as it happens, sessions with their violations, delegations, grants, zones, anomalies. */
export default function Agents() {
  const loaded = useAnswer('GET /api/pages/agents', {}, useChanges(activity.value[0]?.seq ?? 0))
  return (
    <>
      <Heading title="Agents" />
      <Answered loaded={loaded}>
        {page => <Section section={page}>{data => <Everything {...data} />}</Section>}
      </Answered>
    </>
  )
}

function Everything(data: AgentsData) {
  const open = data.sessions.filter(({ status }) => OPEN.has(status))
  const ended = data.sessions.filter(({ status }) => !OPEN.has(status))
  const known = new Set(data.activity.map(({ seq }) => seq))
  const entries = [...activity.value.filter(({ seq }) => !known.has(seq)), ...data.activity]
  return (
    <div class="stacked">
      <Standing {...data} open={open.length} />
      <Panel title="Open sessions" class="padded" aside={<span class="soft">{count(open.length)}</span>}>
        {open.length === 0 && <p class="soft">No open sessions.</p>}
        <ul class="sessions">
          {open.map(session => (
            <SessionCard key={session.id} session={session} />
          ))}
        </ul>
      </Panel>
      <Panel title="Activity" class="padded" aside={<a href={href('audit')}>Audit log</a>}>
        <ActivityFeed entries={entries} />
      </Panel>
      <Anomalies anomalies={data.anomalies} enabled={data.anomaly_detection} />
      <DelegationTree delegations={data.delegations} sessions={data.sessions} />
      <Registered {...data} />
      <Grants grants={data.grants} />
      <Zones {...data} />
      <Panel
        title="Ended sessions"
        class="padded"
        aside={<span class="soft">{count(data.sessions_total - open.length)}</span>}
      >
        {ended.length === 0 && <p class="soft">None.</p>}
        <ul class="sessions">
          {ended.slice(0, ENDED).map(session => (
            <SessionCard key={session.id} session={session} />
          ))}
        </ul>
        {ended.length > ENDED && <p class="soft">The newest {count(ENDED)} are shown.</p>}
      </Panel>
    </div>
  )
}

function Standing({ frozen, tampered, pending_approvals, open }: AgentsData & { open: number }) {
  const all = frozen.includes('*')
  return (
    <section class="standing-line" aria-label="Standing">
      <p>
        <b>{counted(open, 'open session')}</b>
        {pending_approvals > 0 && (
          <>
            , <a href={href('approvals')}>{counted(pending_approvals, 'pending approval')}</a>
          </>
        )}
        {frozen.length > 0 && (
          <span class="bad">, {all ? 'every agent is frozen' : `frozen: ${frozen.join(', ')}`}</span>
        )}
      </p>
      <FreezeButton name="*" frozen={all} />
      {tampered.length > 0 && (
        <div role="alert" class="lacking unreadable">
          <p>The records were changed by another program:</p>
          <ul>
            {tampered.map(message => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

/** Freezes an agent, or all of them with `*`: every further action is denied until it is lifted. */
function FreezeButton({ name, frozen }: { name: string; frozen: boolean }) {
  const [busy, setBusy] = useState(false)
  const act = async () => {
    setBusy(true)
    try {
      await ask(
        frozen ? 'POST /api/agents/unfreeze' : 'POST /api/agents/freeze',
        name === '*' ? { all: true } : { name },
      )
      announce(frozen ? 'Not frozen any more.' : 'Frozen: every further action is denied.')
      refresh()
    } catch (error) {
      showFault(error)
    } finally {
      setBusy(false)
    }
  }
  const whom = name === '*' ? 'all agents' : name
  return (
    <WriteButton class={frozen ? 'quiet small' : 'danger small'} busy={busy} onClick={act}>
      {frozen ? `Unfreeze ${whom}` : `Freeze ${whom}`}
    </WriteButton>
  )
}

function Registered({ agents, frozen }: AgentsData) {
  if (agents.length === 0) return null
  return (
    <section aria-label="Registered agents">
      <h2>Registered agents</h2>
      <Table columns={['Agent', 'Trust', 'Credential', 'Registered', 'Scopes', 'Freeze']} label="Registered agents">
        {agents.map(agent => (
          <tr key={agent.name}>
            <td>
              <b>{agent.name}</b>
            </td>
            <td>{agent.trust_level}</td>
            <td class={agent.status === 'valid' ? '' : 'bad'}>{agent.status}</td>
            <td>
              <Time at={agent.created_at} />
            </td>
            <td>{agent.scopes.join(', ') || 'none'}</td>
            <td>
              <FreezeButton name={agent.name} frozen={frozen.includes(agent.name)} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

function Grants({ grants }: { grants: AgentsData['grants'] }) {
  if (grants.length === 0) return null
  return (
    <section aria-label="Grants">
      <h2>Grants</h2>
      <Table columns={['Scope', 'Agent', 'Status', 'Requested', 'Expires', 'Uses', 'Reason']} label="Grants">
        {grants.map(grant => (
          <tr key={grant.id}>
            <td>
              <code>{grant.scope}</code>
            </td>
            <td>{grant.agent}</td>
            <td class={grant.status === 'active' ? 'good' : 'soft'}>{grant.status}</td>
            <td>
              <Time at={grant.requested_at} />
            </td>
            <td>{grant.expires_at ? <Time at={grant.expires_at} /> : '–'}</td>
            <td class="number">
              {count(grant.uses)}
              {grant.max_uses !== null && ` of ${count(grant.max_uses)}`}
            </td>
            <td>{grant.reason}</td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

function Zones({ zones, zones_enabled }: AgentsData) {
  return (
    <section aria-label="Zones">
      <h2>Zones</h2>
      {!zones_enabled && (
        <p class="soft">
          Zones are not enforced: <code>governance.blast_radius.enabled</code> is false.
        </p>
      )}
      <Table columns={['Zone', 'Enforcement', 'Paths']} label="Zones">
        {zones.map(zone => (
          <tr key={zone.name}>
            <td>
              <b>{zone.name}</b>
            </td>
            <td>{words(zone.enforcement)}</td>
            <td>
              <code>{zone.patterns.join(' ')}</code>
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}
