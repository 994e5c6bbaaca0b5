import { findAnchors } from '../../../engine/detect/secrets/generic/anchors.ts'
import { candidatesOf } from '../../../engine/detect/secrets/generic/candidates.ts'
import { runGeneric } from '../../../engine/detect/secrets/generic/run.ts'
import { sample } from '../../../engine/detect/secrets/sample.ts'

/** Values made anew for each seed, so that no file holds one. */
export const value = (template: string, seed = 'test'): string => sample(template, seed)

/** The values that the generic detectors find in a text, with their kinds. */
export function found(text: string, language = 'text'): { kind: string; value: string }[] {
  return runGeneric(text, findAnchors(text), language, false).map(({ kind, start, end, value: whole }) => ({
    kind,
    value: whole ?? text.slice(start, end),
  }))
}

/** Every place that is looked at, judged or not. */
export const looked = (text: string, language = 'text') => candidatesOf(text, findAnchors(text), language)
