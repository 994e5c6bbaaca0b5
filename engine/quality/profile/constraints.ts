import { detectLanguage } from '../../base/languages/languages.ts'
import type { ArchitectureRules, Layer, Told } from '../architecture/rules.ts'
import { matchAny } from '../architecture/scope.ts'
import { type Counts, findDominant, type LanguageConventions } from './conventions.ts'
import { moduleOf, type ProjectModule, type ProjectProfile } from './profile.ts'

/** What somebody who changes a path must respect. */
export interface DesignConstraints {
  path: string
  language?: string
  module?: ProjectModule
  frameworks: ProjectProfile['frameworks']
  /** Sentences with the counts that they rest on. */
  conventions: string[]
  /** The rules of the architecture file that apply to the path, each with its reason. */
  architecture: { rule: string; text: string; reason?: string }[]
  /** The file of the rules; absent where the repository has none. */
  architecture_file?: string
  /** Decision records that name the path or its directories first, then the others. */
  adrs: (ProjectProfile['adrs'][number] & { names_path: boolean })[]
}

/** Shares below this are no convention. */
const CONVENTION = 0.75

/** The constraints of a repository-relative path, whether the file exists or not. `textOf` reads a decision record. */
export function listConstraints(
  path: string,
  profile: ProjectProfile,
  loaded: { rules: ArchitectureRules; path: string } | undefined,
  textOf: (file: string) => string,
): DesignConstraints {
  const language = detectLanguage(path) ?? undefined
  const conventions = profile.conventions.find(each => each.language === language)
  const own = profile.modules.find(({ directory }) => directory === moduleOf(path))
  const words = [path, ...directoriesOf(path)].filter(each => each.includes('/') || each === path)
  const adrs = profile.adrs.map(adr => {
    const text = textOf(adr.file)
    return { ...adr, names_path: words.some(word => text.includes(word)) }
  })
  return {
    path,
    ...(language !== undefined && { language }),
    ...(own && { module: own }),
    frameworks: profile.frameworks,
    conventions: conventions ? describeConventions(conventions) : [],
    architecture: loaded ? listRules(path, loaded.rules) : [],
    ...(loaded && { architecture_file: loaded.path }),
    adrs: [...adrs.filter(each => each.names_path), ...adrs.filter(each => !each.names_path)],
  }
}

function directoriesOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

/** The conventions of a language that most of its files keep, each with its counts. */
export function describeConventions(own: LanguageConventions): string[] {
  const sentences: string[] = []
  const dominant = (what: string, counts: Counts, unit: string) => {
    const found = findDominant(counts)
    if (found && found.share >= CONVENTION)
      sentences.push(`${what}: ${found.name} (${found.count} of ${sum(counts)} ${unit})`)
  }
  dominant('Function names', own.naming.functions, 'names of several words')
  dominant('Type names', own.naming.types, 'names of several words')
  dominant('File names', own.file_names, 'names of several words')
  dominant('Indentation', own.indentation, 'files')
  dominant('Documentation', own.docstring_styles, 'marks')
  dominant('Tests', own.test_styles, 'marks')
  share('Types are written', own.typed, own.typeable, 'functions')
  share('Public declarations are documented', own.documented, own.public_declarations, 'declarations')
  share('Imports are sorted', own.sorted_imports, own.import_files, 'files')
  return sentences

  function share(what: string, count: number, total: number, unit: string) {
    if (total > 0 && count / total >= CONVENTION) sentences.push(`${what}: ${count} of ${total} ${unit}`)
  }
}

/** Layers stand from top to bottom: without `imports`, a layer may import all below it. */
function describeLayerImports(layers: readonly Layer[], layer: Layer): string {
  const allowed = layer.imports ?? layers.slice(layers.indexOf(layer) + 1).map(({ name }) => name)
  return allowed.length > 0 ? `may import ${allowed.join(', ')} only` : 'may import no other layer'
}

function listRules(path: string, rules: ArchitectureRules): DesignConstraints['architecture'] {
  const isIn = (patterns: readonly string[] | undefined) => patterns !== undefined && matchAny(patterns)(path)
  const found: DesignConstraints['architecture'] = []
  const add = (rule: string, text: string, { reason }: Told) =>
    found.push({ rule, text, ...(reason !== undefined && { reason }) })
  for (const layer of rules.layers ?? []) {
    if (!isIn(layer.paths)) continue
    const allowed = describeLayerImports(rules.layers ?? [], layer)
    add('layers', `Layer ${layer.name}: ${allowed}.`, layer)
  }
  for (const rule of rules.forbidden ?? [])
    if (isIn(rule.from) && !isIn(rule.except))
      add(rule.name, `Must not import ${[...(rule.to ?? []), ...(rule.packages ?? [])].join(', ')}.`, rule)
  for (const rule of rules.allowed ?? [])
    if (isIn(rule.from) && !isIn(rule.except))
      add(rule.name, `May import ${[...(rule.to ?? []), ...(rule.packages ?? [])].join(', ')} only.`, rule)
  for (const rule of rules.public_api ?? [])
    if (!isIn(rule.folder))
      add('public_api', `Import ${rule.folder.join(', ')} by ${rule.entry?.join(', ') ?? 'its index'} only.`, rule)
  for (const limit of rules.limits ?? []) {
    if ((limit.paths && !isIn(limit.paths)) || isIn(limit.except)) continue
    const parts = [
      limit.fan_in !== undefined && `imported by at most ${limit.fan_in} files`,
      limit.fan_out !== undefined && `at most ${limit.fan_out} imported files`,
    ].filter(Boolean)
    add(limit.name ?? 'limits', `Limits: ${parts.join(', ')}.`, limit)
  }
  if (rules.cycles && (!rules.cycles.paths || isIn(rules.cycles.paths)) && !isIn(rules.cycles.except))
    add('cycles', 'Imports must not form a cycle.', rules.cycles)
  return found
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((total, n) => total + n, 0)
}
