import { CALL_STEMS } from './calls.ts'
import { NAME_STEMS } from './name.ts'
import { SPECIAL_STEMS } from './special.ts'

/** Every text near which a secret without a format of its own may stand, in lower case. */
export const ANCHORS: readonly string[] = [...NAME_STEMS, ...SPECIAL_STEMS, ...CALL_STEMS]

const FORM = new RegExp(ANCHORS.map(text => text.replace(/[^\p{L}\p{N}]/gu, '\\$&')).join('|'), 'gi')

/** Offsets of the anchors in a text. The automaton over a file's bytes knows them already where each character is one byte. */
export function anchorsIn(text: string): number[] {
  return Array.from(text.matchAll(FORM), ({ index }) => index)
}
