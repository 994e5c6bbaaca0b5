import type { Analysis } from './analysis.ts'
import type { Given } from './functions.ts'
import type { Value } from './value.ts'

/** Methods whose result begins as what they are called on. */
const KEEP = new Set(['toString', 'c_str', 'concat', 'trimEnd', 'trimRight', 'split', 'join'])

/** Methods named for what they add to an address or take from it, behind its host. */
const CHANGES = /^(?:add|append|set|remove|strip|delete|update)\w*(?:Param\w*|Query\w*|Hash|Fragment|Anchor)$/

/** Methods whose result begins as their first argument: a session's number is put at the end of an address. */
const KEEP_FIRST = new Set(['encodeRedirectURL', 'encodeRedirectUrl', 'encodeURL', 'encodeUrl', 'encodeURI'])

/**
 * What a call gives, with what is known of its beginning. Paths that are joined begin with the first of them, and no two slashes are
 * left there.
 */
export function evaluateBeginning(
  { text }: Analysis,
  method: string,
  receiver: Value | undefined,
  given: readonly Given[],
  out: Value,
): Value {
  if (out.labels.length === 0 || out.prefix !== undefined) return out
  const first = given[0]
  // Several slashes at the beginning become one.
  const isCleaned = method === 'Clean' && first?.value.prefix?.startsWith('/')
  const isKept =
    KEEP.has(method) ||
    (/^(?:substring|substr|slice)$/.test(method) && first?.value.constant === 0) ||
    (method === 'replace' && isLater(receiver?.prefix, first?.value.constant, given[1]?.value.constant)) ||
    // Of an address of the own host a client chooses what stands behind the host: a piece of it that is replaced leaves the host.
    (method === 'replace' && receiver?.prefix === OWN_HOST && isPiece(text, first)) ||
    // What stands at the end is replaced: `url.replace(/index.html$/, '')`, `url.replace(/#.*/, '')`. A fragment begins with its mark.
    (method === 'replace' &&
      first !== undefined &&
      !receiver?.prefix?.startsWith('#') &&
      /^\/\\?[?#]|\$\/\w*$/.test(text.slice(first.argument.value.start, first.argument.value.end)))
  if (
    /^(?:join|url_?(?:path_?)?join|urlPathJoin|joinUrl|join_url)$/.test(method) &&
    given.length > 1 &&
    first!.value.labels.length === 0 &&
    !receiver?.labels.length
  )
    return { ...out, prefix: first!.value.prefix?.startsWith('/') ? '/\uFFFC' : '\uFFFC' }
  const prefix =
    KEEP_FIRST.has(method) || isCleaned || CHANGES.test(method)
      ? first?.value.prefix
      : isKept
        ? receiver?.prefix
        : undefined
  return prefix === undefined ? out : { ...out, prefix }
}

/** What the whole address of a page or request begins with, whatever its host is. */
const OWN_HOST = 'https://\uFFFC/'

/** Whether it is written as a text, or as an expression that stands for a piece of one, and not for all before a place. */
function isPiece(text: string, given: Given | undefined): boolean {
  const written = given && text.slice(given.argument.value.start, given.argument.value.end)
  return written !== undefined && (/^["'][^\n]+["']$/.test(written) || PIECE.test(written))
}

const PIECE = /^\/(?![*^/])(?:(?!\.[*+{?]|\]\*|[[|(]\^|\\[SWD][*+{])[^\n])+\/[a-z]*$/

/** Whether a fixed text that is replaced by another lies behind the beginning, or meets it in one sign that stays as it is. */
function isLater(prefix: string | undefined, text: unknown, other: unknown): boolean {
  if (prefix === undefined || typeof text !== 'string' || typeof other !== 'string') return false
  return text.length > 1 && !prefix.includes(text) && other.startsWith(text[0]!)
}
