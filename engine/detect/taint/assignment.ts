import { forgetAliases } from './aliases.ts'
import { type Analysis, countStep, evaluate, type Frame } from './analysis.ts'
import { allHold } from './arguments.ts'
import { forgetChecked } from './checked.ts'
import { allocate, findElement, readElement, writeElement } from './elements.ts'
import { makeObject, writeField } from './fields.ts'
import { foldBinary } from './fold.ts'
import { clean } from './guards.ts'
import type { Argument, Expression } from './ir.ts'
import { findField, setType } from './names.ts'
import { addSources, findTypedSource, listAddedTypedSources, makeSourceValue } from './sources.ts'
import { readAnyElement, type State } from './state.ts'
import { addStep, join, UNKNOWN, type Value } from './value.ts'
import { readWritten } from './written.ts'
import { checkWrite } from './written-sinks.ts'

export function evaluateAssignment(
  a: Analysis,
  f: Frame,
  expression: Expression & { kind: 'assign' },
  state: State,
): Value {
  const given = evaluate(a, f, expression.value, state)
  let value = given
  if (expression.operator) {
    const before = evaluate(a, f, expression.target, state)
    const thing = state.thing(before)
    if (thing?.kind === 'list' && expression.operator === '+') {
      const more = state.thing(given)
      state.change(before, old =>
        old.kind !== 'list'
          ? old
          : more?.kind === 'list' && !old.rest && !more.rest
            ? { kind: 'list', items: [...old.items, ...more.items] }
            : { kind: 'list', items: [], rest: join(readAnyElement(old), readElement(given, state)) },
      )
      value = before
    } else value = foldBinary(expression.operator, state.whole(before), state.whole(given))
  }
  const { type, declares = false } = expression
  assign(a, f, expression.target, value, state, {
    from: expression.value,
    declares,
    ...(type !== undefined && { type }),
  })
  return value
}

/** Writes a value to what stands on the left; patterns take it apart. `from` is the expression that the value is of, where there is one. */
export function assign(
  a: Analysis,
  f: Frame,
  target: Expression,
  value: Value,
  state: State,
  { type, declares = false, from }: { type?: string; declares?: boolean; from?: Expression } = {},
): void {
  countStep(a)
  switch (target.kind) {
    case 'name': {
      forgetChecked(a, target, state)
      forgetAliases(a, target.name, state)
      const held = type === undefined ? value : setType(a, value, type)
      if (!declares && !state.variables.has(target.name)) {
        const field = findField(a, f, target.name)
        if (field) {
          writeField(a, f, f.self, target.name, addStep(held, target, `assigned to ${target.name}`), state, field.owner)
          return
        }
      }
      state.variables.set(target.name, addStep(held, target, `assigned to ${target.name}`))
      return
    }
    case 'member': {
      forgetChecked(a, target, state)
      settle(a, f, target, value, from ?? target, state)
      const object = evaluate(a, f, target.object, state)
      checkWrite(a, f, target, value, state, { ...(from && { from }) })
      const owner = target.object.kind === 'this' ? f.owner : undefined
      writeField(
        a,
        f,
        makeObject(a, target.object, object, state),
        target.name,
        addStep(value, target, `assigned to ${target.name}`),
        state,
        owner,
      )
      return
    }
    case 'index': {
      const object = evaluate(a, f, target.object, state)
      const index = target.index ? evaluate(a, f, target.index, state) : undefined
      forgetChecked(a, target, state)
      checkWrite(a, f, target, value, state, { ...(index && { index }), ...(from && { from }) })
      writeElement(a, target.object, object, index?.constant, addStep(value, target, 'assigned to an element'), state)
      return
    }
    case 'list':
      takeApart(a, f, target, value, state, declares)
      return
    case 'map':
      for (const { key, value: inner } of target.entries) {
        const name = key?.kind === 'literal' ? key.value : key?.kind === 'name' ? key.name : undefined
        const source = name === undefined ? undefined : findTypedSource(a, String(name), value.type)
        const held = source
          ? makeSourceValue(source, inner)
          : name === undefined
            ? undefined
            : findElement(value, name, state)
        const added = name === undefined ? [] : listAddedTypedSources(a, String(name), value.type)
        assign(a, f, inner, addSources(held ?? readElement(value, state), added, inner), state, { declares })
      }
      return
    case 'assign': {
      // A default within a pattern.
      const fallback = evaluate(a, f, target.value, state)
      assign(a, f, target.target, join(value, fallback), state, { declares })
      return
    }
    default:
      evaluate(a, f, target, state)
  }
}

/** A member that is set may make the object what it should be (`cookie.Secure = true`). */
function settle(
  a: Analysis,
  f: Frame,
  { object, name }: Expression & { kind: 'member' },
  value: Value,
  from: Expression,
  state: State,
): void {
  const receiver = readWritten(a.text, object)
  const argument: Argument = { value: from }
  const site = { method: `${name}=`, receiver, isNew: false }
  for (const { receiver: isKept, cleans, when = [] } of a.knowledge.cleaners.find(site))
    if (isKept && allHold(a, when, [{ argument, value }], state)) clean(a, f, object, cleans, state)
}

function takeApart(
  a: Analysis,
  f: Frame,
  { items }: Expression & { kind: 'list' },
  value: Value,
  state: State,
  declares: boolean,
): void {
  const thing = state.thing(value)
  const isExact =
    thing?.kind === 'list' && !thing.rest && value.labels.length === 0 && items.every(({ spread }) => !spread)
  items.forEach(({ value: target, spread }, at) => {
    const held = isExact ? (thing.items[at] ?? UNKNOWN) : readElement(value, state)
    assign(a, f, target, spread ? allocate(a, state, { kind: 'list', items: [], rest: held }) : held, state, {
      declares,
    })
  })
}
