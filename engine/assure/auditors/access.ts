import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { loadConfig } from '../../sources/config/load.ts'
import type { Acting } from '../../sources/state/entry.ts'
import { stateExists } from '../../sources/state/local-folder.ts'
import { openState } from '../../sources/state/open.ts'
import type { AuditorScope, AuditorToken } from '../../sources/state/records.ts'
import type { State } from '../../sources/state/state.ts'
import { countRefusal } from './refusals.ts'
import { checkToken } from './tokens.ts'

const WHY = {
  unknown: 'The token is not known.',
  wrong: 'The token is not known.',
  expired: 'The token has expired.',
  revoked: 'The token was revoked.',
} as const

/**
 * Does the work of an auditor who has a token, and writes the access to the audit log before anything is read. UNAUTHENTICATED where the
 * token opens nothing, FORBIDDEN where it has not the scope. A refused token that is known, or begins as a known one, is logged by its 1st, 10th,
 * 100th … attempt of an hour, with their number; any other is not, since everybody could fill the log then.
 */
export async function runAsAuditor<T>(
  presented: string,
  what: { action: string; target: string; scope?: AuditorScope },
  context: Context,
  work: (token: AuditorToken, state: State, root: string) => Promise<T>,
): Promise<T> {
  const { root, governance } = await loadConfig(context.cwd, { env: context.env })
  if (!stateExists(root)) throw unauthenticated('unknown')
  const state = await openState(root, { env: context.env, key: governance.audit.key })
  try {
    const checked = state.read((reader, at) => checkToken(reader, presented, at))
    if ('refused' in checked) {
      if (checked.refused !== 'unknown') {
        const attempts = countRefusal(`${root}\0${checked.prefix}\0${checked.refused}`, Date.now())
        const details = { why: checked.refused, ...(attempts !== undefined && attempts > 1 && { attempts }) }
        if (attempts !== undefined) write(state, context, checked.prefix, { ...what, decision: 'refused', details })
      }
      throw unauthenticated(checked.refused)
    }
    const { token } = checked
    const isAllowed = what.scope === undefined || token.scopes.includes(what.scope)
    const details = { name: token.name, ...(what.scope && { scope: what.scope }) }
    write(state, context, token.prefix, { ...what, decision: isAllowed ? 'allowed' : 'refused', details })
    if (!isAllowed)
      throw new EngineError('FORBIDDEN', `The token does not have the scope ${what.scope}.`, {
        hint: 'Ask whoever gave it to you for another one.',
      })
    return await work(token, state, root)
  } finally {
    state.close()
  }
}

function write(
  state: State,
  { surface }: Context,
  prefix: string,
  {
    action,
    target,
    decision,
    details,
  }: { action: string; target: string; decision: 'allowed' | 'refused'; details: object },
): void {
  const actor = { agent: `auditor:${prefix}`, method: 'credential', session_id: null, trust_level: 'none' } as const
  const acting: Acting = { surface, actor, policy_digest: '' }
  state.write(acting, tx => tx.audit({ action, target, decision, details: { ...details } }))
}

function unauthenticated(why: keyof typeof WHY): EngineError {
  return new EngineError('UNAUTHENTICATED', WHY[why], { hint: 'Ask whoever gave it to you for another one.' })
}
