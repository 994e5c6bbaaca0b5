import type { SgNode } from '@ast-grep/napi'
import type { TaintRule } from '../../base/records/rule.ts'
import type { ActiveRules } from '../rules/active-rules.ts'
import { SEVERE } from '../rules/detector.ts'
import type { RawMatch } from '../rules/match.ts'
import type { Analysis } from './analysis.ts'
import { Answers } from './answers.ts'
import { allocate } from './elements.ts'
import { analyzeFile, type Budget } from './file-analysis.ts'
import { type Giving, GivingFunctions, mayGive } from './giving.ts'
import type { Handover, Input } from './handovers.ts'
import type { FunctionForm, ModuleForm, Parameter } from './ir.ts'
import { findAdapter } from './languages/adapters.ts'
import { type Leading, listInheriting, listNames } from './leading.ts'
import { type Outside, type Returned, readReturned } from './outside.ts'
import type { Checks } from './outside-checks.ts'
import { listOutside } from './parts.ts'
import { findGiving } from './roots.ts'
import { GUESSED, knowledgeFor, readDeclared, SEEN } from './rules.ts'
import { followsInput } from './runs.ts'
import type { State } from './state.ts'
import { makeLabel, type Value } from './value.ts'
import { indexWords, makeWithin } from './word-index.ts'
import { allWords, listSourceWords, type SourceWords } from './words.ts'

/** Input that another file passes to a function of this one. */
export interface Entry {
  /** Names that lead to the function: `[method]`, or `[class, method]`; none for what the file exports by default. */
  names: readonly string[]
  /** Place of the parameter; its name where the call gives one. */
  position: number
  name?: string
  /** It is a parameter of the constructor of the object whose method the names lead to. */
  isMade?: true
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
  /** What the function returns of the input; left out where that cannot be told. */
  returned?: Returned
  /** What the function's answer says of the input; left out where that is nothing. */
  checks?: Checks
  /** The file does not have the function, or only says that there is one. */
  isAbsent?: true
}

const ABSENT: Entered = { matches: [], handovers: [], exhausted: [], isAbsent: true }
const UNTOLD: Entered = { matches: [], handovers: [], exhausted: [] }

/** A file is followed for its calls of other files beside the search of rules, and has a share of the steps of that. */
export const BUDGET: Budget = { one: 6_000, file: 15_000, alone: 6_000 }

/** The kinds of source that rules of the language follow. */
export function listKinds(rules: readonly TaintRule[]): Set<string> {
  return new Set(rules.flatMap(({ sources }) => sources))
}

/** The rules whose sources are followed: input that only milder ones follow, such as a program's own arguments, is a guess two files on. */
export function selectRules(rules: ActiveRules, language: string): TaintRule[] {
  return rules.rules.filter(
    (rule): rule is typeof rule & TaintRule =>
      followsInput(rule) && rule.languages.includes(language) && SEVERE.includes(rule.severity),
  )
}

/** Whether a text may have a source that rules of its language follow. */
export function mayHaveSource(rules: ActiveRules, language: string, text: string): boolean {
  const { sources, words } = listSources(rules, language)
  const index = indexWords(text, language)
  return (!words || index.has(words)) && sources.some(source => index.hasSource(source))
}

const knownSources = new WeakMap<
  ActiveRules,
  Map<string, { sources: SourceWords[]; words: readonly string[] | undefined }>
>()

/** The sources that rules of a language follow, and words of which a file with any of them has one: most files have none, and are asked that once. */
function listSources(rules: ActiveRules, language: string) {
  let byLanguage = knownSources.get(rules)
  if (!byLanguage) {
    byLanguage = new Map()
    knownSources.set(rules, byLanguage)
  }
  let found = byLanguage.get(language)
  if (!found) {
    const own = selectRules(rules, language).filter(rule => rule.sources.length > 0)
    const sources = [...new Set(own.flatMap(rule => listSourceWords(rule, language)))]
    found = { sources, words: allWords(sources.map(({ file }) => file)) }
    byLanguage.set(language, found)
  }
  return found
}

/**
 * Input of this file that is passed to functions of other files, and functions that give input whatever they are given. `leads` tells whether a
 * name, as imports have it or as a type is written, is that of a file of the program: code that names none is not followed, and none of it where
 * the file is not `isCalling`. `plain` are functions of other files that it may call by their names alone.
 */
export function listHandovers(
  rules: ActiveRules,
  language: string,
  root: SgNode,
  text: string,
  { leads, plain, isCalling }: Leading,
): Handed & { giving: Giving[] } {
  const nothing = { handovers: [], exhausted: [], giving: [] }
  const adapter = findAdapter(language)
  const knowledge = knowledgeFor(rules, language)
  if (!adapter || !knowledge) return nothing
  const module = adapter.lower(root, text)
  const own = selectRules(rules, language)
  const calling = makeWithin(isCalling ? indexWords(text, language).places(listNames(module, text, leads, plain)) : [])
  const giving = findGiving(module, text, own, language)
  const all = listForms(module)
  const inheriting = isCalling ? listInheriting(module, leads) : new Set()
  const forms = all.filter(form => giving.has(form) && (calling(form) || inheriting.has(form) || mayGive(form)))
  if (forms.length === 0 && !listOutside(all, text.length).some(calling)) return nothing
  const found = new Map<string, Handover>()
  const roots = { forms, giving }
  const handovers: Analysis['handovers'] & object = { kinds: listKinds(own), found }
  const declared = readDeclared(language, root, text)
  const given = new GivingFunctions(all, handovers.kinds)
  const { exhausted } = analyzeFile(module, text, knowledge, roots, declared, {
    budget: BUDGET,
    handovers,
    onReturn: given.onReturn,
  })
  return {
    handovers: [...found.values()],
    // A file that passes more than is noted is a program's own output.
    exhausted: handovers.isCut ? [...exhausted, 'the whole file'] : exhausted,
    giving: given.list(),
  }
}

