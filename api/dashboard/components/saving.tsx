import { useState } from 'preact/hooks'
import { download } from '../server/request.ts'
import { showFault } from '../shell/said.ts'
import { saveFile } from './save.ts'

/** A button that saves what a path of the server answers as a file. */
export function SaveButton({ path, name, type, label }: { path: string; name: string; type: string; label: string }) {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      saveFile(name, type, await download(path))
    } catch (error) {
      showFault(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <button type="button" class="quiet small" disabled={busy} aria-label={label} onClick={save}>
      {busy ? 'Making…' : 'Download'}
    </button>
  )
}
