import { useState } from 'preact/hooks'
import { DiffText } from '../components/diff-text.tsx'
import { Choice } from '../components/field.tsx'
import { Heading } from '../components/heading.tsx'
import { Answered } from '../components/section.tsx'
import { Time } from '../components/time.tsx'
import { WriteButton } from '../components/write-button.tsx'
import { count, counted, words } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useChanges } from '../server/changes.ts'
import { pendingApprovals } from '../server/live.ts'
import { refresh, useAnswer } from '../server/load.ts'
import { ask } from '../server/request.ts'
import type { PageProps } from '../shell/registry.ts'
import { change } from '../shell/route.ts'
import { announce, showFault } from '../shell/said.ts'

type Approval = Answers['GET /api/approvals']['approvals'][number]

const STATUSES = ['pending', 'approved', 'rejected', 'expired', 'consumed', 'all'] as const
type Status = (typeof STATUSES)[number]
/** Requests that are asked for. */
const LISTED = 200

/** What waits for a person: exactly what is asked, by whom, what it would change; and the decision with a comment. */
export default function Approvals({ query }: PageProps) {
  const status = STATUSES.find(each => each === query.get('status')) ?? 'pending'
  const loaded = useAnswer('GET /api/approvals', { status, limit: LISTED }, useChanges(pendingApprovals.value))
  return (
    <>
      <Heading title="Approvals" />
      <div class="filters">
        <Choice
          label="Status"
          value={status}
          options={STATUSES.map(each => [each, each === 'all' ? 'All' : words(each)])}
          onChange={value => change({ status: (value as Status) === 'pending' ? '' : value })}
        />
      </div>
      <Answered loaded={loaded}>
        {({ approvals, total }) => (
          <>
            <p class="soft total" role="status">
              {total === 0
                ? `No ${status === 'all' ? '' : `${status} `}approval request.`
                : counted(total, 'approval request')}
              {approvals.length < total && `, the newest ${count(approvals.length)} shown`}
            </p>
            <ul class="stacked">
              {approvals.map(approval => (
                <Request key={approval.id} approval={approval} />
              ))}
            </ul>
          </>
        )}
      </Answered>
    </>
  )
}

function Request({ approval }: { approval: Approval }) {
  const { subject } = approval
  return (
    <li class="panel padded approval">
      <p class="line">
        <span class={approval.status === 'pending' ? 'badge medium' : 'tag'}>{words(approval.status)}</span>
        <span class="tag">{words(approval.type)}</span>
        <Time at={approval.created_at} />
        {approval.status === 'pending' && (
          <span class="soft">
            expires <Time at={approval.expires_at} />
          </span>
        )}
      </p>
      <h2>{approval.title}</h2>
      <p>
        Asked by <b>{approval.requester}</b>
        {approval.needed > 1 && <>, {approval.needed} people must approve</>}
      </p>
      {approval.context && <p class="why">{approval.context}</p>}
      {subject && (
        <dl class="facts-list">
          <dt>Tool</dt>
          <dd>{subject.tool}</dd>
          {subject.command && (
            <>
              <dt>Command</dt>
              <dd>
                <code>{subject.command}</code>
              </dd>
            </>
          )}
          {subject.paths.length > 0 && (
            <>
              <dt>Paths</dt>
              <dd>
                <code>{subject.paths.join(' ')}</code>
              </dd>
            </>
          )}
          <dt>Digest</dt>
          <dd>
            <code>{approval.subject_digest}</code>
          </dd>
        </dl>
      )}
      {approval.diff && <DiffText text={approval.diff} label="The change that is asked for" />}
      {approval.votes.map((vote, at) => (
        <p key={at} class="soft">
          {vote.by} {vote.action} <Time at={vote.at} />
          {vote.comment && `: ${vote.comment}`}
        </p>
      ))}
      {approval.status === 'pending' && <Decision id={approval.id} />}
    </li>
  )
}

/** The decision is bound to the digest that is shown: another action needs another one. */
function Decision({ id }: { id: string }) {
  const [comment, setComment] = useState('')
  const [busy, setBusy] = useState(false)
  const decide = (action: 'approved' | 'rejected') => async () => {
    setBusy(true)
    try {
      await ask('PATCH /api/approvals/{id}', { id, action, comment })
      announce(`The request is ${action}.`)
      refresh()
    } catch (error) {
      showFault(error)
      setBusy(false)
    }
  }
  return (
    <form class="decision-form" onSubmit={event => event.preventDefault()}>
      <label>
        Comment
        <input type="text" value={comment} maxLength={10000} onInput={event => setComment(event.currentTarget.value)} />
      </label>
      <div class="actions">
        <WriteButton class="danger" busy={busy} onClick={decide('rejected')}>
          Reject
        </WriteButton>
        <WriteButton class="primary" busy={busy} onClick={decide('approved')}>
          Approve
        </WriteButton>
      </div>
    </form>
  )
}
