import { expect, it } from 'vitest'
import { decide, type Facts, type Opinion, RULES } from '../../engine/governance/decide.ts'
import { makeDefaultPolicy } from '../../engine/governance/policy.ts'
import { ACTIONS, type Action, doubtScope } from '../../engine/governance/trust.ts'
import { TRUST_LEVELS } from '../../engine/sources/config/values.ts'
import fc from '../made/property.ts'

const STERNNESS = ['allowed', 'warned', 'pending', 'refused']
const enforcement = fc.constantFrom('warn' as const, 'block' as const, 'hitl' as const)
const some = fc.subarray(['src/a', 'doc/b', '.svc/config.yaml'])

const facts: fc.Arbitrary<Facts> = fc
  .record({
    queue_action: fc.constantFrom('allow' as const, 'warn' as const, 'block' as const),
    binding: fc.record({ enabled: fc.boolean(), enforcement, require_binding: fc.boolean() }),
    blast: fc.boolean(),
    grants: fc.boolean(),
    review: fc.record({ on_config_change: fc.boolean(), on_dependency_add: fc.boolean() }),
    credential: fc.constantFrom('none' as const, 'valid' as const, 'revoked' as const, 'expired' as const),
    frozen: fc.boolean(),
    trust: fc.constantFrom(...TRUST_LEVELS),
    scopes: fc.option(fc.subarray(['scan', 'findings:read', 'fix:write', 'config:write', '*']), { nil: undefined }),
    granted: fc.subarray(['scan', 'fix:write', 'config:write', '*']),
    bound: fc.boolean(),
    unbound: fc.boolean(),
    action: fc.constantFrom(...(Object.keys(ACTIONS) as Action[])),
    outside: some,
    protected: some,
    zones: fc.array(fc.record({ path: fc.constant('src/a'), zone: fc.constant('auth'), enforcement }), {
      maxLength: 2,
    }),
  })
  .map(({ queue_action, binding, blast, grants, review, scopes, ...rest }) => {
    const base = makeDefaultPolicy()
    return {
      ...rest,
      ...(scopes && { scopes }),
      agent: 'a',
      person: false,
      unclear: [],
      policy: {
        ...base,
        agent_defaults: { ...base.agent_defaults, queue_action },
        task_binding: { ...base.task_binding, ...binding },
        blast_radius: { ...base.blast_radius, enabled: blast },
        tool_grants: { ...base.tool_grants, enabled: grants },
        human_review_required: { ...base.human_review_required, ...review },
      },
    }
  })

it('the order of the rules makes no difference', () => {
  fc.assert(
    fc.property(facts, fc.shuffledSubarray([...RULES], { minLength: RULES.length }), (given, shuffled) => {
      expect(decide(given, shuffled).decision).toBe(decide(given).decision)
    }),
  )
})

it('one more rule, whatever it says and of whatever it says it, never makes the decision milder', () => {
  const opinion: fc.Arbitrary<Opinion | undefined> = fc.constantFrom(
    undefined,
    ...(['warned', 'pending', 'refused'] as const).map(decision => ({ rule: 'new', decision, reason: 'so' })),
  )
  fc.assert(
    fc.property(facts, opinion, (given, said) => {
      const before = STERNNESS.indexOf(decide(given).decision)
      const after = STERNNESS.indexOf(decide(given, [...RULES, () => said]).decision)
      expect(after).toBe(Math.max(before, STERNNESS.indexOf(said?.decision ?? 'allowed')))
    }),
  )
})

it('a refusal beats everything that speaks for the action: trust, grants, sessions, approvals to come', () => {
  fc.assert(
    fc.property(facts, given => {
      const favoured: Facts = { ...given, trust: 'admin', scopes: ['*'], granted: ['*'], bound: true, unbound: true }
      expect(decide({ ...favoured, frozen: true }).decision).toBe('refused')
      expect(decide({ ...favoured, credential: 'revoked' }).decision).toBe('refused')
      expect(decide({ ...favoured, trust: 'none' }).decision).toBe('refused')
      expect(decide({ ...favoured, unclear: [{ given: 'x', reason: 'y' }] }).decision).toBe('refused')
    }),
  )
})

it('more trust, or one more grant, never makes the decision sterner, and less never milder', () => {
  fc.assert(
    fc.property(
      facts,
      fc.constantFrom(...TRUST_LEVELS),
      fc.constantFrom('scan', 'fix:write', 'config:write', '*'),
      (given, other, grant) => {
        const stern = (more: Partial<Facts>) => STERNNESS.indexOf(decide({ ...given, ...more }).decision)
        const higher = TRUST_LEVELS.indexOf(other) >= TRUST_LEVELS.indexOf(given.trust)
        const change = stern({ trust: other }) - stern({})
        expect(higher ? change <= 0 : change >= 0).toBe(true)
        expect(stern({ granted: [...given.granted, grant] })).toBeLessThanOrEqual(stern({}))
      },
    ),
  )
})

it.each(['scan', 'findings:read', 'config:write', '*'])('the scope %s is one that an action needs', scope => {
  expect(doubtScope(scope)).toBeUndefined()
})

it.each([
  ['scna', 'did you mean scan?'],
  ['fix:wirte', 'did you mean fix:write?'],
  ['everything', 'Known: *, '],
])('the scope %s that no action needs is doubted', (scope, hint) => {
  expect(doubtScope(scope)).toContain(hint)
})