/** Where input goes that other files pass to functions of this one. One answer for each entry. */
export function followEntries(
  rules: ActiveRules,
  language: string,
  root: SgNode,
  text: string,
  entries: readonly Entry[],
  outside?: Outside,
): Entered[] {
  const adapter = findAdapter(language)
  const knowledge = knowledgeFor(rules, language)
  if (!adapter || !knowledge) return entries.map(() => UNTOLD)
  const module = adapter.lower(root, text)
  const kinds = listKinds(selectRules(rules, language))
  const declared = readDeclared(language, root, text)
  return entries.map(entry => {
    const form = findEntered(module, entry.names, PLAIN_FUNCTIONS.has(language))
    const maker = entry.isMade && form ? findMaker(module, form, entry) : undefined
    const entered = entry.isMade ? maker : form
    const at = entered ? findParameter(entered, entry) : -1
    const parameter = entered?.parameters[at]
    if (!form || !entered || !parameter) return ABSENT
    const { isCarrier } = entry.input
    const value = makePassed(entry.input, parameter)
    const found = new Map<string, Handover>()
    const values = entered.parameters.map((_, index) => (index === at ? value : undefined))
    const given = maker ? { form, values: [], maker: { form: maker, values } } : { form, values }
    const begins = (start: number | undefined): boolean =>
      isCarrier ? within(form, start) || within(entered, start) : start === parameter.start
    let returned: Returned | undefined
    const isChecked =
      !isCarrier &&
      !entry.isMade &&
      entry.input.property === undefined &&
      parameter.pattern === undefined &&
      isOnly(module, form)
    const answers = isChecked ? new Answers(form, parameter) : undefined
    const { hits, exhausted, alone } = analyzeFile(
      module,
      text,
      knowledge,
      { forms: [form], giving: new Set([form]) },
      declared,
      {
        budget: BUDGET,
        handovers: { kinds, found },
        given,
        outside,
        answers,
        onReturn: (_, of, out, state) => {
          if (of === form && isOnly(module, form))
            returned = readReturned(form, out, state, hasInner(module, form), ({ origin }) => begins(origin.start))
        },
      },
    )
    const checks = answers?.read(text)
    return {
      exhausted,
      matches: hits
        .filter(({ flow }) => begins(flow[0]?.start))
        .map(({ rule, start, end, flow, unsure: guessed }) => ({
          rule,
          start,
          end,
          flow,
          confidence: guessed ? GUESSED : SEEN,
        })),
      handovers: [...found.values()].filter(
        ({ flow, input }) => begins(flow[0]?.start) || (isCarrier && input.isCarrier),
      ),
      ...(checks && alone.length === 0 && { checks }),
      ...(returned && alone.length === 0 && { returned }),
      ...(form.body().length === 0 && { isAbsent: true }),
    }
  })
}

/** Whether a file has one function of this name and class only; of several it cannot be told which is called. */
function isOnly(module: ModuleForm, { name, property = name, owner }: FunctionForm): boolean {
  const isSame = (form: FunctionForm) => (form.property ?? form.name) === property && form.owner === owner
  return listForms(module).filter(isSame).length === 1
}

/** Whether a function has others within it, which code elsewhere may call. */
function hasInner({ functions }: ModuleForm, { start, end }: FunctionForm): boolean {
  return functions.some(form => form.isInner && start < form.start && form.end <= end)
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

export function listForms({ functions, classes }: ModuleForm): FunctionForm[] {
  return [...functions, ...classes.flatMap(({ methods }) => methods)]
}

/** Languages in which a name alone never means a method of a class. */
const PLAIN_FUNCTIONS: ReadonlySet<string> = new Set(['php', 'ruby'])

/** The function by its names: of the class where it names one, else the only one of that name, no method where names alone `arePlain`. */
function findEntered(module: ModuleForm, names: readonly string[], arePlain: boolean): FunctionForm | undefined {
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
  if (arePlain && owner === undefined) return undefined
  return named.length === 1 ? named[0] : undefined
}

/** The constructor that takes the input, of the class whose method is called; undefined where several may. */
function findMaker({ classes }: ModuleForm, { owner, isStatic }: FunctionForm, entry: Entry): FunctionForm | undefined {
  if (isStatic) return undefined
  const { methods = [] } = classes.find(({ name }) => name === owner) ?? {}
  const makers = methods.filter(form => form.name === 'constructor' && findParameter(form, entry) !== -1)
  return makers.length === 1 ? makers[0] : undefined
}

function findParameter({ parameters }: FunctionForm, { position, name }: Entry): number {
  if (name !== undefined) return parameters.findIndex(parameter => (parameter.label ?? parameter.name) === name)
  return parameters[position] ? position : -1
}
