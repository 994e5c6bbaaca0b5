import { type } from 'arktype'
import { SEVERITIES } from '../../base/records/finding.ts'

/** A severity, as settings name one. */
export const Severity = type
  .enumerated(...SEVERITIES)
  .configure({ description: 'a severity (critical, high, medium, low, info)' }, 'self')

/** What happens where a change has a source file that cannot be searched, the strictest first. */
export const UNREAD = ['fail', 'warn', 'ignore'] as const

/** The section `gate`: what fails it, and who may agree to a change that weakens it. Read as `schema.ts` says. */
export const gate = type({
  fail_on: Severity.array()
    .describe('a list of severities: an open, new finding of one of them fails the gate')
    .default(() => ['critical', 'high'] as ('critical' | 'high')[]),
  unread: type
    .enumerated(...UNREAD)
    .configure(
      {
        description:
          'fail, warn or ignore: the decision on a change with a source file that cannot be scanned (binary content, over the size limit)',
      },
      'self',
    )
    .default('fail'),
  trusted: type('string > 0')
    .array()
    .describe(
      'a list of reviewers: they may approve a change that weakens its own gate settings (--reviewed-by); read from the base of the change',
    )
    .default(() => []),
  protected_branch: type('boolean')
    .describe(
      'true or false: whether the forge enforces reviews of this branch, so that a change that weakens its own gate settings is listed and does not fail; read from the base of the change',
    )
    .default(false),
  inline_suppressions: type
    .enumerated('review', 'allow')
    .configure(
      {
        description:
          'review or allow: whether a new svc-ignore comment on a finding that fails the gate needs the approval of a reviewer; read from the base of the change',
      },
      'self',
    )
    .default('review'),
  '+': 'reject',
})
