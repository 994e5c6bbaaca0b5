import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { openPalette } from './palette.tsx'
import { go } from './route.ts'

/** The keys that hold everywhere, and those of the list of findings. */
const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['Ctrl K', 'commands and pages'],
  ['/', 'search on this page'],
  ['g o', 'overview'],
  ['g f', 'findings'],
  ['g r', 'runs'],
  ['g a', 'agents'],
  ['j, k', 'next and previous finding'],
  ['x', 'select the finding'],
  ['Esc', 'close'],
  ['?', 'these keys'],
]

/** Where `g` and a letter lead. */
const PLACES: Readonly<Record<string, string>> = { o: 'overview', f: 'findings', r: 'runs', a: 'agents' }
/** Milliseconds in which the letter must follow. */
const FOLLOW = 1200

const shown = signal(false)

/** Listens to the keys that hold everywhere, and shows them on `?`. */
export function Keys() {
  const dialog = useRef<HTMLDialogElement>(null)
  const leader = useRef(0)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        openPalette()
        return
      }
      const target = event.target as HTMLElement
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input, textarea, select, dialog')) return
      if (event.key === '?') shown.value = true
      else if (event.key === '/') focusSearch(event)
      else if (event.key === 'g') leader.current = event.timeStamp
      else if (event.timeStamp - leader.current < FOLLOW && Object.hasOwn(PLACES, event.key)) {
        leader.current = 0
        go(PLACES[event.key]!)
      }
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  useEffect(() => {
    if (shown.value) dialog.current!.showModal()
  }, [shown.value])
  return (
    <dialog
      ref={dialog}
      aria-labelledby="keys-title"
      onClose={() => {
        shown.value = false
      }}
    >
      <form method="dialog">
        <h2 id="keys-title">Keys</h2>
        <dl class="keys">
          {KEYS.map(([keys, does]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <div class="actions">
          <button type="submit" class="primary">
            Close
          </button>
        </div>
      </form>
    </dialog>
  )
}

function focusSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLElement>('main input[type="search"]')
  if (!field) return
  event.preventDefault()
  field.focus()
}
