import { State, type Tone } from '../../components/state.tsx'
import { Time } from '../../components/time.tsx'
import { day } from '../../format.ts'
import type { Answers } from '../../server/answers.gen.ts'

type Secret = NonNullable<Answers['GET /api/pages/secrets']['data']>['secrets'][number]
type Check = NonNullable<Secret['checked']>

const STATES: Record<Check['state'], { name: string; tone: Tone }> = {
  live: { name: 'live', tone: 'bad' },
  revoked: { name: 'revoked', tone: 'good' },
  unknown: { name: 'live: no clear answer', tone: 'unknown' },
  not_asked: { name: 'live: could not be asked', tone: 'unknown' },
}

/** Whether a secret is live, in words. What was so on an earlier day is never shown as if it were so now. */
export function Liveness({ checked, provider }: Pick<Secret, 'checked' | 'provider'>) {
  if (!checked) return <State state={provider ? 'live: not checked' : 'live: cannot be checked'} tone="unknown" />
  const { name, tone } = STATES[checked.state]
  if (checked.current) return <State state={name} tone={tone} />
  return (
    <State
      state={`${name} on ${day(checked.at)}, not checked since`}
      tone={checked.state === 'live' ? 'warn' : 'unknown'}
    />
  )
}

const REASONS = {
  no_answer: 'the provider did not answer',
  value_gone: 'the value is no longer where it was found',
} as const

/** When a secret was checked and where, and what came of a later question. */
export function Checked({ checked, provider }: Pick<Secret, 'checked' | 'provider'>) {
  if (!checked) return provider ? null : <span>no provider can be asked about it</span>
  const { at, endpoint, via, reason, tried } = checked
  return (
    <>
      <span>
        checked <Time at={at} />
        {endpoint && (
          <>
            {' '}
            by <code>{endpoint}</code>
          </>
        )}
        {via && (
          <>
            {' '}
            through <code>{via}</code>
          </>
        )}
        {reason && `: ${REASONS[reason]}`}
      </span>
      {tried && (
        <span>
          tried again <Time at={tried.at} />: {tried.reason ? REASONS[tried.reason] : 'no clear answer'}
        </span>
      )}
    </>
  )
}
