import { Path } from '../../components/path.tsx'
import { State } from '../../components/state.tsx'
import { day } from '../../format.ts'
import type { Answers } from '../../server/answers.gen.ts'

export type Evidence = NonNullable<Answers['GET /api/pages/evidence']['evidence']['data']>[number]

/** Evidence of a person: what it is, whether it still holds, whose it is. */
export function EvidenceLine({ entry, observed }: { entry: Evidence; observed: string }) {
  const { title, state, reason, owner, expires, file, url } = entry
  return (
    <li>
      <State
        state={state}
        tone={state === 'valid' ? 'good' : state === 'not_checked' || state === 'no_digest' ? 'unknown' : 'bad'}
      />{' '}
      {title}
      <span class="under">
        {[`observed ${observed} by ${owner}`, expires && `until ${day(expires)}`, reason].filter(Boolean).join(', ')}
      </span>
      {(file ?? url) && (
        <code class="under">
          <Path path={(file ?? url)!} />
        </code>
      )}
    </li>
  )
}
