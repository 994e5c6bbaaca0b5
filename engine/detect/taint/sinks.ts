import type { Analysis, Frame, Hit } from './analysis.ts'
import { allHold, evaluateArgument, SHELL, selectValues } from './arguments.ts'
import type { CallSite } from './call-index.ts'
import { compileExpression } from './expression.ts'
import { findText, LEADING, readBeginning } from './fold.ts'
import type { Argument, Expression, FunctionForm, Span } from './ir.ts'
import type { RuleSink } from './knowledge.ts'
import { nameRequestPart, REQUEST_DATA } from './request-part.ts'
import { isImported, listDecorators } from './sources.ts'
import type { State } from './state.ts'
import { isClean, isEnded, type Label, nameEnded, tracePath, UNKNOWN, type Value } from './value.ts'

/** Names under which settings are kept among the variables; no program can have such a variable. */
export const SETTING = '#'

/** Class of sinks whose judged argument is the pattern of a search: what the call gives is made of its other arguments. */
const PATTERN = 'regex'

/** What a call is to the rules. */
interface Checked {
  /** What it gives back is not what went in. A fact about the call: it holds for every rule. */
  isSink: boolean
  /** Rules whose sink something reached, as marks of `ended`. */
  fired: string[]
  /** Arguments that are the pattern of a search, of which nothing comes out. */
  patterns: ReadonlySet<Value>
}

/** Reports what reaches the sinks that a call is. */
export function checkCall(
  a: Analysis,
  f: Frame,
  site: CallSite,
  span: Span,
  receiver: Value | undefined,
  args: readonly { argument: Argument; value: Value }[],
  state: State,
): Checked {
  const fired: string[] = []
  const patterns = new Set<Value>()
  let isSink = false
  for (const sink of a.knowledge.sinks.find(isOwn(a, site) ? { ...site, path: '' } : site)) {
    if (sink.receiver && !(site.receiver !== undefined && sink.receiver.test(site.receiver))) continue
    if (!settingsAllow(sink, state) || !isImported(a, sink.spec.needs_import) || !placeAllows(a, f, sink, span))
      continue
    if (!allHold(a, sink.spec.when ?? [], args, state)) continue
    const values = selectValues(sink, receiver, args, state)
    // What judges the state of an object says nothing of what the call gives; and a method of a common name is another one where
    // its argument does not begin as it must (`get` of a map, and of a database). A sink of a repository's own library reports, and hides
    // nothing of what the call gives.
    if (!sink.spec.adds) {
      if (sink.sinkClass === PATTERN && !makesPattern(site)) for (const value of values) patterns.add(value)
      else if (!sink.isState && (!sink.needsPrefix || values.some(value => begins(sink, state.whole(value)))))
        isSink = true
    }
    if (sink.kinds.size === 0) {
      report(a, sink, span)
      continue
    }
    for (const value of values) {
      if (!reach(a, sink, span, value, state, site)) continue
      fired.push(nameEnded(sink.rule))
      break
    }
  }
  return { isSink, fired, patterns }
}

/** Calls that give a compiled expression, and no text. */
function makesPattern({ isNew, method }: CallSite): boolean {
  return isNew || /^(?:compile|RegExp|Regexp|toRegex|toPattern)$/.test(method)
}

/** A function of the file under the name of a library's. */
function isOwn({ functions }: Analysis, { path, receiver, isNew }: CallSite): boolean {
  return path !== undefined && receiver === undefined && !isNew && functions.has(path)
}

/** Reports what a function returns to a framework that makes an answer of it. */
export function checkReturn(a: Analysis, f: Frame, expression: Expression, value: Value, state: State): void {
  if (!f.function || a.knowledge.returned.length === 0) return
  const names = listDecorators(f.function, a.classes)
  for (const sink of a.knowledge.returned) {
    if (
      !names.some(name => sink.returnedBy!.test(name)) ||
      !settingsAllow(sink, state) ||
      !isImported(a, sink.spec.needs_import)
    )
      continue
    if (!placeAllows(a, f, sink, expression)) continue
    if (sink.resultType && !sink.resultType.test(f.function.returnType ?? '')) continue
    const thing = state.thing(value)
    // A map is sent as JSON; of a tuple the first part is the text.
    if (thing && thing.kind !== 'list' && thing.kind !== 'text') continue
    const text = thing?.kind === 'list' && !thing.rest && thing.items.length > 0 ? thing.items[0]! : value
    if (thing?.kind === 'list' && expression.kind === 'list' && a.text[expression.start] === '[') continue
    reach(a, sink, expression, text, state)
  }
}

