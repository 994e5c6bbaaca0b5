import { readAsset } from '../../base/disk/assets.ts'
import type { TaintRule } from '../../base/records/rule.ts'
import type { TaintModel } from '../../base/records/taint-model.ts'

/** The file of the program that has the models: a line of the languages of each, and then a line of each. */
export const MODELS_FILE = 'libraries.json'

/** Models that were compiled from a directory of libraries, in place of those of the program. */
let installed: readonly TaintModel[] | undefined
let lines: string[] | undefined
const parsed = new Map<string, TaintModel | undefined>()

/** Uses these models in place of those that come with the program: what is built or tested is the directory `packs/libraries`. */
export function installModels(models: readonly TaintModel[] | undefined): void {
  installed = models
}

/** The models that are installed. */
export function listInstalledModels(): readonly TaintModel[] {
  return installed ?? []
}

/** The models as the program reads them: a language is parsed when it is first asked for. */
export function encodeModels(models: readonly TaintModel[]): string {
  return [models.map(({ languages }) => languages), ...models].map(part => JSON.stringify(part)).join('\n')
}

/** What the libraries that come with svc do in a language; undefined where there is no library. */
export function findModel(language: string): TaintModel | undefined {
  if (installed) return installed.find(({ languages }) => languages.includes(language))
  if (!parsed.has(language)) parsed.set(language, readModel(language))
  return parsed.get(language)
}

function readModel(language: string): TaintModel | undefined {
  lines ??= readAsset(MODELS_FILE).toString('utf8').split('\n')
  const at = (JSON.parse(lines[0]!) as string[][]).findIndex(languages => languages.includes(language))
  return at === -1 ? undefined : (JSON.parse(lines[at + 1]!) as TaintModel)
}

/** A model by the libraries of a repository's own that are added to it. */
const known = new WeakMap<readonly TaintModel[], Map<string, TaintModel>>()

/** What a rule knows of a language: the libraries that come with svc, and those that the repository adds. */
export function findRuleModel({ libraries }: Pick<TaintRule, 'libraries'>, language: string): TaintModel | undefined {
  const base = findModel(language)
  if (!base || !libraries) return base
  let byLanguage = known.get(libraries)
  if (!byLanguage) {
    byLanguage = new Map()
    known.set(libraries, byLanguage)
  }
  const found = byLanguage.get(language)
  if (found) return found
  const made = addLibraries(
    base,
    libraries.filter(({ languages }) => languages.includes(language)),
  )
  byLanguage.set(language, made)
  return made
}

/** The model with what further libraries say, behind what it says itself. */
export function addLibraries(base: TaintModel, libraries: readonly TaintModel[]): TaintModel {
  if (libraries.length === 0) return base
  const all = [base, ...libraries]
  const list = <K extends Lists>(key: K): NonNullable<TaintModel[K]> => {
    const out: unknown[] = []
    for (const each of all) out.push(...(each[key] ?? []))
    return out as NonNullable<TaintModel[K]>
  }
  const map = <T>(key: 'returns' | 'stands' | 'constants'): Record<string, T> =>
    Object.assign(Object.create(null), ...all.toReversed().map(each => each[key] ?? {}))
  return {
    ...base,
    sources: list('sources'),
    cleaners: list('cleaners'),
    guards: list('guards'),
    passes: list('passes'),
    moves: list('moves'),
    opaque: list('opaque'),
    ends: list('ends'),
    views: list('views'),
    plainTypes: list('plainTypes'),
    lists: list('lists'),
    maps: list('maps'),
    texts: list('texts'),
    sections: list('sections'),
    wrappers: list('wrappers'),
    settings: list('settings'),
    lateSettings: list('lateSettings'),
    settingsReads: list('settingsReads'),
    methods: Object.assign({}, ...all.map(({ methods }) => methods)),
    decodes: {
      calls: all.flatMap(({ decodes }) => decodes?.calls ?? []),
      members: all.flatMap(({ decodes }) => decodes?.members ?? []),
    },
    returns: map('returns'),
    stands: map('stands'),
    constants: map('constants'),
  }
}

type Lists =
  | 'sources'
  | 'cleaners'
  | 'guards'
  | 'passes'
  | 'moves'
  | 'opaque'
  | 'ends'
  | 'views'
  | 'plainTypes'
  | 'lists'
  | 'maps'
  | 'texts'
  | 'sections'
  | 'wrappers'
  | 'settings'
  | 'lateSettings'
  | 'settingsReads'
