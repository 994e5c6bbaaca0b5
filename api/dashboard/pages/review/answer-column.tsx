import type { Column } from '../../components/list.tsx'
import { State, type Tone } from '../../components/state.tsx'
import { day } from '../../format.ts'

/** What a person has answered: by whom and when, and whether the code has changed since. */
interface Answer {
  tone: Tone
  changed: boolean | undefined
  by: string | undefined
  at: string | undefined
  note: string | undefined
}

/** The column with the state of what a person has to answer. */
export function answerColumn<T extends { status: string }>(answerOf: (row: T) => Answer): Column<T> {
  return {
    name: 'status',
    title: 'State',
    by: ({ status }) => status,
    cell: row => <AnswerState state={row.status} {...answerOf(row)} />,
  }
}

function AnswerState({ state, tone, changed, by, at, note }: Answer & { state: string }) {
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
