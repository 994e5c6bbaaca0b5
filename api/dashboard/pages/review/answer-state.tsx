import { State, type Tone } from '../../components/state.tsx'
import { day } from '../../format.ts'

/** The state of what a person has to answer: by whom and when it was answered, and whether the code has changed since. */
export function AnswerState({
  state,
  tone,
  changed,
  by,
  at,
  note,
}: {
  state: string
  tone: Tone
  changed: boolean | undefined
  by: string | undefined
  at: string | undefined
  note: string | undefined
}) {
  return (
    <>
      <State state={state} tone={tone} />
      {changed && <State state="changed since" tone="warn" />}
      {by && (
        <span class="under">
          {by}
          {at && `, ${day(at)}`}
          {note && `: ${note}`}
        </span>
      )}
    </>
  )
}
