import { type } from 'arktype'
import { createKeys } from '../../assure/attest/keys.ts'
import { defineOperation } from '../../door/operation.ts'
import { refuseAgent } from '../../governance/acting-agent.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'

/** Makes the keys that attestations are signed with. `svc attest` does so too, where there are none. */
export default defineOperation({
  id: 'assure.attest-key-create',
  summary: 'Create the keys that sign attestations.',
  effect: 'write',
  cli: 'attest key create',
  rest: null,
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    key_id: type('string').describe('the SHA-256 of the public key'),
    secret_id: type('string').describe('the id of the secret of this machine'),
  }),
  examples: [['svc attest key create', 'create the keys before the first attestation']],
  check: (_input, context) => refuseAgent(context, 'A key for attestations', 'others rely on what it signs'),

  run(_input, context) {
    refuseAgent(context, 'A key for attestations', 'others rely on what it signs')
    return createKeys(findRepositoryRoot(context.cwd), context.env)
  },
  text: ({ key_id, secret_id }) =>
    `Ed25519 key ${key_id}\nSecret of this machine ${secret_id}\nPublish the public key: svc attest key public -o svc.pub.pem`,
})
