import { useState } from 'preact/hooks'
import { Choice } from '../components/field.tsx'
import { Heading } from '../components/heading.tsx'
import { saveFile } from '../components/save.ts'
import { Answered, Section } from '../components/section.tsx'
import { Table } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { count, words } from '../format.ts'
import type { Answers, Takes } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import { ask } from '../server/request.ts'
import type { PageProps } from '../shell/registry.ts'
import { change } from '../shell/route.ts'
import { showFault } from '../shell/said.ts'

type Data = NonNullable<Answers['GET /api/pages/audit']['data']>
type Asked = Takes['GET /api/pages/audit']

const DECISIONS = ['', 'allowed', 'warned', 'pending', 'refused'] as const
const TONES: Record<string, string> = { refused: 'bad', pending: 'medium', warned: 'medium', allowed: 'soft' }

/** The audit log, newest first: filtered, exported, and checked for tampering. */
export default function Audit({ query }: PageProps) {
  const asked: Asked = {
    agent: query.get('agent') || undefined,
    action: query.get('action') || undefined,
    decision: DECISIONS.find(each => each !== '' && each === query.get('decision')) as Asked['decision'],
  }
  const loaded = useAnswer('GET /api/pages/audit', asked)
  return (
    <>
      <Heading title="Audit log" />
      <form class="filters" onSubmit={event => event.preventDefault()}>
        <TextFilter name="agent" label="Agent" value={asked.agent} />
        <TextFilter name="action" label="Action" value={asked.action} />
        <Choice
          label="Decision"
          value={asked.decision ?? ''}
          options={DECISIONS.map(each => [each, each === '' ? 'Every decision' : words(each)])}
          onChange={decision => change({ decision })}
        />
      </form>
      <Answered loaded={loaded}>
        {page => (
          <Section section={page}>{data => <Entries key={loaded.version} first={data} asked={asked} />}</Section>
        )}
      </Answered>
    </>
  )
}

/** A filter that counts when it is left or confirmed. */
function TextFilter({ name, label, value }: { name: string; label: string; value: string | undefined }) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      defaultValue={value ?? ''}
      onChange={event => change({ [name]: event.currentTarget.value.trim() })}
    />
  )
}

function Entries({ first, asked }: { first: Data; asked: Asked }) {
  const [pages, setPages] = useState<readonly Data[]>([first])
  const entries = pages.flatMap(page => page.entries)
  const next = pages.at(-1)!.next_before
  const more = () =>
    ask('GET /api/pages/audit', { ...asked, before: next }).then(page => {
      if (page.data) setPages([...pages, page.data])
    }, showFault)
  return (
    <>
      <div class="total-line">
        <p class="soft total" role="status">
          {count(entries.length)} shown of {count(first.total)} recorded
        </p>
        <p class="exports">
          <button
            type="button"
            class="quiet small"
            onClick={() => saveFile('audit-log.json', 'application/json', JSON.stringify(entries, null, 2))}
          >
            JSON
          </button>
        </p>
      </div>
      <Integrity tampered={first.tampered} entries={entries} />
      <Table columns={['Entry', 'When', 'Decision', 'Who', 'Action', 'Target', 'By']} label="Audit log">
        {entries.map(entry => (
          <tr key={entry.seq}>
            <td class="number">{count(entry.seq)}</td>
            <td>
              <Time at={entry.at} exact />
            </td>
            <td class={TONES[entry.decision]}>{entry.decision}</td>
            <td>
              {entry.actor.agent}
              <span class="under">{words(entry.actor.method)}</span>
            </td>
            <td>{words(entry.action)}</td>
            <td>
              <code>{entry.target}</code>
              {entry.tampered && <span class="under bad">changed by another program</span>}
            </td>
            <td>{entry.surface}</td>
          </tr>
        ))}
      </Table>
      {next !== undefined && (
        <button type="button" class="quiet more" onClick={more}>
          Show earlier ones
        </button>
      )}
    </>
  )
}

/** What the page can say of the log's integrity, and the command that says all of it. */
function Integrity({ tampered, entries }: { tampered: readonly string[]; entries: Data['entries'] }) {
  const changed = entries.filter(entry => entry.tampered).length
  if (tampered.length === 0 && changed === 0)
    return (
      <p class="soft">
        No tampering is seen in what is shown. <code>svc audit verify</code> checks the whole chain.
      </p>
    )
  return (
    <div role="alert" class="lacking unreadable">
      <p>The records were changed by another program{changed > 0 && `: ${count(changed)} of the entries shown`}.</p>
      <ul>
        {tampered.map(message => (
          <li key={message}>{message}</li>
        ))}
      </ul>
      <p class="command">
        <code>svc audit verify</code>
      </p>
    </div>
  )
}
