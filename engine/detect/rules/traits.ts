import type { CompiledRule } from './active-rules.ts'
import type { DetectorTraits } from './detector.ts'
import { TRAITS } from './traits.gen.ts'

const byType = new Map(TRAITS.map(traits => [traits.type, traits]))

/** The traits of the detector for the rule's type, which is not loaded for it; undefined for a type that no directory of engine/detect has. */
export function findTraits({ type }: Pick<CompiledRule, 'type'>): DetectorTraits | undefined {
  return byType.get(type)
}
