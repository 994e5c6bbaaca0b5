import type { TaintRule } from '../../base/records/rule.ts'
import type {
  CallMove,
  CleanerSpec,
  GuardSpec,
  MethodRole,
  SinkSpec,
  SourceSpec,
  TaintModel,
} from '../../base/records/taint-model.ts'
import { METHOD_ROLES, UNKNOWN_ORIGIN } from '../../base/records/taint-model.ts'
import { findSimpleTypes } from '../simple-types/languages.ts'
import { CallIndex } from './call-index.ts'
import { compileExpression } from './expression.ts'

/** Where a sink stands: expressions over the text around it. */
interface SinkContext {
  unlessFunction?: RegExp
  unlessFile?: RegExp
  unlessHead?: RegExp
  needsHead?: RegExp
  unlessFollowed?: RegExp
  unlessWithin?: RegExp
}

/** A sink of a rule; `rule` is its index in the rule set. */
export interface RuleSink {
  rule: number
  sinkClass: string
  /** Kinds of source that count; empty for a rule about fixed arguments. */
  kinds: ReadonlySet<string>
  /** Those of them that the configuration asks for. */
  asked: readonly string[]
  spec: SinkSpec
  /** It judges the state of an object. */
  isState: boolean
  receiver?: RegExp
  unlessPrefix?: RegExp
  returnedBy?: RegExp
  needsPrefix?: RegExp
  /** `needsPrefix` names a text that begins with a part of unknown origin. */
  seesLeading?: true
  resultType?: RegExp
  context?: SinkContext
  key?: RegExp
}

/** A source that a call is. */
export type CallSource = SourceSpec & { receiverExpression?: RegExp }

/** Sources by what they are in code, and what calls move. */
export interface SourceIndex {
  moves: CallIndex<CallMove>
  sources: CallIndex<CallSource>
  members: Map<string, { owner: string; source: SourceSpec; receiver?: RegExp }[]>
  parameters: { source: SourceSpec; spec: NonNullable<SourceSpec['parameters']>[number] }[]
}

/** The model of a language and the sinks of all active rules, indexed by name. Built once a language. */
export interface Knowledge extends SourceIndex {
  model: TaintModel
  /** What a repository's own libraries call a source or a move. It comes on top of what is known of the code, and hides none of it. */
  added: SourceIndex
  cleaners: CallIndex<CleanerSpec>
  guards: CallIndex<GuardSpec>
  passes: CallIndex<true>
  unseenPasses?: RegExp
  unseenLookUps?: RegExp
  decodes: CallIndex<true>
  /** Names of methods by what they do. */
  methods: Readonly<Record<MethodRole, ReadonlySet<string>>>
  opaque: CallIndex<true>
  ends: CallIndex<true>
  views: CallIndex<readonly string[]>
  lateSettings: Map<string, { key?: RegExp; setting: string }[]>
  returns: CallIndex<string>
  stands: CallIndex<string>
  settings: CallIndex<TaintModel['settings'][number]>
  sinks: CallIndex<RuleSink>
  writes: Map<string, { owner: string; sink: RuleSink }[]>
  returned: RuleSink[]
  plainTypes: ReadonlySet<string>
  /** Types that only hold another one. */
  wrappers: ReadonlySet<string>
  /** Calls whose result is of a simple type, by an expression over their names. */
  simpleResults?: RegExp
  /** Kinds of source that are objects in a state. */
  objects: Set<string>
  /** Where rules are followed that ask for values of unknown origin: names of a program's own text, and the types of text. */
  unknown?: { ownText: readonly { text: RegExp; classes?: readonly string[] }[]; texts: ReadonlySet<string> }
}

