import { Time } from '../../components/time.tsx'
import { count, words } from '../../format.ts'
import { type Activity, connection } from '../../server/live.ts'

/** Entries that are drawn. */
const DRAWN = 60

const TONES: Record<string, string> = { refused: 'bad', pending: 'medium', warned: 'medium', allowed: 'soft' }

/** What happened, newest first; new entries come at the head as they happen. */
export function ActivityFeed({ entries }: { entries: readonly Activity[] }) {
  if (entries.length === 0) return <p class="soft">Nothing is recorded.</p>
  return (
    <>
      <p class="soft live">
        {connection.value === 'live' ? 'Live' : 'Not live: what is new comes when the connection is back.'}
      </p>
      <ol class="feed">
        {entries.slice(0, DRAWN).map(entry => (
          <li key={entry.seq}>
            <span class={`decision ${TONES[entry.decision] ?? ''}`}>{entry.decision}</span>
            <b>{entry.actor.agent}</b>
            <span>{words(entry.action)}</span>
            <code class="place">{entry.target}</code>
            {entry.tampered && <span class="bad">changed by another program</span>}
            <Time at={entry.at} />
          </li>
        ))}
      </ol>
      {entries.length > DRAWN && <p class="soft">The newest {count(DRAWN)} are shown; the audit log has all.</p>}
    </>
  )
}
