import { useState } from 'preact/hooks'
import { Heading } from '../components/heading.tsx'
import { Panel } from '../components/panel.tsx'
import { Answered } from '../components/section.tsx'
import { Time } from '../components/time.tsx'
import { WriteButton } from '../components/write-button.tsx'
import { words } from '../format.ts'
import type { Answers } from '../server/answers.gen.ts'
import { refresh, useAnswer } from '../server/load.ts'
import { ask } from '../server/request.ts'
import { announce, showFault } from '../shell/said.ts'

type Connection = Answers['GET /api/oauth/status'][keyof Answers['GET /api/oauth/status']]
type Tested = Answers['POST /api/devops/test-connection']

/** The connections with DevOps providers: whether they are connected, what their token may do, and how to connect them. */
export default function Providers() {
  const loaded = useAnswer('GET /api/pages/providers', {})
  return (
    <>
      <Heading title="Providers" />
      <Outcome />
      <Answered loaded={loaded}>
        {({ oauth, devops }) => (
          <div class="stacked">
            {Object.entries(oauth).map(([name, connection]) => (
              <Provider key={name} name={name} connection={connection} />
            ))}
            <Panel title="This repository" class="padded">
              {devops.providers.length === 0 ? (
                <p class="soft">No provider is configured, and no remote of git names one.</p>
              ) : (
                <ul class="lines">
                  {devops.providers.map(each => (
                    <li key={each.provider}>
                      <b>{each.provider}</b> {each.repository} <span class="soft">{each.base_url}</span>{' '}
                      <span class={each.problem ? 'bad' : 'good'}>
                        {each.problem ?? `token from ${each.token_source ?? 'nowhere'}`}
                      </span>
                      <Test provider={each.provider} />
                    </li>
                  ))}
                </ul>
              )}
              {devops.ci && <p class="soft">Running in {devops.ci}.</p>}
            </Panel>
          </div>
        )}
      </Answered>
    </>
  )
}

/** What a connection ended with: the provider leads back to /dashboard with one of two parameters. */
function Outcome() {
  const query = new URLSearchParams(location.search)
  const error = query.get('oauth_error')
  const success = query.get('oauth_success')
  if (error)
    return (
      <p class="banner" role="alert">
        The connection failed: {error}
      </p>
    )
  return success ? <p class="earlier">Connected with {success}.</p> : null
}

function Provider({ name, connection }: { name: string; connection: Connection }) {
  const [busy, setBusy] = useState(false)
  const disconnect = async () => {
    setBusy(true)
    try {
      const { message } = await ask('POST /oauth/{provider}/disconnect', { provider: name })
      announce(message)
      refresh()
    } catch (error) {
      showFault(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Panel
      title={connection.provider}
      class="padded"
      aside={
        <span class={connection.connected ? 'good' : 'soft'}>
          {connection.connected ? 'connected' : 'not connected'}
        </span>
      }
    >
      {connection.problem && <p class="bad">{connection.problem}</p>}
      {connection.connected ? (
        <>
          <p>
            {connection.base_url}
            {connection.scope && <>, scopes {connection.scope}</>}
            {connection.connected_at && (
              <>
                , since <Time at={connection.connected_at} />
              </>
            )}
            {connection.expires_at && (
              <>
                , expires <Time at={connection.expires_at} />
                {connection.renewable && ' and is renewed'}
              </>
            )}
          </p>
          <WriteButton class="quiet small" busy={busy} onClick={disconnect}>
            Disconnect
          </WriteButton>
        </>
      ) : connection.configured ? (
        <a class="quiet small button" href={`/oauth/${encodeURIComponent(name)}/connect`}>
          Connect
        </a>
      ) : (
        <p class="soft">
          No client id is configured: see <code>providers</code> in the configuration.
        </p>
      )}
    </Panel>
  )
}

function Test({ provider }: { provider: string }) {
  const [tested, setTested] = useState<Tested>()
  const [busy, setBusy] = useState(false)
  const test = async () => {
    setBusy(true)
    try {
      setTested(await ask('POST /api/devops/test-connection', { provider }))
    } catch (error) {
      showFault(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {' '}
      <button type="button" class="quiet small" disabled={busy} onClick={test}>
        Test the connection
      </button>
      {tested && (
        <ul class="meta" role="status">
          <li class={tested.connected ? 'good' : 'bad'}>
            {tested.connected ? 'connected' : (tested.problem ?? 'failed')}
          </li>
          {tested.account && <li>as {tested.account}</li>}
          {Object.entries(tested.abilities ?? {}).map(([ability, may]) => (
            <li key={ability} class={may === 'no' ? 'bad' : may === 'yes' ? '' : 'soft'}>
              {words(ability)}: {may}
            </li>
          ))}
          {tested.hint && <li>{tested.hint}</li>}
        </ul>
      )}
    </>
  )
}
