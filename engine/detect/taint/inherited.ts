import type { Analysis, Frame } from './analysis.ts'
import type { Callee } from './handovers.ts'
import type { ClassForm, Expression } from './ir.ts'
import { getLastPart, stripType } from './sources.ts'

/** What is written before a method of the base. */
const BASE = /^(?:super|super\(\)|parent|base)$/

/** Languages in which a method of the object is called by its name alone. */
const PLAIN_METHODS: readonly string[] = ['java', 'kotlin', 'scala', 'csharp', 'ruby', 'swift']

/** Bases up to the one that the file does not have. */
const MOST_BASES = 4

/**
 * The call with the type of the base, where it is one of the object's own methods that its class has from a base in another file; else as it is.
 */
export function nameInherited(a: Analysis, f: Frame, callee: Expression, site: Callee): Callee {
  if ((!a.handovers && !a.outside) || f.owner === undefined) return site
  const isOwn =
    callee.kind === 'member'
      ? callee.object.kind === 'this' || (site.receiver !== undefined && BASE.test(site.receiver))
      : callee.kind === 'name' &&
        site.method === callee.name &&
        a.knowledge.model.languages.some(language => PLAIN_METHODS.includes(language))
  const base = isOwn ? findOuterBase(a.classes, f.owner, a.module.imports) : undefined
  return base === undefined ? site : { ...site, receiver: 'this', receiverType: base }
}

/** The full name of the first base of a class, or of its bases in the file, that the file does not have; an interface by its name is none. */
export function findOuterBase(
  classes: ReadonlyMap<string, Pick<ClassForm, 'bases'>>,
  owner: string,
  imports: ReadonlyMap<string, string>,
): string | undefined {
  let at = owner
  for (let depth = 0; depth < MOST_BASES; depth++) {
    const [base] = (classes.get(at)?.bases ?? []).map(stripType).filter(name => !/^I[A-Z]/.test(name))
    if (base === undefined) return undefined
    if (!classes.has(getLastPart(base))) return imports.get(base) ?? base
    at = getLastPart(base)
  }
  return undefined
}
