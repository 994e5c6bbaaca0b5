import type { Library } from '../../../base/records/library.ts'
import type { TaintRule } from '../../../base/records/rule.ts'
import type { SinkSpec, TaintModel } from '../../../base/records/taint-model.ts'
import { deriveRequirement } from '../../../detect/file/requirement.ts'
import type { CompiledRule } from '../../../detect/rules/active-rules.ts'
import { followsInput } from '../../../detect/taint/runs.ts'
import { compileLibrary } from './compile.ts'

/** A library's kinds of sink with the rules that report them. */
type LibrarySink = NonNullable<Library['sinks']>[number]

/**
 * The rules with what libraries of the repository's own add: each taint rule of their languages knows them, and has their sinks of its class.
 * A rule that learns something is found by its own digest, so that no result of before is taken for one of now.
 */
export function teachRules(rules: readonly CompiledRule[], libraries: readonly Library[]): CompiledRule[] {
  if (libraries.length === 0) return [...rules]
  const compiled = libraries.map(library => ({ library, model: compileOwnLibrary(library) }))
  const lists = new Map<string, readonly TaintModel[]>()
  return rules.map(rule => {
    if (rule.type !== 'taint') return rule
    const fitting = compiled.filter(({ library }) => library.languages.some(name => rule.languages.includes(name)))
    if (fitting.length === 0) return rule
    const key = fitting.map(({ library }) => libraries.indexOf(library)).join(' ')
    const models = lists.get(key) ?? fitting.map(({ model }) => model)
    lists.set(key, models)
    const { number: _, digest: __, digests: ___, ...rest } = rule
    const sinks = fitting.flatMap(({ library }) => listSinksFor(rule, library))
    const taught: TaintRule & CompiledRule = {
      ...rest,
      when: widenWhen(rule.when, sinks),
      sinks: [...rule.sinks, ...sinks],
      libraries: models,
    }
    return { ...taught, requirement: deriveRequirement(taught) }
  })
}

/** What a file must match for the rule, or name one of these sinks; nothing where a sink has no name that it could be asked for. */
function widenWhen(when: string | undefined, sinks: readonly SinkSpec[]): string | undefined {
  if (when === undefined || sinks.length === 0) return when
  const names = sinks.flatMap(({ calls = [], writes = [], returned_by }) =>
    returned_by === undefined ? [...calls, ...writes] : [''],
  )
  const words = names.map(name => /(?<=^|[. ~])[\w$]+(?=(?:\[\])?=?$)/.exec(name)?.[0])
  if (words.some(word => word === undefined)) return undefined
  return `${when}|${[...new Set(words)].map(word => `\\b${word!.replaceAll('$', '\\$')}\\b`).join('|')}`
}

/** The library's sinks that the rule reports. */
export function listSinksFor(rule: TaintRule, { languages, sinks = [] }: Library): SinkSpec[] {
  if (!takesSinks(rule) || !languages.some(name => rule.languages.includes(name))) return []
  return sinks.filter(({ kind }) => kind === rule.class).map(toOwnSink)
}

/** Whether a rule reports sinks of libraries: not one about constants, values of unknown origin, objects in a state, or one construct alone. */
export function takesSinks(rule: TaintRule): boolean {
  return followsInput(rule) && rule.own_sinks_only !== true && rule.sources.length > 0 && rule.own_sources.length === 0
}

/** What a repository says of its own adds to what svc knows: a source, a move or a sink of its own takes nothing from a finding. */
function compileOwnLibrary(library: Library): TaintModel {
  const model = compileLibrary(library)
  return {
    ...model,
    sources: model.sources.map(source => ({ ...source, adds: true })),
    moves: (model.moves ?? []).map(move => ({ ...move, adds: true })),
  }
}

function toOwnSink({ kind: _, ...sink }: LibrarySink): SinkSpec {
  return { ...sink, adds: true }
}
