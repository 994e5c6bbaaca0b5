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
    .describe('a list of severities; an open, new finding of one of them fails the gate')
    .default(() => ['critical', 'high'] as ('critical' | 'high')[]),
  unread: type
    .enumerated(...UNREAD)
    .configure(
      {
        description:
          'fail, warn or ignore: what happens where a change adds or modifies a file of source code that cannot be searched (binary content, over the size limit)',
      },
      'self',
    )
    .default('fail'),
  trusted: type('string > 0')
    .array()
    .describe(
      'a list of names of reviewers; a change that weakens what it is judged by passes once one of them has reviewed it (--reviewed-by); read from the base of the change',
    )
    .default(() => []),
  protected_branch: type('boolean')
    .describe(
      'true or false: the forge enforces reviews of this branch, so that a change that weakens what it is judged by is only listed; read from the base of the change',
    )
    .default(false),
  inline_suppressions: type
    .enumerated('review', 'allow')
    .configure(
      {
        description:
          'review or allow: whether a new svc-ignore comment over a finding that would fail the gate fails it until a reviewer approves it; read from the base of the change',
      },
      'self',
    )
    .default('review'),
  '+': 'reject',
})
