import { CALL_STEMS } from './callees.ts'
import { COMMAND_STEMS } from './commands.ts'
import { USER_STEMS } from './entries.ts'
import { NAME_STEMS } from './name.ts'
import { SPECIAL_STEMS } from './special.ts'
import { SPOKEN_STEMS } from './spoken.ts'

/** Every text near which a secret without a format of its own may stand, in lower case. */
export const listAnchors = (): string[] => [
  ...NAME_STEMS,
  ...SPECIAL_STEMS,
  ...COMMAND_STEMS,
  ...CALL_STEMS,
  ...SPOKEN_STEMS,
  ...USER_STEMS,
]

let form: RegExp | undefined

/** Offsets of the anchors in a text. The automaton over a file's bytes knows them already where each character is one byte. */
export function findAnchors(text: string): number[] {
  form ??= new RegExp(
    listAnchors()
      .map(anchor => anchor.replace(/[^A-Za-z0-9\x80-\uffff]/g, '\\$&'))
      .join('|'),
    'gi',
  )
  return Array.from(text.matchAll(form), ({ index }) => index)
}
