import type { Analysis, Frame } from './analysis.ts'
import { allHold } from './arguments.ts'
import { findText } from './fold.ts'
import type { Expression, Span } from './ir.ts'
import type { RuleSink } from './knowledge.ts'
import { findPath } from './names.ts'
import { placeAllows, reach, SETTING, settingsAllow } from './sinks.ts'
import { getLastPart, isImported } from './sources.ts'
import type { State } from './state.ts'
import type { Value } from './value.ts'
import { readWritten } from './written.ts'

/** The owner of sinks that are entries of a map or object where it is written: `writes: [the map.filter]`. No program can have such a name. */
const MAP = 'the map'

/** Reports what is written to a member or element that is a sink. To its conditions, what is written is the argument 0. */
export function checkWrite(
  a: Analysis,
  f: Frame,
  target: Expression & { kind: 'member' | 'index' },
  value: Value,
  state: State,
  { index, from }: { index?: Value; from?: Expression } = {},
): void {
  const object = target.object
  const base = target.kind === 'member' ? target : object
  const path = findPath(a, f, base, state)
  const last =
    path === undefined
      ? base.kind === 'member'
        ? base.name
        : base.kind === 'name'
          ? base.name
          : undefined
      : getLastPart(path)
  if (last === undefined) return
  const name = target.kind === 'member' ? last : `${last}[]`
  const key = findText(index?.constant)
  keepLateSetting(a, f, name, key, target, value, state)
  for (const { owner, sink } of a.knowledge.writes.get(name) ?? []) {
    const given = path === undefined ? undefined : path.slice(0, Math.max(0, path.length - last.length - 1))
    if (owner !== '*' && given !== owner) continue
    if (sink.receiver && !sink.receiver.test(readWritten(a.text, object))) continue
    if (sink.key && !(key !== undefined && sink.key.test(key))) continue
    const span = { start: target.start, end: target.end }
    if (!allows(a, f, sink, span, { value, from: from ?? target }, state)) continue
    if (!reach(a, sink, span, value, state) && index && sink.spec.arguments?.includes('key'))
      reach(a, sink, span, index, state)
  }
}

/** Reports what is written as an entry of a map or object that is a sink. To its conditions, the value is the argument 0. */
export function checkEntry(a: Analysis, f: Frame, name: string, from: Expression, value: Value, state: State): void {
  for (const { owner, sink } of a.knowledge.writes.get(name) ?? []) {
    if (owner !== MAP || !allows(a, f, sink, from, { value, from }, state)) continue
    reach(a, sink, { start: from.start, end: from.end }, value, state)
  }
}

function allows(
  a: Analysis,
  f: Frame,
  sink: RuleSink,
  span: Span,
  { value, from }: { value: Value; from: Expression },
  state: State,
): boolean {
  if (!settingsAllow(sink, state) || !isImported(a, sink.spec.needs_import) || !placeAllows(a, f, sink, span))
    return false
  return allHold(a, sink.spec.when ?? [], [{ argument: { value: from }, value }], state)
}

/** Keeps a setting that an assignment makes, and takes back what it shows to be harmless: a page is made before its type is set. */
function keepLateSetting(
  a: Analysis,
  f: Frame,
  name: string,
  key: string | undefined,
  at: Span,
  value: Value,
  state: State,
): void {
  for (const { key: wanted, setting } of a.knowledge.lateSettings.get(name) ?? []) {
    if (wanted && !(key !== undefined && wanted.test(key))) continue
    state.variables.set(SETTING + setting, value)
    for (const [id, sink] of a.revocable) {
      const hit = a.hits.get(id)
      if (!hit || hit.start > at.start || hit.start < (f.function?.start ?? 0) || settingsAllow(sink, state)) continue
      a.hits.delete(id)
    }
  }
}
