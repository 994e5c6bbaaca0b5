import type { Signal } from '@preact/signals'
import { fault, notice } from './said.ts'

/** What went wrong and what an action came to, above the page. Both places are always there, so that what comes into them is read out. */
export function Notices() {
  return (
    <>
      <div role="alert" id="banner">
        <Closable text={fault} class="banner" />
      </div>
      <div role="status" id="notice">
        <Closable text={notice} class="banner done" />
      </div>
    </>
  )
}

function Closable({ text, class: kind }: { text: Signal<string>; class: string }) {
  if (text.value === '') return null
  const close = () => {
    text.value = ''
    // The button goes away with its notice, and the focus must not fall out of the page with it.
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <p class={kind}>
      <span>{text.value}</span>
      <button type="button" class="quiet small" aria-label="Close the notice" onClick={close}>
        Close
      </button>
    </p>
  )
}
