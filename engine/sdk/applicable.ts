import type { Context } from '../base/context.ts'
import { EngineError } from '../base/errors.ts'
import { detectLanguage } from '../base/languages/languages.ts'
import type { ControlRef } from '../base/records/finding.ts'
import { filterPaths } from '../base/text/glob.ts'
import { findNearest } from '../base/text/nearest.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import { toEntry } from '../sources/config/excluded.ts'
import { loadConfig } from '../sources/config/load.ts'
import { loadPacks } from '../sources/packs/load.ts'
import type { Framework, Obligation, Pack } from '../sources/packs/pack.ts'
import { listLanguages, listScannedFiles } from '../sources/packs/scanned.ts'
import { type PackChoice, selectPacks } from '../sources/packs/select.ts'

/** What applies to code that is written at a path. */
export interface Applicable {
  /** Repository-relative. */
  filename: string
  language: string | null
  packs: Pack[]
  rules: CompiledRule[]
  controls: Map<string, ControlRef[]>
  frameworks: Framework[]
  /** What a person must show for the frameworks; no code can. */
  requirements: (Obligation & { framework: string })[]
}

/**
 * The rules that look at a file of this name here, with the frameworks they bear on. `frameworks` narrows to the rules of
 * those, whether or not they are on; INPUT_INVALID for one that is not known. The file need not exist.
 */
export async function selectApplicable(
  filename: string,
  frameworks: readonly string[] | undefined,
  { cwd, env, signal }: Pick<Context, 'cwd' | 'env' | 'signal'>,
): Promise<Applicable> {
  const config = await loadConfig(cwd, { env })
  const path = toEntry(config.root, cwd, filename)
  const all = await loadPacks(config.root)
  const language = detectLanguage(path)
  const languages = listLanguages(await listScannedFiles(config, signal))
  if (language) languages.add(language)
  const wanted = listFrameworkPacks(all, frameworks)
  const { packs, rules, controls } = selectPacks(all, mergeChoice(config.for(path).packs, wanted), languages)
  const asked = new Set(wanted.flatMap(({ framework }) => framework?.id ?? []))
  const looking = rules.filter(
    rule => looksAt(rule, language, path) && (asked.size === 0 || bearsOn(controls.get(rule.id), asked)),
  )
  const mapping = packs.filter(({ framework }) => framework && (asked.size === 0 || asked.has(framework.id)))
  return {
    filename: path,
    language,
    packs,
    rules: looking,
    controls: narrowed(controls, asked),
    frameworks: mapping.flatMap(({ framework }) => framework ?? []),
    requirements: mapping.flatMap(({ framework, obligations }) =>
      obligations.map(obligation => ({ ...obligation, framework: framework!.id })),
    ),
  }
}

/** The packs of these frameworks, each given by the framework's or the pack's id. */
export function listFrameworkPacks(all: readonly Pack[], frameworks: readonly string[] = []): Pack[] {
  const mapping = all.filter(({ framework }) => framework)
  return frameworks
    .flatMap(each => each.split(','))
    .map(each => each.trim())
    .filter(each => each !== '')
    .map(named => {
      const found = mapping.find(({ id, framework }) => framework!.id === named || id === named)
      if (found) return found
      const meant = findNearest(
        named,
        mapping.map(({ framework }) => framework!.id),
      )
      throw new EngineError(
        'INPUT_INVALID',
        `There is no framework ${named}${meant ? `; did you mean ${meant}?` : '.'}`,
        { hint: 'List them with `svc list-packs --kind framework`.' },
      )
    })
}

/** A configuration's choice with these packs on as well. */
export function mergeChoice(choice: PackChoice, packs: readonly Pack[]): PackChoice {
  const ids = packs.map(({ id }) => id)
  return {
    ...choice,
    enable: [...new Set([...choice.enable, ...ids])],
    disable: choice.disable.filter(id => !ids.includes(id)),
  }
}

/** Whether any of the controls is of one of these frameworks. */
export function bearsOn(controls: readonly ControlRef[] = [], frameworks: ReadonlySet<string>): boolean {
  return controls.some(({ framework }) => frameworks.has(framework))
}

function looksAt(rule: CompiledRule, language: string | null, path: string): boolean {
  const speaks = rule.languages.includes('any') || (language !== null && rule.languages.includes(language))
  return speaks && filterPaths(rule)(path)
}

function narrowed(controls: ReadonlyMap<string, ControlRef[]>, asked: ReadonlySet<string>): Map<string, ControlRef[]> {
  if (asked.size === 0) return new Map(controls)
  return new Map([...controls].map(([rule, refs]) => [rule, refs.filter(({ framework }) => asked.has(framework))]))
}
