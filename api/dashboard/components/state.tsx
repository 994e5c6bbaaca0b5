import { words } from '../format.ts'

/** How a state is meant: unknown is neither good nor bad, and is told apart from both. */
export type Tone = 'good' | 'bad' | 'warn' | 'unknown'

/** A state in words and color. */
export function State({ state, tone }: { state: string; tone: Tone }) {
  return <span class={`state ${tone}`}>{words(state)}</span>
}
