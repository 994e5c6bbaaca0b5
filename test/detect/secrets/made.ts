import { findAnchors } from '../../../engine/detect/secrets/generic/anchors.ts'
import { candidatesOf } from '../../../engine/detect/secrets/generic/candidates.ts'
import { runGeneric } from '../../../engine/detect/secrets/generic/run.ts'
import { sample } from '../../../engine/detect/secrets/sample.ts'

/** Values made anew for each seed, so that no file holds one. */
export const value = (template: string, seed = 'test'): string => sample(template, seed)

/** What a value is besides the kind that its name says. */
const BESIDES: ReadonlySet<string> = new Set(['example', 'password_hash'])

/** The values that the generic detectors find in a text, with the kinds that their names say. */
export function found(text: string, language = 'text'): { kind: string; value: string }[] {
  return runGeneric(text, findAnchors(text), language, false)
    .filter(({ kind }) => !BESIDES.has(kind))
    .map(({ kind, start, end, value: whole }) => ({ kind, value: whole ?? text.slice(start, end) }))
}

/** Every place that is looked at, judged or not. */
export const looked = (text: string, language = 'text') => candidatesOf(text, findAnchors(text), language)
