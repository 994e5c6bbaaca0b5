import { Time } from '../../components/time.tsx'
import { words } from '../../format.ts'
import { groupBy } from '../../grouping.ts'
import type { AgentsData } from '../agents.tsx'

type Delegation = AgentsData['delegations'][number]
type Session = AgentsData['sessions'][number]

/** Who delegated what to whom: sessions that delegated, with the sessions below them. */
export function DelegationTree({
  delegations,
  sessions,
}: {
  delegations: readonly Delegation[]
  sessions: readonly Session[]
}) {
  if (delegations.length === 0) return null
  const below = groupBy(delegations, ({ parent_id }) => parent_id)
  const delegated = new Set(delegations.map(({ session_id }) => session_id))
  const roots = [...below.keys()].filter(id => !delegated.has(id))
  return (
    <section aria-label="Delegations">
      <h2>Delegations</h2>
      <ul class="tree panel padded">
        {roots.map(id => {
          const session = sessions.find(each => each.id === id)
          return (
            <li key={id}>
              <b>{session?.agent ?? id}</b> {session && <span class="soft">{session.intent}</span>}
              <Branch id={id} below={below} depth={0} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Levels that are drawn; records that name each other in a circle end there. */
const DEEPEST = 16

function Branch({
  id,
  below,
  depth,
}: {
  id: string
  below: ReadonlyMap<string, readonly Delegation[]>
  depth: number
}) {
  const children = below.get(id)
  if (!children || depth > DEEPEST) return null
  return (
    <ul>
      {children.map(child => (
        <li key={child.id}>
          <b>{child.agent}</b> {child.task}{' '}
          <span class="soft">
            {child.trust_level}, {words(child.status)}, <Time at={child.created_at} />
          </span>
          <code class="under">{child.paths.join(' ')}</code>
          <Branch id={child.session_id} below={below} depth={depth + 1} />
        </li>
      ))}
    </ul>
  )
}
