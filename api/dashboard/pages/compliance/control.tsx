import { Place } from '../../components/place.tsx'
import { defineStates } from '../../components/state.tsx'
import { counted, day } from '../../format.ts'
import type { Answers } from '../../server/answers.gen.ts'
import { href } from '../../shell/route.ts'
import { EvidenceLine } from './evidence-line.tsx'

type Shown = NonNullable<
  Answers['GET /api/pages/compliance']['assessment']['data']
>['frameworks'][number]['controls'][number]
export type ControlState = Shown['state']

/** In the order in which they need somebody. */
export const STATES = defineStates<ControlState>(
  { violated: 'bad', not_evaluated: 'unknown', manual: 'warn', met: 'good', not_applicable: 'unknown' },
  { manual: 'by hand' },
)

/** A control with its state and the reason; opened, what it means and what stands behind it. */
export function Control({
  framework,
  id,
  title,
  meaning,
  state,
  reason,
  rules,
  findings,
  files,
  evidence,
}: Shown & { framework: string }) {
  return (
    <li class="control">
      <details>
        <summary>
          <STATES.Shown state={state} />
          <code>{id}</code>
          <b>{title}</b>
          <span class="soft">{reason}</span>
        </summary>
        <div class="behind">
          <p>{meaning}</p>
          <p class="meta">
            <span>{counted(rules, 'rule')}</span>
            {findings > 0 ? (
              <a href={href('findings', { control: `${framework}:${id}`, status: 'all' })}>
                {counted(findings, 'finding')}
              </a>
            ) : (
              <span>no finding</span>
            )}
            <span>
              {evidence.length > 0
                ? counted(evidence.length, 'piece of evidence', 'pieces of evidence')
                : 'no evidence of people'}
            </span>
          </p>
          {files.length > 0 && (
            <ul class="places" aria-label="The first files with findings">
              {files.map(file => (
                <li key={file}>
                  <Place file={file} />
                </li>
              ))}
            </ul>
          )}
          {evidence.length > 0 && (
            <ul class="entries" aria-label="Evidence">
              {evidence.map((entry, at) => (
                <EvidenceLine key={at} entry={entry} observed={day(entry.observed_at)} />
              ))}
            </ul>
          )}
        </div>
      </details>
    </li>
  )
}
