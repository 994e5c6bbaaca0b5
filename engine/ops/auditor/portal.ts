import { type } from 'arktype'
import { runAsAuditor } from '../../assure/auditors/access.ts'
import { makePortalData } from '../../assure/auditors/portal.ts'
import { defineOperation } from '../../door/operation.ts'

/** What an auditor sees in the portal: by the scopes of the token, and never code, directories or credentials. */
export default defineOperation({
  id: 'auditor.portal',
  summary: 'Show an auditor what the token gives access to.',
  effect: 'read',
  action: null,
  unbound: true,
  open: true,
  cli: null,
  rest: 'GET /api/auditor/portal-data',
  mcp: null,
  input: type({ token: type('string > 0').describe('an auditor token'), '+': 'reject' }),
  output: type({
    auditor_name: 'string',
    auditor_email: 'string',
    expires_at: 'string',
    access_scope: 'string[]',
    project: 'string',
    run: type({
      id: 'string',
      finished_at: 'string',
      git_sha: 'string | null',
      scope: 'string',
      tool_version: 'string',
    }),
    'metrics?': 'object',
    'findings_by_rule?': 'object[]',
    'frameworks?': 'object[]',
    'evidence?': 'object[]',
    'audit_log?': type({ total: 'number.integer', entries: 'object[]' }),
    'trends?': 'object[]',
  }),

  run: ({ token }, context) =>
    runAsAuditor(token, { action: 'auditor.access', target: 'portal-data' }, context, (auditor, state, root) =>
      makePortalData(auditor, state, root, context),
    ),

  text: ({ auditor_name, access_scope }) => `${auditor_name}: ${access_scope.join(', ')}`,
})
