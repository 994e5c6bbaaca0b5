import { Heading } from '../../components/heading.tsx'
import { Path } from '../../components/path.tsx'
import { Answered } from '../../components/section.tsx'
import { SeverityBadge } from '../../components/severity.tsx'
import { count, counted } from '../../format.ts'
import type { Answers } from '../../server/answers.gen.ts'
import { useAnswer } from '../../server/load.ts'
import { href } from '../../shell/route.ts'

type Detail = Answers['GET /api/audit/runs/{run_id}']

/** Places of a rule up to which its list is open. */
const FEW = 10

/** What rules of low confidence report: places for a reviewer, apart from the findings, by which nothing is judged. */
export function ToReview({ run }: { run: string }) {
  const loaded = useAnswer('GET /api/audit/runs/{run_id}', { run_id: run, limit: 1000 })
  return (
    <div class="findings">
      <p class="crumbs">
        <a href={href('findings')}>All findings</a>
      </p>
      <Heading title="Places to review" />
      <Answered loaded={loaded}>{detail => <Rules {...detail} />}</Answered>
    </div>
  )
}

function Rules({ to_review, to_review_total }: Detail) {
  if (to_review_total === 0) return <p class="soft">This run has no place to review.</p>
  return (
    <>
      <p class="soft total">
        {counted(to_review_total, 'place')} by {counted(to_review.length, 'rule')} of low confidence. They are no
        findings: gate, rating and controls do not depend on them.
      </p>
      {to_review.map(({ rule_id, title, severity, findings, places }) => (
        <details key={rule_id} class="panel reason" open={findings <= FEW}>
          <summary>
            <SeverityBadge severity={severity} /> <b>{title}</b> <span class="tag">{count(findings)}</span>
          </summary>
          <p>
            <a href={href('rule', { id: rule_id })}>{rule_id}</a>
          </p>
          <ul>
            {places.map(({ file, line }, at) => (
              <li key={at}>
                <code>
                  <Path path={file} line={line} />
                </code>
              </li>
            ))}
          </ul>
          {places.length < findings && (
            <p class="soft">
              The first {count(places.length)} of {count(findings)} are listed.
            </p>
          )}
        </details>
      ))}
    </>
  )
}
