import type { Fault } from '../../base/errors.ts'
import { findWeaknessRule, resolveRuleId } from '../../base/records/rule-ids.ts'
import type { Pack } from './pack.ts'

/** What the repository's own packs may not define again. */
export interface TakenIds {
  packs: ReadonlySet<string>
  /** Whether a rule that comes with svc has the id. */
  isRule: (id: string) => boolean
}

/**
 * Packs and rules of a repository's own that have an id twice, or one that comes with svc: by its id a rule is chosen, overridden,
 * suppressed and known in a baseline, so that a second one could take the place of the first.
 */
export function findTakenIds(own: readonly Pack[], { packs, isRule }: TakenIds): Fault[] {
  const faults: Fault[] = []
  const seen = new Set<string>()
  const homes = new Map<string, string>()
  for (const { id: pack, rules } of own) {
    const folder = pack === LOCAL ? '.svc/rules' : `.svc/packs/${pack}/rules`
    if (packs.has(pack) || seen.has(pack))
      faults.push({
        message: `there is a pack ${pack} already; choose another id`,
        place: { file: `.svc/packs/${pack}/pack.yaml` },
      })
    seen.add(pack)
    for (const { id, type } of rules) {
      const file = `${type === 'secret' ? folder.replace(/rules$/, 'detectors') : folder}/${id}.yaml`
      const home = homes.get(id) ?? (isRule(id) ? 'svc' : undefined)
      if (home !== undefined)
        faults.push({ message: `the rule ${id} is in ${home} already; choose another id`, place: { file } })
      homes.set(id, pack)
    }
  }
  return faults
}

/** The pack of the rules in .svc/rules. */
export const LOCAL = 'local'

/** Tells whether an id is that of a rule in these packs, by any of its names. Rules are parsed only where their text (`read`) has the id. */
export function makeRuleAsker(packs: readonly Pack[], read: () => string): (id: string) => boolean {
  let named: Set<string> | undefined
  let known: Set<string> | undefined
  return id => {
    if (isWeakness(id)) return true
    named ??= new Set(Array.from(read().matchAll(/"id":"([^"\\]+)"/g), match => match[1]!))
    if (!named.has(id)) return false
    known ??= new Set(packs.flatMap(({ rules }) => rules.map(rule => rule.id)))
    return known.has(id)
  }
}

/** Whether an id is that of a rule by weakness, or the key of one of its forms. */
function isWeakness(id: string): boolean {
  return findWeaknessRule(resolveRuleId(id)) !== undefined
}
