import { useState } from 'preact/hooks'
import { Time } from '../../components/time.tsx'
import { counted, words } from '../../format.ts'
import type { AgentsData } from '../agents.tsx'
import { RollbackPreview } from './rollback-preview.tsx'

type Session = AgentsData['sessions'][number]

/** A task session: who, what for, what it may touch, what it touched, where it went out of its scope; and how to roll it back. */
export function SessionCard({ session }: { session: Session }) {
  const [preview, setPreview] = useState(false)
  const { violations, zones_touched, findings_new } = session
  return (
    <li class="session">
      <p class="line">
        <b>{session.agent}</b>
        <span class={session.status === 'violated' ? 'badge critical' : 'tag'}>{words(session.status)}</span>
        <span class="soft">{session.trust_level}</span>
        <Time at={session.created_at} />
      </p>
      <p>{session.intent}</p>
      <ul class="meta">
        <li>
          <code>{session.id}</code>
        </li>
        {session.work_item && <li>{session.work_item}</li>}
        <li>
          may touch <code>{session.authorized_paths.join(' ')}</code>
        </li>
        <li>{counted(session.files_touched.length, 'file')} touched</li>
        {zones_touched.length > 0 && <li>zones {zones_touched.join(', ')}</li>}
        {findings_new > 0 && <li class="bad">{counted(findings_new, 'new finding')}</li>}
      </ul>
      {violations.length > 0 && (
        <ul class="violations" aria-label="Scope violations">
          {violations.map((violation, at) => (
            <li key={at} class={violation.decision === 'refused' ? 'bad' : ''}>
              {words(violation.action)} <code>{violation.path}</code> {violation.decision} <Time at={violation.at} />
            </li>
          ))}
        </ul>
      )}
      {session.status !== 'rolled_back' && (
        <button type="button" class="quiet small" aria-expanded={preview} onClick={() => setPreview(!preview)}>
          {preview ? 'Close the preview' : 'Preview a rollback'}
        </button>
      )}
      {preview && session.status !== 'rolled_back' && <RollbackPreview id={session.id} />}
    </li>
  )
}
