import { useEffect, useRef, useState } from 'preact/hooks'
import { FindingDetail } from '../components/finding-detail.tsx'
import { FindingLine } from '../components/finding-line.tsx'
import { Heading } from '../components/heading.tsx'
import { useNarrow } from '../components/narrow.ts'
import { UndoSuppression } from '../components/suppress-dialog.tsx'
import { VirtualRows } from '../components/virtual-rows.tsx'
import { counted } from '../format.ts'
import { useAnswer } from '../server/load.ts'
import type { PageProps } from '../shell/registry.ts'
import { change, href } from '../shell/route.ts'
import { showFault } from '../shell/said.ts'
import { FindingsBar } from './findings/bar.tsx'
import { BULK, Bulk } from './findings/bulk.tsx'
import { exportFindings } from './findings/export.ts'
import { filterOf, queryOf } from './findings/filter.ts'
import { Groups } from './findings/groups.tsx'
import { type Answer, type Asked, PAGE, type Row, useRows } from './findings/list-rows.ts'
import { ToReview } from './findings/to-review.tsx'

/** Pixels of one row; on a narrow screen the place has a line of its own. */
const HEIGHT = 42
const NARROW = 66

/** The findings of a run, or, where the address asks for them, the places that a reviewer decides on. */
export default function Findings({ run, query }: PageProps) {
  if (query.get('review')) return <ToReview run={run.id} />
  return <Matching run={run} query={query} />
}

/** The findings of a run, filtered and counted by the server, with the one that was chosen beside them. Everything stands in the address. */
function Matching({ run, query }: PageProps) {
  const filter = filterOf(query)
  const asked = queryOf(filter, run.id)
  const loaded = useAnswer('POST /api/findings/query', { ...asked, limit: PAGE })
  const { answer } = loaded
  return (
    <div class="findings">
      <Heading title="Findings" />
      <FindingsBar filter={filter} facets={answer?.facets ?? {}} asked={asked} />
      <UndoSuppression />
      <div class="total-line">
        <div class="totals">
          <p class="soft total" role="status" aria-busy={loaded.pending}>
            {answer ? totalOf(answer) : loaded.error ? '' : 'Loading…'}
          </p>
          {answer && answer.to_review > 0 && (
            <a href={href('findings', { review: '1' })}>{counted(answer.to_review, 'place')} to review</a>
          )}
        </div>
        {answer && answer.total > 0 && <Export asked={asked} />}
      </div>
      {loaded.error && <p class="lacking unreadable">{loaded.error.message}</p>}
      {answer?.groups ? (
        <Groups groups={answer.groups} total={answer.groups_total ?? 0} by={filter.group} />
      ) : (
        answer &&
        answer.total > 0 && (
          <List
            key={loaded.version}
            first={answer}
            asked={asked}
            selected={query.get('id') ?? undefined}
            run={run.id}
          />
        )
      )}
    </div>
  )
}

function totalOf({ total, groups, groups_total }: Answer): string {
  if (total === 0) return 'No finding matches.'
  return groups ? `${counted(total, 'finding')} in ${counted(groups_total ?? 0, 'group')}` : counted(total, 'finding')
}

function Export({ asked }: { asked: Asked }) {
  const save = (format: 'csv' | 'json') => () => exportFindings(asked, format).catch(showFault)
  return (
    <p class="exports">
      <button type="button" class="quiet small" onClick={save('csv')}>
        CSV
      </button>
      <button type="button" class="quiet small" onClick={save('json')}>
        JSON
      </button>
    </p>
  )
}

