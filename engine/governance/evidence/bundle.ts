import { formatAnchor } from '../../audit/anchor.ts'
import { readEntryTexts } from '../../audit/log.ts'
import { sealHead } from '../../sources/state/chain.ts'
import type { AuditEntry } from '../../sources/state/entry.ts'
import { seal } from '../../sources/state/seal.ts'
import type { GovernedContext } from '../context.ts'
import type { GovernanceSession } from '../governance-session.ts'
import { collect, findEndUntil } from './collect.ts'
import { renderEvidence } from './html.ts'

/** The audit log up to a moment, as `svc audit verify <file>` reads it, and an anchor of its end. */
export interface LogUntil {
  entries: number
  /** Sealed entries, a line each, and the signed head of them. */
  lines: string[]
  anchor: string
}

/** The entries that were written until a moment (ISO 8601), with a head that is signed for them. */
export function exportLogUntil({ state }: Pick<GovernanceSession, 'state'>, until: string): LogUntil {
  const head = findEndUntil(state, until)
  const lines: string[] = []
  for (const text of readEntryTexts(state)) {
    if ((JSON.parse(text) as AuditEntry).seq > head.seq) break
    lines.push(text)
  }
  const { signing } = state.keyring
  return { entries: lines.length, lines: [...lines, sealHead(head, signing)], anchor: formatAnchor(head, signing) }
}

/** The signed report of agents' activity, of what had begun at `until`: the same records give the same bytes. */
export async function makeHarnessFiles(
  governance: GovernanceSession,
  at: Date,
  until: string,
  context: Pick<GovernedContext, 'env' | 'signal'>,
): Promise<{ json: string; html: string }> {
  const env = { ...context.env, SOURCE_DATE_EPOCH: String(Math.floor(at.getTime() / 1000)) }
  const evidence = await collect(governance, null, { ...context, env }, until)
  const sealed = seal(evidence as unknown as Record<string, unknown>, governance.state.keyring.signing).text
  return { json: `${sealed}\n`, html: renderEvidence(evidence, sealed) }
}
