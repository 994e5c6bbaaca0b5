import { signal } from '@preact/signals'
import { render } from 'preact'
import { listen } from './server/live.ts'
import { loadSession } from './server/session.ts'
import { loadRuns } from './shell/runs.ts'
import { showFault } from './shell/said.ts'
import { Shell } from './shell/shell.tsx'
import './styles/app.css'

const version = signal<string>()

function App() {
  return <Shell version={version.value} />
}

render(<App />, document.getElementById('app')!)

async function start(): Promise<void> {
  // Runs come first: asking for them asks for the key where the server wants one.
  await loadRuns()
  listen()
  await loadSession()
  const health = (await (await fetch('/health')).json()) as { version: string }
  version.value = health.version
}

start().catch(showFault)