function List({
  first,
  asked,
  selected,
  run,
}: {
  first: Answer
  asked: Asked
  selected: string | undefined
  run: string
}) {
  const { load, rowAt, placeOf, readFirst } = useRows(first, asked)
  const narrow = useNarrow()
  const [marked, setMarked] = useState<ReadonlyMap<string, Row>>(new Map())
  const [current, setCurrent] = useState<number | undefined>(selected ? placeOf(selected) : undefined)
  const choose = (at: number) => {
    const row = rowAt(at)
    if (!row) return
    setCurrent(at)
    change({ id: row.id }, { replace: true })
  }
  const mark = (row: Row) =>
    setMarked(before => {
      const after = new Map(before)
      if (!after.delete(row.id)) after.set(row.id, row)
      return after
    })
  const selectAll = async () => setMarked(new Map((await readFirst(BULK)).map(row => [row.id, row])))
  const press = (key: string, target: Element): boolean => {
    // Code and other boxes scroll by these keys; only in the list, or where nothing has the focus, they are the list's.
    if (/^(Arrow|Home|End)/.test(key) && target !== document.body && !target.closest('.list')) return false
    const at = current ?? -1
    if (key === 'j' || key === 'ArrowDown') choose(Math.min(first.total - 1, at + 1))
    else if (key === 'k' || key === 'ArrowUp') choose(Math.max(0, at - 1))
    else if (key === 'Home') choose(0)
    else if (key === 'End') {
      setCurrent(first.total - 1)
      choose(first.total - 1)
    } else if (key === 'x' && current !== undefined && rowAt(current)) mark(rowAt(current)!)
    else if (key === 'Escape' && selected) {
      setCurrent(undefined)
      change({ id: undefined }, { replace: true })
    } else return false
    return true
  }
  useKeys(press)
  // Rows that are reached by keyboard before they are there are chosen when they come.
  const waiting = current !== undefined && rowAt(current)?.id
  useEffect(() => {
    if (current !== undefined && waiting && waiting !== selected) change({ id: waiting }, { replace: true })
  }, [waiting])
  return (
    <div class={selected ? 'split chosen' : 'split'}>
      <div class="list panel">
        {marked.size > 0 && (
          <Bulk
            rows={[...marked.values()]}
            total={first.total}
            onSelectAll={selectAll}
            onDone={() => setMarked(new Map())}
          />
        )}
        <VirtualRows
          total={first.total}
          height={narrow ? NARROW : HEIGHT}
          current={current}
          label="Findings"
          onSeen={load}
        >
          {at => {
            const row = rowAt(at)
            if (!row) return <span class="finding-line soft">Loading…</span>
            return (
              <div class={row.id === selected ? 'row-line current' : 'row-line'}>
                <input
                  type="checkbox"
                  checked={marked.has(row.id)}
                  aria-label={`Select ${row.title}, ${row.file}:${row.line}`}
                  onChange={() => mark(row)}
                />
                <Line row={row} at={at} isCurrent={row.id === selected} onChoose={choose} />
              </div>
            )
          }}
        </VirtualRows>
      </div>
      {selected && (
        <aside class="panel padded beside" aria-label="The chosen finding">
          <button
            type="button"
            class="quiet small close"
            onClick={() => {
              setCurrent(undefined)
              change({ id: undefined }, { replace: true })
            }}
          >
            Close
          </button>
          <FindingDetail key={selected} id={selected} run={run} />
        </aside>
      )}
    </div>
  )
}

function Line({
  row,
  at,
  isCurrent,
  onChoose,
}: {
  row: Row
  at: number
  isCurrent: boolean
  onChoose(at: number): void
}) {
  const choose = (event: MouseEvent) => {
    // With a key held, the browser opens the finding's own page beside this one.
    if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target as Element).closest('a')) return
    event.preventDefault()
    onChoose(at)
  }
  return (
    <div class={isCurrent ? 'choose on' : 'choose'} onClick={choose}>
      <FindingLine finding={row} href={href('finding', { id: row.id })} />
    </div>
  )
}

/** Keys of the list, unless somebody is typing. */
function useKeys(press: (key: string, target: Element) => boolean): void {
  const latest = useRef(press)
  latest.current = press
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      const typing = target.closest('input:not([type="checkbox"]), textarea, select, dialog, summary, .menu-box')
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return
      if (latest.current(event.key, target)) event.preventDefault()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
