import { CopyButton } from '../components/copy.tsx'
import { Figures } from '../components/figures.tsx'
import { Path } from '../components/path.tsx'
import { Prose } from '../components/prose.tsx'
import { Answered, Section } from '../components/section.tsx'
import { SeverityBadge } from '../components/severity.tsx'
import { State } from '../components/state.tsx'
import { Time } from '../components/time.tsx'
import { count, counted } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { useAnswer } from '../server/load.ts'
import { href } from '../shell/route.ts'
import { Checked, Liveness } from './secrets/liveness.tsx'

type Data = NonNullable<Answers['GET /api/pages/secrets']['data']>
type Secret = Data['secrets'][number]

/** Secrets and places of one that are drawn. */
const SECRETS = 100
const PLACES = 20

/** Every secret once: its places, whether it is known to be live, and how to revoke it. */
export default function Secrets() {
  const loaded = useAnswer('GET /api/pages/secrets', {})
  return (
    <Answered loaded={loaded}>
      {page => (
        <Section section={page} title="Secrets">
          {data => <List {...data} />}
        </Section>
      )}
    </Answered>
  )
}

function List({ secrets, total, checks, command }: Data) {
  const listed = secrets.reduce((sum, { places }) => sum + places.length, 0)
  const open = secrets.filter(isOpen)
  const live = secrets.filter(({ checked }) => checked?.state === 'live' && checked.current).length
  const unchecked = secrets.filter(({ checked, provider }) => provider && !checked?.current).length
  return (
    <>
      <Figures
        title={secrets.length === 0 ? 'No secret was found' : counted(secrets.length, 'secret')}
        figures={
          secrets.length === 0
            ? []
            : [
                { label: 'open', value: count(open.length), tone: open.length > 0 ? 'bad' : 'good' },
                ...(live > 0 ? [{ label: 'live', value: count(live), tone: 'bad' as const }] : []),
                ...(unchecked > 0 ? [{ label: 'to check', value: count(unchecked) }] : []),
                { label: 'places', value: count(total) },
              ]
        }
      >
        {secrets.length === 0 && (
          <p class="soft">
            The latest run looked through the files as they are. <code>svc secrets --history</code> looks through
            earlier commits, too.
          </p>
        )}
        {checks === 'unreadable' && (
          <p class="lacking unreadable">
            The results of earlier checks cannot be read: they were altered, or are of another user, machine or
            repository.
          </p>
        )}
        {(unchecked > 0 || checks === 'unreadable') && (
          <p class="soft">
            A scan asks no provider. <code>{command}</code> asks each one about its own secrets, and shows here which
            are live. <CopyButton text={command} label="Copy the command" />
          </p>
        )}
      </Figures>
      <ol class="entries" aria-label="Secrets">
        {secrets.slice(0, SECRETS).map(secret => (
          <Entry key={secret.fingerprint} {...secret} />
        ))}
      </ol>
      {(secrets.length > SECRETS || listed < total) && (
        <p class="soft total">
          {secrets.length > SECRETS && `${counted(secrets.length - SECRETS, 'more secret')} not shown. `}
          {listed < total && `${counted(total - listed, 'more place')} not listed. `}
          <a href={href('findings', { category: 'secret', status: 'all' })}>All findings of secrets</a>
        </p>
      )}
    </>
  )
}

function isOpen({ places }: Secret): boolean {
  return places.some(({ status }) => status === 'open')
}

function Entry(secret: Secret) {
  const { title, severity, rule_id, places, remediation, first_seen } = secret
  return (
    <li class="panel entry">
      <div class="line">
        <SeverityBadge severity={severity} />
        <h2>{title}</h2>
        <State state={isOpen(secret) ? 'open' : places[0]!.status} tone={isOpen(secret) ? 'bad' : 'warn'} />
        <Liveness {...secret} />
      </div>
      <p class="meta">
        <a href={href('rule', { id: rule_id })}>{rule_id}</a>
        <span>{counted(places.length, 'place')}</span>
        {first_seen && (
          <span>
            first seen <Time at={first_seen.at} />
          </span>
        )}
        <Checked {...secret} />
      </p>
      <ul class="secret-places">
        {places.slice(0, PLACES).map(({ id, file, line, snippet, status, in_test }) => (
          <li key={id}>
            <a href={href('finding', { id })}>
              <code>
                <Path path={file} line={line} />
              </code>
            </a>
            {status !== 'open' && <span class="tag">{status}</span>}
            {in_test && <span class="tag">test</span>}
            <code class="cut soft">{snippet.trim().slice(0, 300)}</code>
          </li>
        ))}
        {places.length > PLACES && <li class="soft">and {counted(places.length - PLACES, 'more place')}</li>}
      </ul>
      <details>
        <summary>How to revoke it</summary>
        <div class="mend">
          <Prose text={remediation} />
        </div>
      </details>
    </li>
  )
}
