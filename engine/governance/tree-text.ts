import type { View } from '../base/text/view.ts'
import type { Delegation, Session } from '../sources/state/records.ts'

/** A session in its tree, with how far it is from the root. */
interface Placed {
  session: Pick<Session, 'id' | 'status' | 'agent' | 'intent' | 'trust_level'>
  delegation: Pick<Delegation, 'id'> | null
  depth: number
}

/** The tree as lines with branches; the session that was asked for is marked. `nodes` is depth first. */
export function formatTree(nodes: readonly Placed[], marked: string, { paint }: Pick<View, 'paint'>): string {
  return nodes
    .map(({ session, delegation, depth }, index) => {
      const bars = Array.from({ length: Math.max(depth - 1, 0) }, (_, level) =>
        goesOn(nodes, index, level + 1) ? '│  ' : '   ',
      )
      const branch = depth === 0 ? '' : goesOn(nodes, index, depth) ? '├─ ' : '└─ '
      const name = session.id === marked ? paint('bold', session.id) : session.id
      const colour = session.status === 'active' ? 'green' : session.status === 'violated' ? 'red' : 'dim'
      const via = delegation ? paint('dim', ` by ${delegation.id}`) : ''
      return `${bars.join('')}${branch}${name} ${paint(colour, session.status)} ${session.agent} (${session.trust_level})${via}: ${session.intent}`
    })
    .join('\n')
}

/** Whether another branch of this depth follows below the same parent. */
function goesOn(nodes: readonly Placed[], index: number, depth: number): boolean {
  for (const node of nodes.slice(index + 1)) {
    if (node.depth < depth) return false
    if (node.depth === depth) return true
  }
  return false
}
