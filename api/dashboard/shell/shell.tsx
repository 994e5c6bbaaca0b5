import { useEffect, useRef, useState } from 'preact/hooks'
import { WriteButton } from '../components/write-button.tsx'
import { connection } from '../server/live.ts'
import { session, signOut } from '../server/session.ts'
import { Content } from './content.tsx'
import { Keys } from './keys.tsx'
import { MenuButton, Navigation } from './navigation.tsx'
import { Notices } from './notices.tsx'
import { openPalette, Palette } from './palette.tsx'
import { PAGES } from './registry.ts'
import { href, route } from './route.ts'
import { shownRun } from './runs.ts'
import { clearNotices, said, say, showFault } from './said.ts'
import { Scanning, scan, startScan } from './scanning.tsx'
import { SignIn } from './sign-in.tsx'
import { ThemeButton } from './theme.tsx'

/** Everything around a page. */
export function Shell({ version }: { version: string | undefined }) {
  const main = useRef<HTMLElement>(null)
  const { page } = route.value
  const title = PAGES[page]?.title ?? 'Not found'
  const project = shownRun.value?.root_name ?? 'svc'
  const [before, setBefore] = useState(page)
  document.title = `${title} · ${project}`
  useEffect(() => {
    if (page === before) return
    setBefore(page)
    clearNotices()
    main.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
    say(`${title} shown`)
  }, [page])
  return (
    <>
      <a class="skip" href="#main" onClick={event => skip(event, main.current)}>
        Skip to the content
      </a>
      <header class="top">
        <div class="bar">
          <MenuButton />
          <a class="brand" href={href('overview')} aria-label={`${project}, home`}>
            <img src="/dashboard/icon.svg" alt="" width="26" height="26" />
            <span id="project">{project}</span>
          </a>
          <ConnectionState />
          <div class="tools">
            <button type="button" class="quiet search-button" onClick={openPalette} title="Ctrl K">
              Search
            </button>
            <ThemeButton />
            <SignOut />
            <ScanButton />
          </div>
        </div>
      </header>
      <Scanning />
      <div class="columns">
        <Navigation />
        <div class="page">
          <Notices />
          <main id="main" tabIndex={-1} ref={main}>
            <Content />
          </main>
          <footer>
            <span id="version">{version && `svc ${version}`}</span>
            <a href="/api">API</a>
            <a href="/docs">Try it out</a>
            <a href="/redoc">Reference</a>
          </footer>
        </div>
      </div>
      <p class="visually-hidden" id="said" role="status">
        {said.value}
      </p>
      <SignIn />
      <Palette />
      <Keys />
    </>
  )
}

/** The address is the page's, so the link moves the focus itself. */
function skip(event: Event, main: HTMLElement | null): void {
  event.preventDefault()
  main?.focus()
}

function ConnectionState() {
  if (connection.value !== 'lost') return null
  return (
    <p class="tag lost" role="status">
      Connection lost, trying again
    </p>
  )
}

function SignOut() {
  if (!(session.value?.required && session.value.signed_in)) return null
  return (
    <button type="button" class="quiet" id="sign-out" onClick={() => signOut().catch(showFault)}>
      Sign out
    </button>
  )
}

function ScanButton() {
  return (
    <WriteButton class="primary" id="scan" busy={scan.value !== undefined} onClick={() => void startScan()}>
      Scan now
    </WriteButton>
  )
}
