import { ago, when } from '../format.ts'

/** How long ago something was; the exact time on hover. `exact` shows the time itself. */
export function Time({ at, exact = false }: { at: string; exact?: boolean }) {
  return (
    <time dateTime={at} title={exact ? ago(at) : when(at)}>
      {exact ? when(at) : ago(at)}
    </time>
  )
}
