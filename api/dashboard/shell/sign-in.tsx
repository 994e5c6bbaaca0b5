import { useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { question } from '../server/session.ts'

/** The dialog that asks for the key of the server; it comes back until the key is right. */
export function SignIn() {
  const dialog = useRef<HTMLDialogElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useSignalEffect(() => {
    if (question.value && !dialog.current!.open) dialog.current!.showModal()
  })
  const answer = () => {
    const key = input.current!.value.trim()
    input.current!.value = ''
    // Closing without a key is no way out: nothing can be shown without it.
    if (key === '') dialog.current!.showModal()
    else question.value?.answer(key)
  }
  return (
    <dialog id="key" aria-labelledby="key-title" ref={dialog} onClose={answer}>
      <form method="dialog">
        <h2 id="key-title">API key</h2>
        <p id="key-why">
          {question.value?.fault ?? 'This server asks for its key. The browser stays signed in for 12 hours.'}
        </p>
        <label>
          Key <input id="key-input" ref={input} type="password" autocomplete="off" required />
        </label>
        <div class="actions">
          <button type="submit" class="primary">
            Sign in
          </button>
        </div>
      </form>
    </dialog>
  )
}
