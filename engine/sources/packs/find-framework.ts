import { EngineError } from '../../base/errors.ts'
import { findNearest } from '../../base/text/nearest.ts'
import type { Pack } from './pack.ts'

/** The framework packs that a name means: the one with this id, else those whose id begins with it up to a hyphen (`soc2`). */
export function matchFrameworks(packs: readonly Pack[], name: string): Pack[] {
  const frameworks = packs.filter(({ framework }) => framework !== undefined)
  const exact = frameworks.filter(pack => pack.framework!.id === name || pack.id === name)
  return exact.length > 0 ? exact : frameworks.filter(({ framework }) => framework!.id.startsWith(`${name}-`))
}

/** The framework pack that a name means; NOT_FOUND with the one that was probably meant, INPUT_INVALID where it means several. */
export function findFramework(packs: readonly Pack[], name: string): Pack {
  const found = matchFrameworks(packs, name)
  const hint = 'List the frameworks with `svc compliance-report --list`.'
  if (found.length > 1)
    throw new EngineError('INPUT_INVALID', `${name} means several frameworks: ${listIds(found)}.`, { hint })
  if (found[0]) return found[0]
  const known = packs.flatMap(({ framework }) => framework?.id ?? [])
  const meant = findNearest(name, known)
  throw new EngineError('NOT_FOUND', `There is no framework ${name}${meant ? `; did you mean ${meant}?` : '.'}`, {
    hint,
  })
}

/** `framework:control`, or the beginning of one, with the framework's whole id where it names a single one by its beginning. */
export function expandFramework(name: string, packs: readonly Pack[]): string {
  const at = name.indexOf(':')
  const [only, other] = at === -1 ? [] : matchFrameworks(packs, name.slice(0, at))
  return only && !other ? `${only.framework!.id}${name.slice(at)}` : name
}

/** The ids of framework packs, for a sentence. */
export function listIds(packs: readonly Pack[]): string {
  return packs.flatMap(({ framework }) => framework?.id ?? []).join(', ')
}
