import type { SgNode } from '@ast-grep/napi'
import type { TaintRule } from '../../base/records/rule.ts'
import type { ActiveRules } from '../rules/active-rules.ts'
import { SEVERE } from '../rules/detector.ts'
import type { RawMatch } from '../rules/match.ts'
import type { Analysis } from './analysis.ts'
import { allocate } from './elements.ts'
import { analyzeFile, type Budget } from './file-analysis.ts'
import type { Handover, Input } from './handovers.ts'
import type { FunctionForm, ModuleForm, Parameter } from './ir.ts'
import { findAdapter } from './languages/adapters.ts'
import { listOutside } from './relevance.ts'
import { findGiving } from './roots.ts'
import { GUESSED, knowledgeFor, readDeclared, SEEN } from './rules.ts'
import { stripType } from './sources.ts'
import type { State } from './state.ts'
import { makeLabel, type Value } from './value.ts'
import { indexWords, makeWithin } from './word-index.ts'
import { listSourceWords } from './words.ts'

/** Input that another file passes to a function of this one. */
export interface Entry {
  /** Names that lead to the function: `[method]`, or `[class, method]`; none for what the file exports by default. */
  names: readonly string[]
  /** Place of the parameter; its name where the call gives one. */
  position: number
  name?: string
  input: Input
}

/** What a file passes to others, and its functions that took too many steps to tell. */
export interface Handed {
  handovers: Handover[]
  exhausted: string[]
}

/** What came of an entry: what reached a sink, and what is passed on to further files. */
export interface Entered extends Handed {
  matches: RawMatch[]
}

const NOTHING: Entered = { matches: [], handovers: [], exhausted: [] }

/** A file is followed for its calls of other files beside the search of rules, and has a share of the steps of that. */
const BUDGET: Budget = { one: 6_000, file: 15_000, alone: 6_000 }

/** The kinds of source that rules of the language follow. */
function listKinds(rules: readonly TaintRule[]): Set<string> {
  return new Set(rules.flatMap(({ sources }) => sources))
}

/** The rules whose sources are followed: input that only milder ones follow, such as a program's own arguments, is a guess two files on. */
function selectRules(rules: ActiveRules, language: string): TaintRule[] {
  return rules.rules.filter(
    (rule): rule is typeof rule & TaintRule =>
      rule.type === 'taint' && rule.languages.includes(language) && SEVERE.includes(rule.severity),
  )
}

/** Whether a text may have a source that rules of its language follow. */
export function mayHaveSource(rules: ActiveRules, language: string, text: string): boolean {
  const index = indexWords(text, language)
  return selectRules(rules, language).some(
    rule => rule.sources.length > 0 && listSourceWords(rule, language).some(source => index.hasSource(source)),
  )
}

/**
 * Input of this file that is passed to functions of other files. `leads` tells whether a name, as imports have it or as a type is written, is
 * that of a file of the program: code that names none is not followed.
 */
export function listHandovers(
  rules: ActiveRules,
  language: string,
  root: SgNode,
  text: string,
  leads: (name: string) => boolean,
): Handed {
  const adapter = findAdapter(language)
  const knowledge = knowledgeFor(rules, language)
  if (!adapter || !knowledge) return { handovers: [], exhausted: [] }
  const module = adapter.lower(root, text)
  const own = selectRules(rules, language)
  const calling = makeWithin(indexWords(text, language).places(listNames(module, text, leads)))
  const giving = findGiving(module, text, own, language)
  const forms = listForms(module).filter(form => giving.has(form) && calling(form))
  if (forms.length === 0 && !listOutside(listForms(module), text.length).some(calling))
    return { handovers: [], exhausted: [] }
  const found = new Map<string, Handover>()
  const roots = { forms, giving }
  const handovers: Analysis['handovers'] & object = { kinds: listKinds(own), found }
  const declared = readDeclared(language, root, text)
  const { exhausted } = analyzeFile(module, text, knowledge, roots, declared, { budget: BUDGET, handovers })
  // A file that passes more than is noted is a program's own output.
  return { handovers: [...found.values()], exhausted: handovers.isCut ? [...exhausted, 'the whole file'] : exhausted }
}

