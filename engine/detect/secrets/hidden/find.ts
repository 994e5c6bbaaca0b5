import { findTokenRuns, type TokenRuns } from '../token-runs.ts'
import { decodeEscapes, decodeRun } from './decode.ts'
import { joinParts } from './joined.ts'
import { decodeManifest } from './manifest.ts'
import { findEncodedRuns } from './runs.ts'
import type { Stretch } from './stretch.ts'

/** What a look at a file's bytes left to look for in its text. */
export interface Signs {
  /** Somewhere an escape is written. */
  escapes: boolean
  /** Somewhere a text may go on in another part. */
  joints: boolean
}

/** Texts of which one stands wherever an escape does that may hide something, and in a manifest with a Secret (lower case). */
export const escapeSigns = (): string[] => [
  ...['kind: secret', 'kind: "secret', "kind: 'secret"],
  ...['\\x', '\\u00', '\\u{', '\\/', '&#', '&quot;', '&amp;', '&apos;', '&lt;', '&colon;', '&equals;'],
  ...['%22', '%27', '%2f', '%2b', '%2d', '%3a', '%3d', '%40', '%5f', '%7b'],
  ...['%4', '%5', '%6', '%7'].flatMap(start => [...'0123456789abcdef'].map(digit => `${start}${digit}%`)),
]

/** The same for texts that are written in several parts. */
export const listJointSigns = (): string[] => [
  ...['"', "'", '`'].flatMap(quote =>
    [' +', '+', ' .', '.', ' &', '&', ' |', '|', ' ~', ' <>', '\n', '\r', ' \\', '\\', ` ${quote}`].map(
      rest => quote + rest,
    ),
  ),
  ...['\\\n', '\\\r', '${"', "${'", '.join', '>-\n', '>\n', '>+\n', '>-\r', '>\r'],
]

/**
 * Everything in a text that is written other than as it is meant, decoded once or put together. What it says is not decoded again.
 * `bytes` are the text's characters, one byte each, and `runs` theirs.
 */
export function findHidden(
  text: string,
  bytes: Uint8Array,
  language: string,
  signs: Signs,
  runs: TokenRuns = findTokenRuns(bytes),
): Stretch[] {
  const out: Stretch[] = []
  let past = 0
  for (const run of findEncodedRuns(bytes, runs)) {
    // A line that another one went on with is part of that.
    if (run.start < past) continue
    const stretch = decodeRun(text, run)
    if (!stretch) continue
    out.push(stretch)
    past = stretch.pieces.at(-1)!.to
  }
  if (language === 'yaml') out.push(...decodeManifest(text))
  if (signs.escapes) out.push(...decodeEscapes(text, language === 'json'))
  if (signs.joints) out.push(...joinParts(text, language))
  return out
}
