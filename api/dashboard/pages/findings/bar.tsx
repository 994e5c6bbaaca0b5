import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { FacetMenu } from '../../components/facet-menu.tsx'
import { Choice, SearchField } from '../../components/field.tsx'
import { useNarrow } from '../../components/narrow.ts'
import { count, SEVERITIES } from '../../format.ts'
import { useAnswer } from '../../server/load.ts'
import { change } from '../../shell/route.ts'
import { type Filter, GROUPS, MENUS, SORTS, STATUSES } from './filter.ts'
import type { Asked } from './list-rows.ts'

type Facets = Readonly<Record<string, readonly { value: string; count: number }[]>>

/** What narrows, orders and groups the findings. */
export function FindingsBar({ filter, facets, asked }: { filter: Filter; facets: Facets; asked: Asked }) {
  // A filter that changes forgets what was chosen, which may be no longer among what is shown.
  const narrow = (parameters: Record<string, string | undefined>) => change({ id: undefined, ...parameters })
  return (
    <form class="filters" role="search" aria-label="Findings" onSubmit={event => event.preventDefault()}>
      <SearchField
        value={filter.search}
        label="Search findings"
        placeholder="Search title, rule, file, code"
        // The first letter is a step that the way back leads over; those after it are the same step.
        onSearch={search => change({ id: undefined, search }, { replace: filter.search !== '' && search !== '' })}
      />
      <Severities filter={filter} facets={facets} onChange={severity => narrow({ severity })} />
      <More set={countSet(filter)}>
        <Choice
          label="Status"
          value={filter.status}
          options={Object.entries(STATUSES)}
          onChange={status => narrow({ status: status === 'open' ? '' : status })}
        />
        {Object.entries(MENUS).map(([name, title]) => {
          const values = facets[name] ?? []
          const chosen = new Set(filter.values[name as keyof typeof MENUS] ?? [])
          // A menu with nothing to choose from takes room from those that have.
          if (values.length < 2 && chosen.size === 0) return null
          return (
            <FacetMenu
              key={name}
              title={title}
              values={values}
              chosen={chosen}
              onChange={values => narrow({ [name]: values.join(',') })}
            />
          )
        })}
        <OwnerMenu filter={filter} asked={asked} onChange={owners => narrow({ owner: owners.join(',') })} />
        <Choice
          label="Order"
          value={filter.sort}
          options={Object.entries(SORTS)}
          onChange={sort => narrow({ sort: sort === 'severity' ? '' : sort })}
        />
        <Choice
          label="Groups"
          value={filter.group}
          options={Object.entries(GROUPS)}
          onChange={group => narrow({ group })}
        />
      </More>
      <Removable filter={filter} onRemove={name => narrow({ [name]: '' })} />
    </form>
  )
}

/** Owners by CODEOWNERS, who are read for every file of the findings: only when somebody wants to know them. */
function OwnerMenu({
  filter,
  asked: { filter: { owner: _, ...others } = {}, facets: __, ...asked },
  onChange,
}: {
  filter: Filter
  asked: Asked
  onChange(owners: string[]): void
}) {
  const [opened, setOpened] = useState(false)
  const { answer } = useAnswer(
    'POST /api/findings/query',
    opened ? { ...asked, filter: others, facets: ['owner'], limit: 1 } : undefined,
  )
  return (
    <FacetMenu
      title="Owner"
      values={answer?.facets.owner ?? []}
      chosen={new Set(filter.values.owner ?? [])}
      onChange={onChange}
      onOpen={() => setOpened(true)}
    />
  )
}

/** How many of the further filters are not as they are at first. */
function countSet({ status, sort, group, values }: Filter): number {
  const menus = Object.keys(MENUS).filter(name => (values[name as keyof typeof MENUS] ?? []).length > 0)
  return menus.length + [status !== 'open', sort !== 'severity', group !== ''].filter(Boolean).length
}

/** Further filters, which a narrow screen shows when they are asked for. */
function More({ set, children }: { set: number; children: ComponentChildren }) {
  if (!useNarrow()) return <>{children}</>
  return (
    <details class="more-filters">
      <summary class={set > 0 ? 'chip on' : 'chip'}>Filters and order{set > 0 && <b> {count(set)}</b>}</summary>
      <div class="filters">{children}</div>
    </details>
  )
}

function Severities({
  filter,
  facets,
  onChange,
}: {
  filter: Filter
  facets: Facets
  onChange(severities: string): void
}) {
  const chosen = new Set(filter.severity)
  const counts = new Map(facets.severity?.map(({ value, count: n }) => [value, n]))
  const toggle = (severity: string) => {
    const after = new Set(chosen)
    if (!after.delete(severity)) after.add(severity)
    onChange(SEVERITIES.filter(each => after.has(each)).join(','))
  }
  return (
    <div class="chips" role="group" aria-label="Severity">
      {SEVERITIES.map(severity => (
        <button
          key={severity}
          type="button"
          class={`chip ${severity}`}
          aria-pressed={chosen.has(severity)}
          onClick={() => toggle(severity)}
        >
          {severity} <b>{count(counts.get(severity) ?? 0)}</b>
        </button>
      ))}
    </div>
  )
}

/** Filters that a link set and no menu shows. */
function Removable({ filter, onRemove }: { filter: Filter; onRemove(name: string): void }) {
  const named = [
    ...(filter.file ? [['file', filter.file] as const] : []),
    ...Object.entries(filter.values)
      .filter(([name]) => name !== 'owner' && !Object.hasOwn(MENUS, name))
      .map(([name, values]) => [name, values!.join(', ')] as const),
  ]
  return (
    <>
      {named.map(([name, value]) => (
        <button
          key={name}
          type="button"
          class="chip on"
          aria-label={`Remove the filter ${name} ${value}`}
          onClick={() => onRemove(name)}
        >
          {name}: <code>{value}</code> ×
        </button>
      ))}
    </>
  )
}
