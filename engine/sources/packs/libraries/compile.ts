import type { Library, LibraryHandler, LibraryPropagator, LibrarySource } from '../../../base/records/library.ts'
import type { CallMove, MovePlace, SourceSpec, TaintModel } from '../../../base/records/taint-model.ts'
import { addLibraries } from '../../../detect/taint/models.ts'

type OwnText = NonNullable<NonNullable<Library['language']>['own_text']>[number]

function compileOwnText(own: OwnText): NonNullable<TaintModel['ownText']>[number] {
  return typeof own === 'string' ? { text: own } : { text: own.text, classes: own.for }
}

/** A library as the taint analysis takes it. Its sinks go to the rules (`teachRules`). */
export function compileLibrary(library: Library): TaintModel {
  const { types = {}, language = {} } = library
  const { unknown_calls: unknown, encoded } = language
  const propagators = library.propagators ?? []
  const decoding = propagators.filter(({ decodes }) => decodes)
  return {
    languages: library.languages,
    simpleTypes: language.simple_types ?? false,
    ...(language.folds_names && { foldsNames: true }),
    ...(language.runs_files && { runsFiles: true }),
    ...(language.text_safe_for && { textCleans: language.text_safe_for }),
    ...(unknown?.safe_for && { unseenCleans: unknown.safe_for }),
    ...(unknown?.propagators !== undefined && { unseenPasses: unknown.propagators }),
    ...(unknown?.look_ups !== undefined && { unseenLookUps: unknown.look_ups }),
    ...(language.own_text && { ownText: language.own_text.map(compileOwnText) }),
    ...(encoded && { encoded: { type: encoded.type, members: encoded.members, cleans: encoded.for } }),
    sources: [...(library.sources ?? []), ...(library.handlers ?? [])].map(compileSource),
    cleaners: (library.sanitizers ?? []).map(({ for: cleans, ...rest }) => ({ ...rest, cleans })),
    guards: (library.validators ?? []).map(
      ({ calls, argument, for: cleans, safe_when, constant, pattern, throws }) => ({
        calls,
        argument,
        cleans,
        ...(safe_when !== undefined && { when: safe_when }),
        ...(constant && { fixed: constant }),
        ...(pattern !== undefined && { expression: pattern }),
        ...(throws !== undefined && { raises: throws }),
      }),
    ),
    passes: propagators
      .filter(({ from, to, decodes, views_for }) => !from && !to && !decodes && !views_for)
      .flatMap(({ calls = [] }) => calls),
    moves: propagators.flatMap(entry =>
      entry.from || entry.to ? [{ calls: entry.calls ?? [], ...compileMove(entry) }] : [],
    ),
    decodes: {
      calls: decoding.flatMap(({ calls = [] }) => calls),
      members: decoding.flatMap(({ members = [] }) => members),
    },
    views: propagators.flatMap(({ calls = [], views_for }) => (views_for ? [{ calls, cleans: views_for }] : [])),
    ...(library.methods && { methods: library.methods }),
    opaque: library.non_propagators ?? [],
    ends: library.no_return ?? [],
    returns: library.result_types ?? {},
    stands: library.result_texts ?? {},
    constants: library.constants ?? {},
    plainTypes: types.plain ?? [],
    lists: types.lists ?? [],
    maps: types.maps ?? [],
    texts: types.texts ?? [],
    sections: types.sections ?? [],
    ...(types.wrappers && { wrappers: types.wrappers }),
    settings: library.settings ?? [],
    lateSettings: library.setting_writes ?? [],
    settingsReads: library.settings_reads ?? [],
  }
}

/** The places of a propagator. What goes to the result is moved last, with what the receiver took up before. */
function compileMove({ from = 'arguments', to = 'result', when, except_types }: LibraryPropagator): CallMove {
  const places = [to].flat().map(readPlace)
  const isResult = ({ of }: MovePlace) => of === 'result'
  return {
    from: [from].flat().map(readPlace),
    to: [...places.filter(place => !isResult(place)), ...places.filter(isResult)],
    ...(when && { when }),
    ...(except_types && { exceptTypes: except_types }),
  }
}

/** A place as it is written, and whether values can come from there, or go there. */
export const PLACE =
  /^(receiver|result|arguments(?: from (\d{1,2}))?|argument (?:(\d{1,2})|([A-Za-z_]\w{0,60})))(?:\.([A-Za-z_]\w{0,60}))?$/

function readPlace(text: string): MovePlace {
  const [, whole = '', from, number, name, field] = PLACE.exec(text)!
  const at = from ?? number
  return {
    of: whole.split(' ')[0] as MovePlace['of'],
    ...(at !== undefined ? { at: Number(at) } : name !== undefined && { at: name }),
    ...(field !== undefined && { field }),
  }
}

function compileSource(entry: LibrarySource | LibraryHandler): SourceSpec {
  const { except_types, safe_for, prefilter, ...rest } = entry
  const { parameters } = rest as Partial<LibraryHandler>
  return {
    ...(rest as Omit<SourceSpec, 'parameters'>),
    ...(parameters && {
      parameters: parameters.map(({ decorators, ...one }) => ({
        ...one,
        ...(decorators !== undefined && { decorated: decorators }),
      })),
    }),
    ...(except_types && { exceptTypes: except_types }),
    ...(safe_for && { harmless: safe_for }),
    ...(prefilter?.file && { words: prefilter.file }),
    ...(prefilter?.function && { near: prefilter.function }),
  }
}

/** One model a language of the libraries that come with svc; the file with the traits of a language is its base. */
export function compileModels(libraries: readonly Library[]): TaintModel[] {
  const groups = new Map<string, { languages: string[]; files: Library[] }>()
  for (const language of new Set(libraries.flatMap(({ languages }) => languages))) {
    const files = libraries.filter(({ languages }) => languages.includes(language))
    const key = files.map(file => libraries.indexOf(file)).join(' ')
    const group = groups.get(key)
    if (group) group.languages.push(language)
    else groups.set(key, { languages: [language], files })
  }
  return [...groups.values()].map(({ languages, files }) => {
    const base = files.find(({ language }) => language) ?? files[0]!
    const others = files.filter(file => file !== base)
    return { ...addLibraries(compileLibrary(base), others.map(compileLibrary)), languages }
  })
}
