import { words } from '../format.ts'

/** How a state is meant: unknown is neither good nor bad, and is told apart from both. */
export type Tone = 'good' | 'bad' | 'warn' | 'unknown'

/** A state in words and color. */
export function State({ state, tone }: { state: string; tone: Tone }) {
  return <span class={`state ${tone}`}>{words(state)}</span>
}

/** The states that something can be in. */
export interface States<N extends string> {
  /** In the order in which they were defined. */
  all: readonly N[]
  /** The place in that order, to sort by. */
  rank(state: N): number
  /** The state in words. */
  name(state: N): string
  /** The state in words and color. */
  Shown(props: { state: N }): ReturnType<typeof State>
}

/** Defines states by their tones, in the order in which they are listed, with other words than their names where those are clearer. */
export function defineStates<N extends string>(
  tones: Readonly<Record<N, Tone>>,
  names: Partial<Record<N, string>> = {},
): States<N> {
  const all = Object.keys(tones) as N[]
  const name = (state: N) => names[state] ?? words(state)
  return {
    all,
    rank: state => all.indexOf(state),
    name,
    Shown: ({ state }) => <State state={name(state)} tone={tones[state]} />,
  }
}
