import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { counted } from '../format.ts'
import { ask } from '../server/request.ts'
import { announce, say, showFault } from '../shell/said.ts'
import { WriteButton } from './write-button.tsx'

interface Place {
  rule: string
  file: string
}

/** What was suppressed last, so that it can be taken back. */
const taken = signal<readonly Place[]>([])

/** Days that a suppression lasts unless a person says otherwise. */
const DAYS = 90

/** Asks for the reason and the expiry of suppressions, and makes them. They count from the next scan on. */
export function SuppressDialog({
  places,
  onClose,
  onDone,
}: {
  places: readonly Place[]
  onClose(): void
  /** Called once they are written. */
  onDone?(): void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [reason, setReason] = useState('')
  const [expires, setExpires] = useState(dateIn(DAYS))
  const [fault, setFault] = useState('')
  const [busy, setBusy] = useState(false)
  useEffect(() => dialog.current!.showModal(), [])
  const submit = async (event: Event) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      const { added } = await ask('POST /api/suppressions/bulk', {
        places: [...places],
        reason,
        ...(expires !== '' && { expires }),
      })
      taken.value = added
      say(`${counted(added.length, 'suppression')} written.`)
      dialog.current!.close()
      onDone?.()
    } catch (error) {
      setFault((error as Error).message)
      setBusy(false)
    }
  }
  return (
    <dialog ref={dialog} aria-labelledby="suppress-title" onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id="suppress-title">Suppress {places.length === 1 ? places[0]!.rule : counted(places.length, 'place')}</h2>
        <p class="soft">
          {places.length === 1 ? `All findings of this rule in ${places[0]!.file}.` : 'Each rule in each of its files.'}{' '}
          It is written to .svc/suppressions.yaml and counts from the next scan on.
        </p>
        {fault && (
          <p role="alert" class="bad">
            {fault}
          </p>
        )}
        <label>
          Reason
          <textarea
            required
            rows={3}
            value={reason}
            onInput={event => setReason(event.currentTarget.value)}
            placeholder="why this is no risk, or is accepted"
          />
        </label>
        <label>
          Expires
          <input type="date" value={expires} min={dateIn(0)} onInput={event => setExpires(event.currentTarget.value)} />
        </label>
        <div class="actions">
          <button type="button" class="quiet" onClick={() => dialog.current!.close()}>
            Cancel
          </button>
          <WriteButton type="submit" class="primary" busy={busy}>
            Suppress
          </WriteButton>
        </div>
      </form>
    </dialog>
  )
}

function dateIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

/** What was suppressed last, with a way to take it back. */
export function UndoSuppression() {
  const [busy, setBusy] = useState(false)
  if (taken.value.length === 0) return null
  const undo = async () => {
    setBusy(true)
    try {
      const { removed } = await ask('POST /api/suppressions/bulk', { places: [...taken.value], undo: true })
      taken.value = []
      announce(`${counted(removed.length, 'suppression')} taken back.`)
    } catch (error) {
      showFault(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <p class="earlier undo" role="status">
      {counted(taken.value.length, 'suppression')} written; the next scan applies{' '}
      {taken.value.length === 1 ? 'it' : 'them'}.{' '}
      <WriteButton class="link" busy={busy} onClick={undo}>
        Undo
      </WriteButton>
    </p>
  )
}
