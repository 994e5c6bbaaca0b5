import { useState } from 'preact/hooks'
import { SuppressDialog } from '../../components/suppress-dialog.tsx'
import { WriteButton } from '../../components/write-button.tsx'
import { count, counted } from '../../format.ts'
import { say, showFault } from '../../shell/said.ts'
import type { Row } from './list-rows.ts'

/** Places that can be suppressed at once, and findings that can be selected at once. */
export const BULK = 500

/** What can be done with the selected findings at once. */
export function Bulk({
  rows,
  total,
  onSelectAll,
  onDone,
}: {
  rows: readonly Row[]
  /** The findings that match. */
  total: number
  /** Selects those that match, the first of them where there are more than can be suppressed at once. */
  onSelectAll(): Promise<void>
  onDone(): void
}) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const places = [
    ...new Map(rows.map(({ rule_id, file }) => [`${rule_id}\0${file}`, { rule: rule_id, file }])).values(),
  ]
  const selectAll = () => {
    setBusy(true)
    onSelectAll()
      .catch(showFault)
      .finally(() => setBusy(false))
  }
  return (
    <div class="bulk" role="group" aria-label="Selected findings">
      <b>{counted(rows.length, 'finding')} selected</b>
      {rows.length < Math.min(total, BULK) && (
        <button type="button" class="quiet small" disabled={busy} onClick={selectAll}>
          {total > BULK ? `Select the first ${count(BULK)}` : `Select all ${count(total)}`}
        </button>
      )}
      <WriteButton
        class="quiet small"
        refusal={places.length > BULK ? `At most ${count(BULK)} places at once.` : undefined}
        onClick={() => setOpen(true)}
      >
        Suppress…
      </WriteButton>
      <button
        type="button"
        class="quiet small"
        onClick={() => {
          onDone()
          say('Nothing is selected.')
        }}
      >
        Clear
      </button>
      {open && <SuppressDialog places={places} onClose={() => setOpen(false)} onDone={onDone} />}
    </div>
  )
}