/** Keeps a setting that a call makes. */
export function keepSetting(
  a: Analysis,
  site: CallSite,
  args: readonly { argument: Argument; value: Value }[],
  state: State,
): void {
  for (const { setting, argument, when = [] } of a.knowledge.settings.find(site)) {
    if (!allHold(a, when, args, state)) continue
    const value = evaluateArgument(args, argument, state)
    if (value) state.variables.set(SETTING + setting, value)
  }
}

/** What follows a call is looked at no further than this. */
const AFTER = 60

/** Whether the sink does harm where it stands. */
export function placeAllows(a: Analysis, f: Frame, { context }: RuleSink, { start, end }: Span): boolean {
  if (!context) return true
  const { unlessFunction, unlessFile, unlessHead, needsHead, unlessFollowed, unlessWithin } = context
  if (unlessFollowed?.test(a.text.slice(end, end + AFTER))) return false
  const form = f.function
  if (unlessFile && matchesOnce(a, unlessFile, () => a.text)) return false
  if (form && unlessFunction && matchesOnce(form, unlessFunction, () => a.text.slice(form.start, form.end)))
    return false
  if (unlessWithin && isWithinCall(a.text, start, unlessWithin)) return false
  if (!unlessHead && !needsHead) return true
  const head = form ? headOf(a, form) : ''
  return !unlessHead?.test(head) && (needsHead?.test(head) ?? true)
}

const matched = new WeakMap<object, Map<RegExp, boolean>>()

/** Whether the text of a file or function matches an expression, which is asked once and not at each call. */
function matchesOnce(owner: object, expression: RegExp, readText: () => string): boolean {
  const known = matched.get(owner) ?? new Map<RegExp, boolean>()
  matched.set(owner, known)
  const found = known.get(expression) ?? expression.test(readText())
  known.set(expression, found)
  return found
}

/** How far before a sink the calls that it is an argument of are searched, and how much of each is compared. */
const WITHIN = 8000
const OPENING = 60

/** Whether the code stands within the parentheses of a call that matches: its name from the dot on, and how its arguments begin. */
function isWithinCall(text: string, at: number, call: RegExp): boolean {
  let closed = 0
  for (let i = at - 1; i >= 0 && at - i < WITHIN; i--) {
    const char = text[i]
    if (char === ')') closed++
    else if (char === '(' && closed > 0) closed--
    else if (char === '(') {
      const name = /\.?\w{1,40}$/.exec(text.slice(Math.max(0, i - 41), i))?.[0] ?? ''
      if (call.test(name + text.slice(i, i + OPENING))) return true
    }
  }
  return false
}

/** Annotations and signature of a function, after the annotations of its class. */
function headOf({ text, classes }: Analysis, form: FunctionForm): string {
  const owner = form.owner === undefined ? undefined : classes.get(form.owner)
  const { start, end, parameters } = form
  const own = text.slice(start, parameters[0]?.start ?? end)
  // The class's own name comes after its annotations.
  const outer = owner
    ? text.slice(owner.start, owner.methods[0]?.start).split(/\b(?:class|interface|record)\b/, 1)[0]
    : ''
  return `${outer}\n${own}`
}

/** Whether no setting that is known here makes the sink harmless. */
export function settingsAllow({ spec }: RuleSink, state: State): boolean {
  for (const [setting, expression] of Object.entries(spec.unless_setting ?? {})) {
    const value = state.variables.get(SETTING + setting)
    const known = findText(value?.constant) ?? value?.prefix
    if (known !== undefined && compileExpression(expression).test(known)) return false
  }
  return true
}

