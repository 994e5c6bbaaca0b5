import { signal } from '@preact/signals'

/** A sentence for who does not see the change. */
export const said = signal('')
/** What went wrong, at the head of the page; empty where nothing did. */
export const fault = signal('')
/** What an action came to, at the head of the page until it is closed or another page is opened; empty where there is nothing to say. */
export const notice = signal('')

/** Says a sentence to a screen reader: what changed is to be seen anyway. */
export function say(text: string): void {
  said.value = text
}

/** Shows what an action came to, to everybody. */
export function announce(text: string): void {
  fault.value = ''
  notice.value = text
}

/** Shows what went wrong. */
export function showFault(error: unknown): void {
  notice.value = ''
  fault.value = error instanceof Error ? error.message : String(error)
}

/** Takes away what was shown, as for another page. */
export function clearNotices(): void {
  fault.value = ''
  notice.value = ''
}
