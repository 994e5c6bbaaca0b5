import type { FlowStep } from '../../base/records/finding.ts'
import type { Analysis } from './analysis.ts'
import type { CallSite } from './call-index.ts'
import type { Given } from './functions.ts'
import { type Input, listInputs, nameCallee } from './handovers.ts'
import type { FunctionForm, Span, Statement } from './ir.ts'
import type { Checks } from './outside-checks.ts'
import type { State } from './state.ts'
import { addStep, type Label, makeLabel, tracePath, UNKNOWN, unite, type Value } from './value.ts'

/** One way by which input comes out of a function of another file. Plain data. */
export interface Way {
  kind: string
  /** Classes of sink for which it is clean, as a label has them. */
  cleaned: string
  /** What comes out is no input itself, but input is asked of it (a request). */
  isCarrier?: true
  /** From the source to the end of the function, where it is read there. */
  steps: readonly FlowStep[]
}

/** What comes out of a function of another file; no way where it is known that no input does. */
export interface Outcome {
  ways: readonly Way[]
  /** The site that an address begins with which is put together there. */
  begins?: string
}

/** What is known of the functions of other files that a file calls. */
export interface Outside {
  /** What comes out of what a function is given at this place; undefined where that is not known. */
  pass(callee: string, at: { position: number; name?: string; isMade?: true }, input: Input): Outcome | undefined
  /** What a function's answer says of what it is given at this place. */
  check(callee: string, at: { position: number; name?: string }, input: Input): Checks | undefined
  /** What a function gives whatever it is given. */
  give(callee: string): Outcome | undefined
  /** Where input begins that was read in another file, by the places of calls: the way up to there. */
  begun: Map<string, readonly FlowStep[]>
}

/** Kinds of value that are no input: what becomes of them in another file is told as it always was. */
const NO_INPUT = 'random'

/**
 * What a call of a function of another file gives, where it is known what comes out of that function for everything that it is given; undefined
 * where that is not known, or code of this file is handed to it.
 */
export function evaluateOutside(
  { outside, module, knowledge }: Analysis,
  site: Omit<CallSite, 'receiverType'> & { receiverType: string | undefined },
  expression: Span,
  receiver: Value | undefined,
  given: readonly Given[],
  state: State,
): Value | undefined {
  const callee = outside && nameCallee(site, module.imports)
  if (!outside || callee === undefined) return undefined
  if (given.some(({ argument, value }) => argument.spread || value.closure)) return undefined
  const outcomes: { outcome: Outcome; label?: Label }[] = []
  const held = receiver && state.whole(receiver)
  for (const label of held?.labels ?? []) {
    // Of an object that was made of input it is known what its methods do with that, of any other not.
    const made = receiver!.madeOf?.find(({ flow }) => flow[0]?.start === label.origin.start)
    const outcome = made && outside.pass(callee, { ...made, isMade: true }, made.input)
    if (!outcome) return undefined
    outcomes.push({ outcome, label: { ...label, unsure: false } })
  }
  if (held?.carrier !== undefined) return undefined
  for (const [position, { argument, value }] of given.entries()) {
    const at = { position, ...(argument.name !== undefined && { name: argument.name }) }
    for (const { input, label } of listInputs(value, state)) {
      const isInput = input.kind !== NO_INPUT && !knowledge.objects.has(input.kind)
      const outcome = isInput ? outside.pass(callee, at, input) : undefined
      if (!outcome) return undefined
      outcomes.push({ outcome, ...(label && { label }) })
    }
  }
  const own = outside.give(callee)
  if (own) outcomes.push({ outcome: own })
  if (outcomes.length === 0) return undefined
  let out: Value = UNKNOWN
  for (const { outcome, label } of outcomes)
    for (const way of outcome.ways) out = addWay(out, way, label, site.method, expression, outside)
  const { begins } = outcomes.length === 1 ? outcomes[0]!.outcome : {}
  return begins !== undefined && out.labels.length > 0 ? { ...out, prefix: begins } : out
}

function addWay(
  value: Value,
  { kind, cleaned, isCarrier, steps }: Way,
  label: Label | undefined,
  method: string,
  { start, end }: Span,
  { begun }: Outside,
): Value {
  if (isCarrier) return { ...value, carrier: kind }
  const name = `returned by ${method}`
  if (label) {
    const { labels } = addStep({ labels: [{ ...label, cleaned }] }, { start, end }, name)
    return { ...value, labels: unite(value.labels, labels) }
  }
  begun.set(`${start}:${end}`, steps)
  return { ...value, labels: unite(value.labels, [{ ...makeLabel(kind, { start, end }, name), cleaned }]) }
}

/** How an address begins that is put together: its site and the slash after it, nothing of what may be a secret. */
const SITE = /^https?:\/\/[\w.-]+(?::\d+)?\//i

/** What a function returned, with ways by offsets in its file. */
export interface Returned {
  ways: (Omit<Way, 'steps'> & { flow: { start: number; end: number; label: string }[] })[]
  begins?: string
}

/**
 * What comes out of a function, by the value that it returned; undefined where that cannot be told: input went through code that cannot be seen, or
 * into an object, or the function hands code of its own to others and seems to return nothing of what it was given. `isOwn` tells the labels that
 * are asked about.
 */
export function readReturned(
  form: FunctionForm,
  value: Value,
  state: State,
  hasInner: boolean,
  isOwn: (label: Label) => boolean,
): Returned | undefined {
  if (value.closure || !givesBack(form.body())) return undefined
  if (value.refs && state.thing(value)?.kind !== 'text') return undefined
  const { labels: all, carrier, prefix } = state.whole(value)
  if (all.some(({ unsure }) => unsure)) return undefined
  const labels = all.filter(isOwn)
  if (labels.length === 0 && carrier !== undefined)
    return { ways: [{ kind: carrier, cleaned: ' ', isCarrier: true, flow: [] }] }
  if (labels.length === 0 && hasInner) return undefined
  const begins = SITE.exec(prefix ?? '')?.[0]
  return {
    ways: labels.map(label => ({ kind: label.kind, cleaned: label.cleaned, flow: tracePath(label) })),
    ...(begins !== undefined && { begins }),
  }
}

/** Whether statements return a value: the body of an interface or a function that is to be overridden returns none. */
function givesBack(statements: readonly Statement[]): boolean {
  return statements.some(statement => {
    switch (statement.kind) {
      case 'return':
        return statement.value !== undefined
      case 'if':
        return givesBack(statement.yes) || givesBack(statement.no)
      case 'while':
      case 'each':
      case 'block':
        return givesBack(statement.body)
      case 'switch':
        return statement.switch.cases.some(({ body }) => givesBack(body))
      case 'try':
        return [statement.body, ...statement.handlers.map(({ body }) => body), statement.finally].some(givesBack)
      default:
        return false
    }
  })
}