/** Reports the value at the sink if it does harm there; false if it does none. */
export function reach(a: Analysis, sink: RuleSink, span: Span, value: Value, state: State, site?: CallSite): boolean {
  const judged = dangerous(sink, value, state)
  if (!judged) return false
  if (!begins(sink, judged)) return false
  const prefix = readBeginning(judged.prefix, sink.sinkClass)
  if (sink.unlessPrefix && prefix !== undefined && sink.unlessPrefix.test(prefix)) return false
  let best: Label | undefined
  for (const label of judged.labels) {
    if (!sink.kinds.has(label.kind) || isClean(label, sink.sinkClass) || isEnded(label, sink.rule)) continue
    if (sink.isState && isSetSomewhere(sink, label, judged.labels)) continue
    if (!best || isSurer(sink, label, best)) best = label
  }
  if (!best) return false
  report(a, sink, span, best, site?.method)
  return true
}

/** Whether one input says more than another: of a kind that the rule follows by itself, or seen on all of its way. */
function isSurer(
  { asked }: RuleSink,
  a: { kind?: string; unsure: boolean },
  b: { kind?: string; unsure: boolean },
): boolean {
  const [isAsked, isOtherAsked] = [a, b].map(({ kind }) => kind !== undefined && asked.includes(kind))
  return isAsked === isOtherAsked ? b.unsure && !a.unsure : isOtherAsked!
}

/** Whether the same object is safe on another way here: what a setting decides by name was thought of. */
function isSetSomewhere({ sinkClass }: RuleSink, { origin }: Label, all: readonly Label[]): boolean {
  return all.some(other => other.origin.start === origin.start && isClean(other, sinkClass))
}

/** Whether a text begins as it must for the sink, on one of the ways on which a value that does harm is in it. */
function begins(sink: RuleSink, { prefix, beginnings = [], labels }: Value): boolean {
  const { needsPrefix, seesLeading, sinkClass, kinds } = sink
  if (!needsPrefix) return true
  const fits = (prefix: string | undefined) =>
    needsPrefix.test((seesLeading && prefix?.startsWith(LEADING) ? prefix : readBeginning(prefix, sinkClass)) ?? '')
  if (fits(prefix)) return true
  const harmful = labels.filter(label => kinds.has(label.kind) && !isClean(label, sinkClass))
  return beginnings.some(
    way =>
      fits(way.prefix) &&
      way.labels.some(
        label =>
          !isClean(label, sinkClass) &&
          harmful.some(({ kind, origin }) => kind === label.kind && origin.start === label.origin.start),
      ),
  )
}

/** Whether a value is a list or an object, whichever of several it is, and not a text in some case. */
function isNoText({ labels, refs }: Value, state: State): boolean {
  return labels.length === 0 && !!refs?.every(ref => (state.things.get(ref)?.kind ?? 'text') !== 'text')
}

/** The part of a value that does harm in the sink. */
function dangerous({ spec }: RuleSink, value: Value, state: State): Value | undefined {
  const thing = state.thing(value)
  if (spec.form === 'text' && isNoText(value, state)) return undefined
  if (thing?.kind !== 'list' || spec.form !== 'command') return state.whole(value)
  const [program] = thing.items
  // The arguments of a program that is known, and no shell, start nothing else.
  if (!thing.rest && program) {
    const name = findText(state.whole(program).constant)
    if (name !== undefined && !SHELL.test(name)) return undefined
  }
  // A command in parts begins with its program.
  const { prefix } = program ? state.whole(program) : UNKNOWN
  return prefix === undefined ? state.whole(value) : { ...state.whole(value), prefix }
}

function report(a: Analysis, sink: RuleSink, { start, end }: Span, label?: Label, method?: string): void {
  const key = `${sink.rule}:${start}:${end}`
  const before = a.hits.get(key)
  if (before && !(label && isSurer(sink, label, before))) return
  const flow: Hit['flow'] = label
    ? [...traceFlow(a, label), { start, end, label: method ? `reaches the sink ${method}` : 'used here' }]
    : []
  if (sink.spec.unless_setting) a.revocable.set(key, sink)
  a.hits.set(key, {
    rule: sink.rule,
    start,
    end,
    flow,
    unsure: label?.unsure ?? false,
    ...(label && { kind: label.kind }),
  })
}

/** The path of a value, whose source says which part of a request it is where the code shows it. */
function traceFlow({ text }: Analysis, label: Label): Hit['flow'] {
  const [source, ...steps] = tracePath(label)
  if (source?.label !== REQUEST_DATA) return source ? [source, ...steps] : []
  return [{ ...source, label: nameRequestPart(text.slice(source.start, source.end)) }, ...steps]
}
