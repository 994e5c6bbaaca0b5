import { expect } from 'vitest'
import { freeze, registerAgent, revokeAgent, unfreeze } from '../../engine/governance/agents.ts'
import { consumeApproval, requestApproval, resolveApproval } from '../../engine/governance/approvals.ts'
import { delegate } from '../../engine/governance/delegation.ts'
import { expireDue } from '../../engine/governance/expiry.ts'
import { giveGrant, requestGrant, revokeGrant } from '../../engine/governance/grants.ts'
import { bindSession, completeSession } from '../../engine/governance/sessions.ts'
import type { Action } from '../../engine/governance/trust.ts'
import fc from '../made/property.ts'
import {
  AGENTS,
  agent,
  ask,
  attempt,
  governance,
  HOUR,
  PATHS,
  permitted,
  place,
  SCOPES,
  type Step,
  within,
} from './histories.ts'
import { NEEDS, RANK } from './model.ts'

/** What may happen, each step acting on the model and on the real thing, and holding what they answer against each other. */
export const STEPS: fc.Arbitrary<Step>[] = [
  fc.tuple(agent, fc.subarray([...SCOPES, 'findings:read'])).map(
    ([name, scopes]): Step =>
      (model, real) => {
        const done = attempt(() =>
          real.state.write(governance(real, '').acting, tx => void registerAgent(tx, { name, scopes })),
        )
        expect(done).toBe(model.agents.get(name)?.status !== 'valid')
        if (done) model.agents.set(name, { status: 'valid', scopes })
      },
  ),
  agent.map(
    (name): Step =>
      (model, real) => {
        const done = attempt(() =>
          real.state.write(governance(real, '').acting, tx => void revokeAgent(tx, name, model.settings.cascade)),
        )
        expect(done).toBe(model.agents.get(name)?.status === 'valid')
        if (!done) return
        model.agents.get(name)!.status = 'revoked'
        for (const [index, s] of model.sessions.entries())
          if (s.agent === name && s.status === 'active') model.end(index, 'revoked', model.settings.cascade)
        for (const g of model.grants)
          if (g.agent === name && ['active', 'pending'].includes(g.status)) g.status = 'revoked'
      },
  ),
  fc.tuple(fc.constantFrom(...AGENTS, '*'), fc.boolean()).map(
    ([name, on]): Step =>
      (model, real) => {
        const done = attempt(() =>
          real.state.write(governance(real, '').acting, tx => (on ? freeze(tx, name, 'eve') : unfreeze(tx, name))),
        )
        expect(done).toBe(on || model.frozen.has(name))
        if (done) model.frozen[on ? 'add' : 'delete'](name)
      },
  ),
  fc.tuple(agent, fc.constantFrom(...PATHS), fc.integer({ min: 1, max: 2 * HOUR })).map(
    ([who, paths, ttl]): Step =>
      (model, real) => {
        if (!permitted(model, real, who)) return
        const at = governance(real, who)
        const session = real.state.write(at.acting, tx =>
          bindSession(
            tx,
            at,
            { intent: 'x', paths: [`${paths}**`], ttl },
            { git_sha: null, branch: null, baseline: {} },
          ),
        )
        const current = model.current(who)
        const parent = current !== undefined && model.sessions[current]!.parent !== undefined ? current : undefined
        const most = model.now + Math.min(ttl, HOUR)
        const ends = parent === undefined ? most : Math.min(most, model.sessions[parent]!.ends)
        model.sessions.push({ agent: who, status: 'active', ends, parent, trust: model.trust(who), paths })
        real.sessions.push(session.id)
      },
  ),
  fc.tuple(agent, agent, place, fc.constantFrom(...RANK), fc.constantFrom(...PATHS)).map(
    ([who, to, number, trust, paths]): Step =>
      (model, real) => {
        const index = within(model.sessions, number)
        const parent = model.sessions[index]
        if (!parent || !permitted(model, real, who)) return
        const at = governance(real, who)
        let id = ''
        const done = attempt(() => {
          const handover = {
            parent: real.sessions[index]!,
            task: 'y',
            agent: to,
            trust: trust as 'scan',
            paths: [`${paths}**`],
          }
          id = real.state.write(at.acting, tx => delegate(tx, at, handover)).session.id
        })
        const chain = model.chain(index)
        const own = chain.reduce((t, s) => (RANK.indexOf(s.trust) < RANK.indexOf(t) ? s.trust : t), 'admin')
        const fits = RANK.indexOf(trust) < RANK.indexOf(own) || (trust === own && model.settings.sameLevel)
        expect(done).toBe(parent.agent === who && parent.status === 'active' && chain.length <= 2 && fits)
        if (!done) return
        model.sessions.push({ agent: to, status: 'active', ends: parent.ends, parent: index, trust, paths })
        real.sessions.push(id)
        // Of an agent without a credential the session is not: nobody can work in it, and it ends with its parent.
        if (to !== who && model.agents.get(to)?.status !== 'valid') model.sessions.at(-1)!.agent = `${to}, unproven`
      },
  ),
  place.map(
    (number): Step =>
      (model, real) => {
        const index = within(model.sessions, number)
        if (model.sessions[index]?.status !== 'active') return
        real.state.write(governance(real, '').acting, tx => completeSession(tx, real.sessions[index]!))
        model.end(index, 'done', true)
      },
  ),
  fc.tuple(agent, fc.constantFrom(...SCOPES), fc.integer({ min: 1, max: 2 * HOUR })).map(
    ([who, scope, ttl]): Step =>
      (model, real) => {
        if (!permitted(model, real, who)) return
        const at = governance(real, who)
        const grant = real.state.write(at.acting, tx => requestGrant(tx, at, { scope, ttl, reason: '' }))
        if (real.grants.includes(grant.id)) {
          expect(model.grants[real.grants.indexOf(grant.id)]).toMatchObject({ agent: who, scope })
          return
        }
        const automatic = scope === 'scan' || scope === 'fix:write'
        const fresh = {
          agent: who,
          scope,
          status: 'pending',
          ttl: Math.min(ttl, HOUR),
          ends: 0,
          session: model.current(who),
          approval: undefined as number | undefined,
        }
        model.grants.push(fresh)
        real.grants.push(grant.id)
        if (automatic) return model.activate(fresh)
        fresh.approval = model.approvals.length
        model.approvals.push({ requester: who, subject: grant.id, status: 'pending', ends: model.now + 24 * HOUR })
        real.approvals.push(grant.approval_id!)
      },
  ),
  fc.tuple(agent, fc.constantFrom(...SCOPES), fc.integer({ min: 1, max: HOUR })).map(
    ([to, scope, ttl]): Step =>
      (model, real) => {
        const at = governance(real, '')
        let id = ''
        const done = attempt(() => {
          id = real.state.write(at.acting, tx => giveGrant(tx, at, to, { scope, ttl, reason: '' })).id
        })
        expect(done).toBe(model.agents.get(to)?.status === 'valid')
        if (!done) return
        real.grants.push(id)
        model.grants.push({
          agent: to,
          scope,
          status: 'active',
          ttl,
          ends: model.now + ttl,
          session: undefined,
          approval: undefined,
        })
      },
  ),
  place.map(
    (number): Step =>
      (model, real) => {
        const index = within(model.grants, number)
        const grant = model.grants[index]
        if (!grant) return
        const done = attempt(() =>
          real.state.write(governance(real, '').acting, tx => void revokeGrant(tx, real.grants[index]!, '')),
        )
        expect(done).toBe(['active', 'pending'].includes(grant.status))
        if (!done) return
        if (grant.approval !== undefined && grant.status === 'pending')
          model.approvals[grant.approval]!.status = 'expired'
        grant.status = 'revoked'
      },
  ),
  fc.tuple(agent, fc.constantFrom('s1', 's2')).map(
    ([who, subject]): Step =>
      (model, real) => {
        if (!permitted(model, real, who)) return
        const ask = {
          type: 'gate_override' as const,
          title: '',
          context: '',
          subject_digest: subject,
          requester: who,
          session_id: null,
        }
        const { id } = real.state.write(governance(real, who).acting, tx => requestApproval(tx, ask))
        const known = model.approvals.findIndex(
          a => a.requester === who && a.subject === subject && ['pending', 'approved'].includes(a.status),
        )
        expect(real.approvals.indexOf(id)).toBe(known)
        if (known !== -1) return
        real.approvals.push(id)
        model.approvals.push({ requester: who, subject, status: 'pending', ends: model.now + 24 * HOUR })
      },
  ),
  fc
    .tuple(place, fc.constantFrom('user:eve', ...AGENTS), fc.constantFrom('approved' as const, 'rejected' as const))
    .map(
      ([number, by, action]): Step =>
        (model, real) => {
          const index = within(model.approvals, number)
          const approval = model.approvals[index]
          if (!approval) return
          const done = attempt(() =>
            real.state.write(
              governance(real, '').acting,
              tx => void resolveApproval(tx, real.approvals[index]!, { by, action, comment: '' }),
            ),
          )
          expect(done).toBe(approval.status === 'pending' && approval.requester !== by)
          if (!done) return
          approval.status = action
          for (const g of model.grants.filter(g => g.approval === index && g.status === 'pending')) {
            if (action === 'rejected') g.status = 'denied'
            else {
              model.activate(g)
              approval.status = 'consumed'
            }
          }
        },
    ),
  fc.tuple(agent, fc.constantFrom('s1', 's2')).map(
    ([who, subject]): Step =>
      (model, real) => {
        const used = real.state.write(governance(real, '').acting, tx => consumeApproval(tx, subject, who))
        const index = model.approvals.findIndex(
          a => a.requester === who && a.subject === subject && a.status === 'approved',
        )
        expect(used && real.approvals.indexOf(used.id)).toBe(index === -1 ? undefined : index)
        if (index !== -1) model.approvals[index]!.status = 'consumed'
      },
  ),
  fc
    .oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: HOUR / 3 }) },
      { weight: 1, arbitrary: fc.constant(25 * HOUR) },
    )
    .map(
      (seconds): Step =>
        (model, real) => {
          real.clock.ms += seconds * 1000
          expireDue(real.state)
          model.tick(seconds)
        },
    ),
  fc
    .tuple(
      agent,
      fc.constantFrom(...(Object.keys(NEEDS) as Action[])),
      fc.option(fc.constantFrom('src/a.js', 'src/auth/b.js', 'doc/c.md'), { nil: undefined }),
      fc.boolean(),
    )
    .map(
      ([who, action, path, unbound]): Step =>
        (model, real) => {
          if (!model.agents.has(who)) return
          expect(ask(real, who, action, path, unbound)).toBe(model.decide(who, action, path, unbound))
        },
    ),
]

/** Two of the three are registered at first, or most histories would be of refusals. */
export const BEGINNING: Step[] = ['ann', 'bob'].map(name => (model, real) => {
  const scopes = ['findings:read', 'scan']
  real.state.write(governance(real, '').acting, tx => void registerAgent(tx, { name, scopes }))
  model.agents.set(name, { status: 'valid', scopes })
})

/** How often each step comes, in the order of STEPS: what undoes is rarer than what builds up. */
export const WEIGHTS = [1, 1, 1, 4, 3, 2, 3, 2, 1, 4, 5, 4, 2, 6]
