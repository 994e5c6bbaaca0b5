import { compareKeywords, makeId } from '../design/decision.ts'
import type { FoundThreat, Threat } from './model.ts'
import { isReworded } from './quoted.ts'

/** The id of a threat: by category, file, element and the words of its title. The component's name is not among them where the table has it. */
export function makeThreatId({ stride, rule, source, element, title, places }: FoundThreat): string {
  const file = source === 'rule' ? '' : (places[0]?.file ?? '')
  return makeId('TM', { category: stride, file, symbol: element, summary: source === 'rule' ? rule : title })
}

/**
 * The found threats with what is stored of them. A mitigation holds while what shows the element is unchanged, and is pending again
 * otherwise. A model's threat in other words about the same code is the stored one. Threats of models and imports stay while their
 * element does; `keep` says which sources were not evaluated this time, and `refresh` brings a stored one of a model up to date.
 */
export function mergeThreats(
  stored: readonly Threat[],
  found: readonly FoundThreat[],
  elements: ReadonlySet<string>,
  keep: ReadonlySet<Threat['source']>,
  now: string,
  refresh: (threat: Threat) => Threat | undefined = threat => threat,
): Threat[] {
  const known = new Map(stored.map(threat => [threat.id, threat]))
  const threats = new Map<string, Threat>()
  for (const each of found) {
    const same = known.get(makeThreatId(each)) ?? findReworded(each, stored, threats)
    const id = same?.id ?? makeThreatId(each)
    if (threats.has(id)) continue
    threats.set(id, carry(each, id, same, now))
  }
  for (const each of stored)
    if (!threats.has(each.id) && keep.has(each.source) && (each.source === 'import' || elements.has(each.element))) {
      const left = each.source === 'llm' ? refresh(each) : each
      if (left) threats.set(each.id, left)
    }
  return [...threats.values()].sort((a, b) => order(a) - order(b) || (a.id < b.id ? -1 : 1))
}

function findReworded(
  found: FoundThreat,
  stored: readonly Threat[],
  taken: ReadonlyMap<string, unknown>,
): Threat | undefined {
  return stored.find(each => !taken.has(each.id) && isReworded(each, found, compareKeywords))
}

function carry(found: FoundThreat, id: string, known: Threat | undefined, now: string): Threat {
  const base = { id, ...found, first_seen: known?.first_seen ?? now }
  const note = known?.mitigation_note === undefined ? {} : { mitigation_note: known.mitigation_note }
  if (known?.status !== 'mitigated')
    return {
      ...base,
      status: 'pending',
      ...(known?.changed_since_mitigation && { changed_since_mitigation: true, ...note }),
    }
  if (known.digest !== found.digest) return { ...base, status: 'pending', changed_since_mitigation: true, ...note }
  return {
    ...{ ...base, status: 'mitigated' },
    ...(known.mitigated_at !== undefined && { mitigated_at: known.mitigated_at }),
    ...(known.mitigated_by !== undefined && { mitigated_by: known.mitigated_by }),
    ...(known.seal !== undefined && { seal: known.seal }),
    ...note,
  }
}

const SEVERITY = { critical: 0, high: 1, medium: 2, low: 3 }
const LIKELIHOOD = { high: 0, medium: 1, low: 2 }

/** The worst first. */
function order({ severity, likelihood }: Threat): number {
  return SEVERITY[severity] * 3 + LIKELIHOOD[likelihood]
}
