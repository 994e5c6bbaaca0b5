import { useEffect, useState } from 'preact/hooks'
import { DiffText } from '../components/diff-text.tsx'
import { SearchField } from '../components/field.tsx'
import { Heading } from '../components/heading.tsx'
import { formatChange } from '../components/line-diff.ts'
import { findRows } from '../components/rows.ts'
import { Answered } from '../components/section.tsx'
import { WriteButton } from '../components/write-button.tsx'
import { counted } from '../format.ts'
import { groupBy } from '../grouping.ts'
import type { Answers } from '../server/answers.gen.ts'
import { refresh, useAnswer } from '../server/load.ts'
import { ask } from '../server/request.ts'
import type { PageProps } from '../shell/registry.ts'
import { change as changeAddress } from '../shell/route.ts'
import { announce, showFault } from '../shell/said.ts'
import { Setting } from './configuration/setting.tsx'

type Answer = Answers['GET /api/pages/configuration']

/** Milliseconds without a change before it is validated. */
const PAUSE = 300

/** Every setting as a form, and what would be written beside it: validated as one changes it, and written when one says so. */
export default function Configuration({ query }: PageProps) {
  const loaded = useAnswer('GET /api/pages/configuration', {})
  return (
    <>
      <Heading title="Configuration" />
      <Answered loaded={loaded}>
        {answer => <Editor key={answer.text} answer={answer} search={query.get('search') ?? ''} />}
      </Answered>
    </>
  )
}

/** The values that a person changed, by dotted key; undefined removes the key from the file. */
export type Changes = ReadonlyMap<string, unknown>

function Editor({ answer: { keys, text, path, notices, sources }, search }: { answer: Answer; search: string }) {
  const [busy, setBusy] = useState(false)
  const [changes, setChanges] = useState<Changes>(new Map())
  const preview = usePreview(changes)
  const shown = findRows(keys, search, ({ key, description }) => `${key} ${description}`)
  const change = (key: string, value: unknown) =>
    setChanges(before => {
      const after = new Map(before)
      after.set(key, value)
      return after
    })
  const write = async () => {
    setBusy(true)
    try {
      await ask('POST /api/config', bodyOf(changes))
      announce(`${path} is written.`)
      setChanges(new Map())
      refresh()
    } catch (error) {
      showFault(error)
    } finally {
      setBusy(false)
    }
  }
  const groups = groupBy(shown, ({ key }) => key.split('.', 1)[0]!)
  return (
    <div class="configuration">
      <div>
        <div class="filters">
          <SearchField
            value={search}
            label="Search settings"
            placeholder="Search settings"
            onSearch={text => changeAddress({ search: text }, { replace: true })}
          />
        </div>
        <p class="soft total" role="status">
          {counted(shown.length, 'setting')}, from {sources.length > 0 ? sources.join(', ') : 'the defaults alone'}
        </p>
        {notices.map(notice => (
          <p key={notice} class="bad">
            {notice}
          </p>
        ))}
        {[...groups].map(([group, settings]) => (
          <details key={group} class="panel settings" open={search !== '' || groups.size === 1}>
            <summary>
              <b>{group}</b> <span class="tag">{settings.length}</span>
            </summary>
            {settings.map(setting => (
              <Setting
                key={setting.key}
                setting={setting}
                changed={changes.has(setting.key)}
                onChange={value => change(setting.key, value)}
              />
            ))}
          </details>
        ))}
      </div>
      <aside class="panel padded beside" aria-label="The file">
        <h2>{path}</h2>
        {changes.size === 0 ? (
          <pre class="code file" tabIndex={0} role="region" aria-label="The file as it is">
            <code>{text || '# no file yet: every setting has its default'}</code>
          </pre>
        ) : (
          <Preview {...preview} />
        )}
        {changes.size > 0 && (
          <div class="actions">
            <button type="button" class="quiet" onClick={() => setChanges(new Map())}>
              Discard
            </button>
            <WriteButton
              class="primary"
              busy={busy}
              refusal={!preview.diff || preview.fault !== '' ? '' : undefined}
              onClick={write}
            >
              Write
            </WriteButton>
          </div>
        )}
      </aside>
    </div>
  )
}

function Preview({ diff, fault }: { diff: string; fault: string }) {
  if (fault)
    return (
      <p role="alert" class="bad">
        {fault}
      </p>
    )
  return diff ? <DiffText text={diff} label="The change of the file" /> : <p class="soft">The file stays as it is.</p>
}

/** What the changes would do to the file, as the server validates them. */
function usePreview(changes: Changes): { diff: string; fault: string } {
  const [preview, setPreview] = useState({ diff: '', fault: '' })
  useEffect(() => {
    if (changes.size === 0) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      ask('POST /api/config', { ...bodyOf(changes), dry_run: true }, stop.signal).then(
        ({ before, after }) => setPreview({ diff: formatChange(before, after), fault: '' }),
        (error: Error) => {
          if (!stop.signal.aborted) setPreview({ diff: '', fault: error.message })
        },
      )
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [changes])
  return preview
}

/** Nested keys as the file has them, and the keys that go. */
export function bodyOf(changes: Changes): { set: Record<string, unknown>; unset: string[] } {
  const set: Record<string, unknown> = {}
  const unset: string[] = []
  for (const [key, value] of changes) {
    if (value === undefined) {
      unset.push(key)
      continue
    }
    const parts = key.split('.')
    let at = set
    for (const part of parts.slice(0, -1)) {
      at[part] ??= {}
      at = at[part] as Record<string, unknown>
    }
    at[parts.at(-1)!] = value
  }
  return { set, unset }
}
