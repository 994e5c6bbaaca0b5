import { styleText } from 'node:util'
import type { Paint } from '../engine/base/text/view.ts'
import type { Output } from './host.ts'

/**
 * Whether a stream takes colour, each stream judged alone: `--no-color` and NO_COLOR (any text) refuse it, then
 * FORCE_COLOR decides (0 and false refuse), then TERM=dumb refuses it, then a terminal takes it. See no-color.org.
 */
export function usesColor(
  stream: Output,
  env: Readonly<Record<string, string | undefined>>,
  refused: boolean,
): boolean {
  if (refused || env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return env.TERM !== 'dumb' && stream.isTTY === true
}

/** A painter that colours, or one that leaves text as it is. Node is not to judge standard output once more. */
export function makePaint(colours: boolean): Paint {
  return colours ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text
}