/** Names in the text that lead to other files: of imports, of types, and of variables and fields of these. */
function listNames({ imports, classes }: ModuleForm, text: string, leads: (name: string) => boolean): string[] {
  const out = new Set([...imports].filter(([, path]) => leads(path)).map(([local]) => local))
  for (const [name] of text.matchAll(/\b[A-Z]\w+/g)) if (!out.has(name) && leads(name)) out.add(name)
  for (const [, variable, name] of text.matchAll(/\b(\w+)\s*=\s*(?:await\s+)?(?:new\s+)?(\w+)\s*[(.]/g))
    if (out.has(name!)) out.add(variable!)
  for (const { fields } of classes)
    for (const { name, type } of fields) if (type !== undefined && out.has(stripType(type))) out.add(name)
  return [...out]
}

/** Where input goes that other files pass to functions of this one. One answer for each entry. */
export function followEntries(
  rules: ActiveRules,
  language: string,
  root: SgNode,
  text: string,
  entries: readonly Entry[],
): Entered[] {
  const adapter = findAdapter(language)
  const knowledge = knowledgeFor(rules, language)
  if (!adapter || !knowledge) return entries.map(() => NOTHING)
  const module = adapter.lower(root, text)
  const kinds = listKinds(selectRules(rules, language))
  const declared = readDeclared(language, root, text)
  return entries.map(entry => {
    const form = findEntered(module, entry.names)
    const at = form ? findParameter(form, entry) : -1
    const parameter = form?.parameters[at]
    if (!form || !parameter) return NOTHING
    const { isCarrier } = entry.input
    const value = makePassed(entry.input, parameter)
    const found = new Map<string, Handover>()
    const given = { form, values: form.parameters.map((_, index) => (index === at ? value : undefined)) }
    const { hits, exhausted } = analyzeFile(
      module,
      text,
      knowledge,
      { forms: [form], giving: new Set([form]) },
      declared,
      {
        budget: BUDGET,
        handovers: { kinds, found },
        given,
      },
    )
    const begins = (flow: readonly { start: number }[]): boolean =>
      isCarrier ? within(form, flow[0]?.start) : flow[0]?.start === parameter.start
    return {
      exhausted,
      matches: hits
        .filter(({ flow }) => begins(flow))
        .map(({ rule, start, end, flow, unsure: guessed }) => ({
          rule,
          start,
          end,
          flow,
          confidence: guessed ? GUESSED : SEEN,
        })),
      handovers: [...found.values()].filter(({ flow, input }) => begins(flow) || (isCarrier && input.isCarrier)),
    }
  })
}

/** What a parameter holds that input enters by. */
function makePassed({ kind, isCarrier, cleaned, property }: Input, parameter: Parameter) {
  const name = parameter.pattern ? '' : ` ${parameter.name}`
  const label = { ...makeLabel(kind, parameter, `passed as parameter${name}`), cleaned }
  const held: Value = isCarrier ? { labels: [], carrier: kind } : { labels: [label] }
  return (analysis: Analysis, state: State): Value =>
    property === undefined ? held : allocate(analysis, state, { kind: 'map', entries: new Map([[property, held]]) })
}

function within({ start, end }: FunctionForm, place: number | undefined): boolean {
  return place !== undefined && start <= place && place < end
}

function listForms({ functions, classes }: ModuleForm): FunctionForm[] {
  return [...functions, ...classes.flatMap(({ methods }) => methods)]
}

/** The function by its names: of the class where it names one, else the only one of that name. */
function findEntered(module: ModuleForm, names: readonly string[]): FunctionForm | undefined {
  const all = listForms(module)
  const method = names.at(-1)
  if (method === undefined) {
    const outer = module.functions.filter(({ isInner, property }) => !isInner || property === 'exports')
    return outer.length === 1 ? outer[0] : undefined
  }
  const named = all.filter(({ name, property }) => name === method || property === method)
  const owner = names.at(-2)
  const own = named.filter(form => form.owner === owner)
  if (own.length > 0) return own[0]
  return named.length === 1 ? named[0] : undefined
}

function findParameter({ parameters }: FunctionForm, { position, name }: Entry): number {
  if (name !== undefined) return parameters.findIndex(parameter => parameter.name === name)
  return parameters[position] ? position : -1
}
