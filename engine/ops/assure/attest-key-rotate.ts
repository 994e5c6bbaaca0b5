import { type } from 'arktype'
import { rotateKeys } from '../../assure/attest/keys.ts'
import { defineOperation } from '../../door/operation.ts'
import { refuseAgent } from '../../governance/acting-agent.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'

/** Replaces the keys of attestations; what the old ones signed stays verifiable. */
export default defineOperation({
  id: 'assure.attest-key-rotate',
  summary: 'Replace the keys that sign attestations; earlier attestations stay verifiable.',
  effect: 'write',
  cli: 'attest key rotate',
  rest: null,
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    key_id: type('string').describe('the SHA-256 of the new public key'),
    secret_id: type('string').describe('the id of the new secret of this machine'),
    retired: type('string[]').describe('the ids of the keys that were replaced'),
  }),
  examples: [['svc attest key rotate', 'sign with new keys from now on']],
  check: (_input, context) => refuseAgent(context, 'A key for attestations', 'others rely on what it signs'),

  run(_input, context) {
    refuseAgent(context, 'A key for attestations', 'others rely on what it signs')
    return rotateKeys(findRepositoryRoot(context.cwd), context.env)
  },
  text: ({ key_id, secret_id, retired }) =>
    `Ed25519 key ${key_id}\nSecret of this machine ${secret_id}\n${retired.length === 0 ? 'There were no keys before.' : `Retired: ${retired.join(', ')}`}`,
})
