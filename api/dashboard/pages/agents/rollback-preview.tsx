import { useEffect, useState } from 'preact/hooks'
import { Path } from '../../components/path.tsx'
import { WriteButton } from '../../components/write-button.tsx'
import type { Answers } from '../../server/answers.gen.ts'
import { refresh } from '../../server/load.ts'
import { ask } from '../../server/request.ts'
import { announce, showFault } from '../../shell/said.ts'

type Plan = Answers['POST /api/task-sessions/rollback']

/** What a rollback of a session would do to which file, what stands in its way; and the button that does it. */
export function RollbackPreview({ id }: { id: string }) {
  const [plan, setPlan] = useState<Plan>()
  const [fault, setFault] = useState('')
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    ask('POST /api/task-sessions/rollback', { id, dry_run: true }).then(setPlan, (error: Error) =>
      setFault(error.message),
    )
  }, [id])
  const rollBack = async () => {
    setBusy(true)
    try {
      const { outcome, approval_id } = await ask('POST /api/task-sessions/rollback', { id, apply: true })
      announce(outcome === 'pending' ? `The rollback waits for the approval ${approval_id}.` : 'Rolled back.')
      refresh()
    } catch (error) {
      showFault(error)
    } finally {
      setBusy(false)
    }
  }
  if (fault)
    return (
      <p role="alert" class="bad">
        {fault}
      </p>
    )
  if (!plan) return <p class="loading">Loading…</p>
  const { files = [], commits = [], obstacles = [], notes = [] } = plan
  return (
    <section class="rollback" aria-label="Preview of the rollback">
      {files.length === 0 && <p class="soft">No file would change.</p>}
      <ul>
        {files.map(({ path, does }) => (
          <li key={path}>
            <span class={does === 'remove' ? 'bad' : 'good'}>{does}</span>{' '}
            <code>
              <Path path={path} />
            </code>
          </li>
        ))}
      </ul>
      {commits.length > 0 && (
        <ul>
          {commits.map(({ sha, subject, author, own }) => (
            <li key={sha}>
              <code>{sha.slice(0, 8)}</code> {subject}{' '}
              <span class="soft">{own ? 'of the session' : `of ${author}`}</span>
            </li>
          ))}
        </ul>
      )}
      {[...obstacles.map(text => ['bad', text]), ...notes.map(text => ['soft', text])].map(([kind, text]) => (
        <p key={text} class={kind}>
          {text}
        </p>
      ))}
      {files.length > 0 && (
        <WriteButton
          class="danger small"
          busy={busy}
          refusal={obstacles.length > 0 ? 'It would lose changes of others.' : undefined}
          onClick={rollBack}
        >
          {busy ? 'Rolling back…' : 'Roll back'}
        </WriteButton>
      )}
    </section>
  )
}
