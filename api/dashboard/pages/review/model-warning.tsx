import { Warnings } from '../../components/warnings.tsx'

/** Says why no language model took part, where none did. */
export function ModelWarning({ llm: { state, reason } }: { llm: { state: string; reason?: string } }) {
  if (state !== 'not_evaluated') return null
  return <Warnings texts={[`Not reviewed by a language model: ${reason ?? 'no reason given'}.`]} />
}
