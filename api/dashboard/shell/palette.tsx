import { signal } from '@preact/signals'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { findRefusal } from '../components/write-button.tsx'
import { PAGES } from './registry.ts'
import { go } from './route.ts'
import { startScan } from './scanning.tsx'

/** What the palette can do. */
interface Command {
  name: string
  group: string
  /** Why it cannot be done. */
  refusal?: string
  run(): void
}

/** Commands that are drawn. */
const DRAWN = 40

const open = signal(false)

/** Opens the command palette. */
export function openPalette(): void {
  open.value = true
}

/** Pages, the scan, and a search through the findings for what was typed. */
function listCommands(wanted: string): Command[] {
  const pages = Object.entries(PAGES)
    .filter(([, { hidden }]) => !hidden)
    .map(([name, { title, group }]) => ({ name: title, group, run: () => go(name) }))
  const all: Command[] = [
    ...pages,
    { name: 'Scan now', group: 'Action', refusal: findRefusal(), run: () => void startScan() },
  ]
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = all.filter(({ name, group }) => words.every(word => `${name} ${group}`.toLowerCase().includes(word)))
  if (wanted.trim() === '') return matching.slice(0, DRAWN)
  const search = wanted.trim()
  return [
    ...matching.slice(0, DRAWN),
    { name: `Search findings for “${search}”`, group: 'Findings', run: () => go('findings', { search }) },
  ]
}

/** The command palette: a dialog with a field and a list (the combobox pattern of the ARIA Authoring Practices Guide). */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [wanted, setWanted] = useState('')
  const [at, setAt] = useState(0)
  const list = useId()
  const commands = listCommands(wanted)
  // Before the next key is pressed: what is typed at once must not be lost.
  useLayoutEffect(() => {
    if (open.value) dialog.current!.showModal()
  }, [open.value])
  const close = () => {
    open.value = false
    setWanted('')
    setAt(0)
  }
  const run = (command: Command | undefined) => {
    if (!command || command.refusal) return
    dialog.current!.close()
    command.run()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(commands.length - 1, at + 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1))
    else if (event.key === 'Enter') run(commands[at])
    else return
    event.preventDefault()
  }
  return (
    <dialog ref={dialog} class="palette" aria-label="Commands" onClose={close}>
      {open.value && (
        <>
          <input
            type="text"
            role="combobox"
            aria-expanded="true"
            aria-controls={list}
            aria-activedescendant={commands[at] && `${list}-${at}`}
            aria-label="Page or command"
            placeholder="Page, command or words of a finding"
            value={wanted}
            onInput={event => {
              setWanted(event.currentTarget.value)
              setAt(0)
            }}
            onKeyDown={press}
          />
          <ul id={list} role="listbox" aria-label="Commands">
            {commands.map((command, index) => (
              <li
                key={`${command.group} ${command.name}`}
                id={`${list}-${index}`}
                role="option"
                aria-selected={index === at}
                aria-disabled={command.refusal ? 'true' : undefined}
                onClick={() => run(command)}
              >
                <span>{command.name}</span> <span class="soft">{command.refusal ?? command.group}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </dialog>
  )
}
