import { proveOwnLibraries } from '../libraries/own.ts'
import { checkLibrary } from '../libraries/read.ts'
import { loadBuiltinPacks } from '../load.ts'
import type { DraftLibrary, LeftOut, LibraryPart } from './draft.ts'

/** Rounds in which entries are left out: of the kinds that no rule reports, then of the examples that fail. */
const MOST_ROUNDS = 4

/** The library of those entries whose examples hold; the others are added to `left_out`. Undefined where none does. */
export function keepProven(draft: DraftLibrary, left_out: LeftOut[]): Record<string, unknown> | undefined {
  let parts = draft.parts ?? []
  for (let round = 0; round < MOST_ROUNDS && parts.length > 0; round++) {
    const data = assemble(draft.data, parts)
    const library = checkLibrary(data, draft.file, draft.place)
    const faults = proveOwnLibraries([{ file: draft.file, library }], loadBuiltinPacks())
    if (faults.length === 0) return data
    const messages = faults.map(({ message }) => message)
    const failing = new Map<LibraryPart, string>()
    for (const part of parts) {
      const reason = findReason(part, messages)
      if (reason !== undefined) failing.set(part, reason)
    }
    // What names no entry is about all of them: that svc knows them already, or that the budget is spent.
    if (failing.size === 0) for (const part of parts) failing.set(part, messages[0]!)
    for (const [{ id, place }, reason] of failing) left_out.push({ id, reason, place })
    parts = parts.filter(part => !failing.has(part))
  }
  return undefined
}

function assemble(head: Record<string, unknown>, parts: readonly LibraryPart[]): Record<string, unknown> {
  const lists = new Map<string, unknown[]>()
  for (const { key, data } of parts) lists.set(key, [...(lists.get(key) ?? []), data])
  return {
    ...head,
    ...Object.fromEntries(lists),
    match: parts.flatMap(({ match }) => match),
    clean: parts.flatMap(({ clean }) => clean),
  }
}

/** Why an entry is left out, where a fault is about it. */
function findReason({ key, data, match, clean }: LibraryPart, messages: readonly string[]): string | undefined {
  const kind = key === 'sinks' ? (data as { kind: string }).kind : undefined
  const unknown = messages.find(
    message => kind !== undefined && message.includes(` reports sinks of the kind ${kind};`),
  )
  if (unknown !== undefined) return unknown.slice(0, unknown.indexOf(';'))
  const codes = [...match, ...clean].map(code => JSON.stringify(code))
  return messages.some(message => codes.some(code => message.endsWith(code)))
    ? 'an example that was made of it does not hold'
    : undefined
}
