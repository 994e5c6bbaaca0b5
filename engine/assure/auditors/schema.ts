import { type } from 'arktype'
import { AUDITOR_SCOPES } from '../../sources/state/records.ts'

/** A token as commands show it. */
export const ShownTokenType = type({
  prefix: type('string').describe('the first eight characters, which name the token'),
  name: 'string',
  email: 'string',
  scopes: type.enumerated(...AUDITOR_SCOPES).array(),
  created_at: 'string',
  created_by: 'string',
  expires_at: 'string',
  revoked_at: 'string | null',
})
