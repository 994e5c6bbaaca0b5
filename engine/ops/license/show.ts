import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { readLicense } from '../../sources/license/license.ts'

/** What the license of the repository covers. Everything built in needs none. */
export default defineOperation({
  id: 'license.show',
  summary: 'Show which pack tiers the license covers.',
  effect: 'read',
  cli: 'license',
  rest: 'GET /api/license',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    state: type("'none' | 'valid' | 'expired' | 'not_yet' | 'invalid' | 'no_key'").configure(
      { description: 'none, valid, expired, not_yet, invalid or no_key' },
      'self',
    ),
    reason: 'string',
    tiers: type('string[]').describe('the tiers of packs that can be enabled'),
    'holder?': 'string',
    'issued_at?': 'string',
    'expires?': 'string',
  }),
  examples: [['svc license', 'show what holds, and why']],
  run: (_input, { cwd, env }) => readLicense(findRepositoryRoot(cwd), env, new Date().toISOString().slice(0, 10)),
  // No license is no fault; one that is there and covers nothing is.
  exit: ({ state }) => (state === 'none' || state === 'valid' ? 0 : state === 'invalid' ? 64 : 1),
  text: ({ state, reason, tiers }, { paint }) =>
    `${paint(state === 'valid' || state === 'none' ? 'green' : 'yellow', state.replace('_', ' '))}: ${reason}\nTiers: ${tiers.join(', ')}`,
})
