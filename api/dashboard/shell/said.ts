import { signal } from '@preact/signals'

/** A sentence for who does not see the change. */
export const said = signal('')
/** What went wrong, at the head of the page; empty where nothing did. */
export const fault = signal('')

/** Says a sentence to a screen reader. */
export function say(text: string): void {
  said.value = text
}

/** Shows what went wrong. */
export function showFault(error: unknown): void {
  fault.value = error instanceof Error ? error.message : String(error)
}
