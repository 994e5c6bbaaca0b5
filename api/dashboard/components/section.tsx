import type { ComponentChildren } from 'preact'
import type { Loaded } from '../server/load.ts'
import { refresh } from '../server/load.ts'
import { CopyButton } from './copy.tsx'
import { Heading } from './heading.tsx'

/** A part of an answer: its data, or why there is none. */
export interface SectionState<T> {
  state: 'ready' | 'missing' | 'unreadable'
  data?: T
  reason?: string
  command?: string
  hint?: string
}

/** What a section has, or why it has nothing and the command that makes it: no data is never shown as nothing found. */
export function Section<T>({
  section,
  title,
  children,
}: {
  section: SectionState<T>
  /** The title of the page, where this section is what has one. */
  title?: string
  children: (data: T) => ComponentChildren
}) {
  if (section.state === 'ready') return <>{children(section.data as T)}</>
  return (
    <>
      {title && <Heading title={title} />}
      <Lacking {...section} />
    </>
  )
}

function Lacking(section: Omit<SectionState<unknown>, 'data'>) {
  return (
    <div class={`lacking ${section.state}`}>
      <p>{section.reason ?? 'There is no data yet.'}</p>
      {section.hint && <p class="soft">{section.hint}</p>}
      {section.command && (
        <p class="command">
          <code>{section.command}</code> <CopyButton text={section.command} />
        </p>
      )}
    </div>
  )
}

/** An answer once it is there; while there is none, that it is being loaded or why it could not be. */
export function Answered<T>({ loaded, children }: { loaded: Loaded<T>; children: (answer: T) => ComponentChildren }) {
  if (loaded.answer !== undefined)
    return (
      <>
        {loaded.error && <Failed error={loaded.error} />}
        {children(loaded.answer)}
      </>
    )
  return loaded.error ? <Failed error={loaded.error} /> : <p class="loading">Loading…</p>
}

function Failed({ error }: { error: Error }) {
  return (
    <div class="lacking unreadable" role="alert">
      <p>{error.message}</p>
      <button type="button" class="quiet" onClick={refresh}>
        Try again
      </button>
    </div>
  )
}
