import { useRef, useState } from 'preact/hooks'
import { count } from '../format.ts'

/** Values above which a field to look for one is worth its room. */
const MANY = 10

/** The values of a dimension with their counts, in a menu; any number may be chosen. */
export function FacetMenu({
  title,
  values,
  chosen,
  onChange,
  onOpen,
}: {
  title: string
  values: readonly { value: string; count: number }[]
  chosen: ReadonlySet<string>
  onChange(chosen: string[]): void
  /** Called when it is opened, where its values are asked for then. */
  onOpen?(): void
}) {
  const box = useRef<HTMLDetailsElement>(null)
  const [wanted, setWanted] = useState('')
  const listed = [...values, ...[...chosen].filter(value => !values.some(each => each.value === value)).map(none)]
  const shown = listed.filter(({ value }) => value.toLowerCase().includes(wanted.toLowerCase()))
  const toggle = (value: string) =>
    onChange(chosen.has(value) ? [...chosen].filter(each => each !== value) : [...chosen, value])
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !box.current!.open) return
    event.stopPropagation()
    box.current!.open = false
    box.current!.querySelector('summary')!.focus()
  }
  const left = (event: FocusEvent) => {
    if (!box.current!.contains(event.relatedTarget as Node | null) && event.relatedTarget) box.current!.open = false
  }
  return (
    <details
      class="menu-box"
      ref={box}
      onKeyDown={close}
      onFocusOut={left}
      onToggle={() => box.current!.open && onOpen?.()}
    >
      <summary class={chosen.size > 0 ? 'chip on' : 'chip'}>
        {title}
        {chosen.size > 0 && <b> {chosen.size === 1 ? [...chosen][0] : count(chosen.size)}</b>}
      </summary>
      <div class="menu-list panel">
        {listed.length > MANY && (
          <input
            type="search"
            placeholder={`Find a ${title.toLowerCase()}`}
            aria-label={`Find a ${title.toLowerCase()}`}
            value={wanted}
            onInput={event => setWanted(event.currentTarget.value)}
          />
        )}
        <ul aria-label={title}>
          {shown.map(({ value, count: n }) => (
            <li key={value}>
              <label>
                <input type="checkbox" checked={chosen.has(value)} onChange={() => toggle(value)} />
                <span class="value">{value === '' ? 'none' : value}</span>
                <span class="soft">{count(n)}</span>
              </label>
            </li>
          ))}
        </ul>
        {shown.length === 0 && <p class="soft">No value.</p>}
      </div>
    </details>
  )
}

function none(value: string): { value: string; count: number } {
  return { value, count: 0 }
}