/** `rules` with their indexes in the rule set. */
export function buildKnowledge(model: TaintModel, rules: readonly { index: number; rule: TaintRule }[]): Knowledge {
  const index = <T>(): CallIndex<T> => new CallIndex<T>(model.simpleTypes, model.foldsNames)
  const simple = findSimpleTypes(model.languages[0]!)
  const knowledge: Knowledge = {
    model,
    ...(model.unseenPasses !== undefined && { unseenPasses: compileExpression(model.unseenPasses) }),
    ...(model.unseenLookUps !== undefined && { unseenLookUps: compileExpression(model.unseenLookUps) }),
    decodes: index(),
    sources: index(),
    members: new Map(),
    parameters: [],
    added: { moves: index(), sources: index(), members: new Map(), parameters: [] },
    cleaners: index(),
    guards: index(),
    passes: index(),
    moves: index(),
    methods: Object.fromEntries(
      METHOD_ROLES.map(role => [role, new Set(model.methods?.[role])]),
    ) as unknown as Knowledge['methods'],
    opaque: index(),
    ends: index(),
    views: index(),
    lateSettings: new Map(),
    returns: index(),
    stands: index(),
    settings: index(),
    sinks: index(),
    writes: new Map(),
    returned: [],
    wrappers: new Set(model.wrappers),
    plainTypes: new Set([...model.plainTypes, ...(simple?.types ?? [])]),
    ...(simple && { simpleResults: new RegExp(simple.results) }),
    objects: new Set(),
  }
  const followed = new Set(rules.flatMap(({ rule }) => rule.sources))
  if (followed.has(UNKNOWN_ORIGIN))
    knowledge.unknown = {
      ownText: (model.ownText ?? []).map(own => ({ ...own, text: compileExpression(own.text) })),
      texts: new Set(simple?.texts),
    }
  for (const source of model.sources) if (!source.asked || followed.has(source.kind)) addSource(knowledge, source)
  for (const spec of model.cleaners) for (const name of spec.calls) knowledge.cleaners.add(name, spec)
  for (const spec of model.guards) for (const name of spec.calls) knowledge.guards.add(name, spec)
  for (const name of model.passes) knowledge.passes.add(name, true)
  for (const move of model.moves ?? [])
    for (const name of move.calls) (move.adds ? knowledge.added : knowledge).moves.add(name, move)
  for (const name of model.decodes?.calls ?? []) knowledge.decodes.add(name, true)
  for (const name of model.ends) knowledge.ends.add(name, true)
  for (const name of model.opaque) knowledge.opaque.add(name, true)
  for (const [name, type] of Object.entries(model.returns)) knowledge.returns.add(name, type)
  for (const [name, text] of Object.entries(model.stands ?? {})) knowledge.stands.add(name, text)
  for (const spec of model.settings) for (const name of spec.calls) knowledge.settings.add(name, spec)
  for (const { calls, cleans } of model.views ?? []) for (const name of calls) knowledge.views.add(name, cleans)
  for (const { writes, key, setting } of model.lateSettings ?? [])
    for (const member of writes)
      push(knowledge.lateSettings, split(member).name, {
        setting,
        ...(key !== undefined && { key: compileExpression(key) }),
      })
  for (const { index: at, rule } of rules) {
    // What is a source to one rule hides nothing from the others. An object whose state is judged is another value.
    for (const { kind = 'own', ...source } of rule.own_sources)
      addSource(knowledge, { ...source, kind, ...(!source.object && { adds: true }) })
    for (const spec of rule.cleaners) {
      // A rule's own cleaner cleans for the rule's class only.
      for (const name of spec.calls) knowledge.cleaners.add(name, { ...spec, calls: [name], cleans: [rule.class] })
    }
    for (const spec of rule.sinks) addSink(knowledge, at, rule, spec)
  }
  return knowledge
}

function addSource(knowledge: Knowledge, source: SourceSpec): void {
  if (source.object) knowledge.objects.add(source.kind)
  const index = source.adds ? knowledge.added : knowledge
  const receiver = source.receiver === undefined ? undefined : compileExpression(source.receiver)
  for (const name of source.calls ?? [])
    index.sources.add(name, receiver ? { ...source, receiverExpression: receiver } : source)
  for (const member of source.members ?? []) {
    const { owner, name } = split(member)
    push(index.members, name, receiver ? { owner, source, receiver } : { owner, source })
  }
  for (const spec of source.parameters ?? []) index.parameters.push({ source, spec })
}

function addSink(knowledge: Knowledge, at: number, rule: TaintRule, spec: SinkSpec): void {
  // Whatever is input is of unknown origin, too.
  const others = knowledge.unknown
    ? knowledge.model.sources.flatMap(source => (isForeign(source) ? source.kind : []))
    : []
  const all = [...rule.sources, ...others, ...rule.own_sources.map(({ kind }) => kind ?? 'own')]
  const asked = rule.asked_sources ?? []
  const kinds = new Set(spec.from ? all.filter(kind => spec.from!.includes(kind) || asked.includes(kind)) : all)
  const isState = rule.own_sources.some(({ object }) => object)
  const sink: RuleSink = { rule: at, sinkClass: rule.class, kinds, asked, spec, isState }
  if (spec.receiver !== undefined) sink.receiver = compileExpression(spec.receiver)
  if (spec.unless_prefix !== undefined) sink.unlessPrefix = compileExpression(spec.unless_prefix)
  if (spec.needs_prefix !== undefined) {
    sink.needsPrefix = compileExpression(spec.needs_prefix)
    if (spec.needs_prefix.includes('\\uFFF8')) sink.seesLeading = true
  }
  if (spec.key !== undefined) sink.key = compileExpression(spec.key)
  if (spec.result_type !== undefined) sink.resultType = compileExpression(spec.result_type)
  const context: SinkContext = {
    ...(spec.unless_function !== undefined && { unlessFunction: compileExpression(spec.unless_function) }),
    ...(spec.unless_file !== undefined && { unlessFile: compileExpression(spec.unless_file) }),
    ...(spec.unless_head !== undefined && { unlessHead: compileExpression(spec.unless_head) }),
    ...(spec.needs_head !== undefined && { needsHead: compileExpression(spec.needs_head) }),
    ...(spec.unless_followed !== undefined && { unlessFollowed: compileExpression(spec.unless_followed) }),
    ...(spec.unless_within !== undefined && { unlessWithin: compileExpression(spec.unless_within) }),
  }
  if (Object.keys(context).length > 0) sink.context = context
  for (const name of spec.calls ?? []) knowledge.sinks.add(name, sink)
  for (const member of spec.writes ?? []) {
    const { owner, name } = split(member)
    push(knowledge.writes, name, { owner, sink })
  }
  if (spec.returned_by !== undefined) {
    sink.returnedBy = compileExpression(spec.returned_by)
    knowledge.returned.push(sink)
  }
}

/** Whether a source gives text of somebody who is not the one that runs the program. */
function isForeign({ kind, object }: SourceSpec): boolean {
  return !object && kind !== 'random' && kind !== 'environment'
}

function split(member: string): { owner: string; name: string } {
  const dot = member.lastIndexOf('.')
  return { owner: member.slice(0, Math.max(0, dot)), name: member.slice(dot + 1) }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}
