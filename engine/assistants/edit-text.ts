import { EngineError } from '../base/errors.ts'
import { hasOwn, insertJson, type Json, parseTree, refusal, removeJson } from './insert-json.ts'
import { isOwnText, isSameText } from './own-text.ts'
import type { Written } from './record.ts'
import type { Target } from './targets.ts'

/** A file's text after an edit; undefined text: no file. */
export interface Edited {
  text: string | undefined
  /** What was inserted; undefined where nothing of svc's is noted. */
  written?: Written
  /** What of svc's was changed by others and stays, as the end of a sentence that begins with the file's name. */
  left?: string
}

/**
 * The text without what svc inserted, as the record says, else by structure and markers. Only what is svc's own text to the letter is taken
 * out; what was changed is `left`.
 */
export async function strip(json: Json, target: Target, text: string, written?: Written): Promise<Edited> {
  const { path } = target
  if (target.kind === 'json') parseTree(json, text, path)
  let bare = written && withoutInserted(json, target, text, written.inserted)
  if (bare !== undefined && target.kind === 'json' && bare.trim() !== '' && !isWellFormed(json, bare, path))
    bare = undefined
  if (bare !== undefined)
    return written?.made === target.base && bare === target.base ? { text: undefined } : { text: bare }
  return stripByStructure(json, target, text)
}

/** The insertions are taken out in the reverse order; undefined where one is not there as it was written, or not svc's. */
function withoutInserted(json: Json, target: Target, text: string, inserted: readonly string[]): string | undefined {
  const whole = target.kind === 'json' ? makeWhole(json, target) : undefined
  if (inserted.length > (target.kind === 'json' ? target.edits.length : 1)) return undefined
  let bare = text
  for (const piece of [...inserted].reverse()) {
    const at = isOwnText(target, piece, whole) ? bare.indexOf(piece) : -1
    if (at === -1) return undefined
    bare = bare.slice(0, at) + bare.slice(at + piece.length)
  }
  return bare
}

function isWellFormed(json: Json, text: string, path: string): boolean {
  try {
    parseTree(json, text, path)
    return true
  } catch (error) {
    if (error instanceof EngineError) return false
    throw error
  }
}

function stripByStructure(json: Json, target: Target, text: string): Edited {
  if (target.kind === 'json') {
    const bare = target.edits.reduceRight((at, edit) => removeJson(json, at, edit, target.path), text)
    const isLeft = target.edits.some(edit => hasOwn(json, bare, edit, target.path))
    return { text: bare, ...(isLeft && { left: 'has an entry of svc that was changed' }) }
  }
  if (target.kind === 'whole') {
    if (!text.includes(target.mark)) return { text }
    return isSameText(text, target.content) ? { text: '' } : { text, left: 'is a file of svc that was changed' }
  }
  const block = findBlock(target, text)
  if (!block) return { text }
  if (!isSameText(text.slice(block.start, block.end), target.block))
    return { text, left: 'has a section of svc that was changed' }
  return { text: text.slice(0, block.start) + text.slice(block.end) }
}

/** Where the marked block is; undefined where there is none. CONFLICT where a marker lacks its partner or is there twice. */
function findBlock(
  { path, begin, end }: Extract<Target, { kind: 'block' }>,
  text: string,
): { start: number; end: number } | undefined {
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)]
  if (start === -1 && stop === -1) return undefined
  const extra = [text.indexOf(begin, start + 1), text.indexOf(end, stop + 1)].find(
    at => at !== -1 && at > Math.max(start, stop),
  )
  if (start === -1 || stop < start || extra !== undefined)
    throw refusal(text, extra ?? Math.max(start, stop), path, `has a marker of svc without its partner`)
  const after = stop + end.length
  return { start, end: after + (/^\r?\n/.exec(text.slice(after, after + 2))?.[0].length ?? 0) }
}

/** The text with what svc has to say. `text` is without it; undefined where there is no file. */
export async function extend(json: Json, target: Target, text: string | undefined): Promise<Edited> {
  const base = text ?? target.base
  const made = text === undefined ? { made: target.base } : {}
  if (target.kind === 'json') return extendJson(json, target, base, made)
  if (target.kind === 'whole') {
    if (text !== undefined && text.trim() !== '') throw refusal(text, 0, target.path, 'is a file of your own')
    const inserted = target.content
    return { text: base + inserted, written: { ...made, inserted: [inserted] } }
  }
  if (findBlock(target, base))
    throw refusal(base, base.indexOf(target.begin), target.path, 'has another section of svc')
  const newline = base.includes('\r\n') ? '\r\n' : '\n'
  const isBlank = base === '' || base === '\uFEFF'
  const gap = isBlank ? '' : base.endsWith('\n') ? newline : newline + newline
  const inserted = gap + target.block.replaceAll('\n', newline)
  if (target.toml) await checkToml(base, base + inserted, target.path)
  return { text: base + inserted, written: { ...made, inserted: [inserted] } }
}

/** The text of a file that svc makes. */
function makeWhole(json: Json, { base, edits, path }: Extract<Target, { kind: 'json' }>): string {
  return edits.reduce((at, edit) => insertJson(json, at, edit, path)!.text, base)
}

function extendJson(
  json: Json,
  target: Extract<Target, { kind: 'json' }>,
  base: string,
  made: Pick<Written, 'made'>,
): Edited {
  let text = base
  const inserted: string[] = []
  if (/^\uFEFF?\s*$/.test(base)) {
    // An empty file is no JSON; the whole text is then the insertion.
    const whole = makeWhole(json, target)
    return { text: base + whole, written: { ...made, inserted: [whole] } }
  }
  for (const edit of target.edits) {
    const next = insertJson(json, text, edit, target.path)
    if (!next) continue
    text = next.text
    inserted.push(next.inserted)
  }
  return inserted.length === 0 ? { text } : { text, written: { ...made, inserted } }
}

/** CONFLICT where the file is no TOML, or has a server of this name. */
async function checkToml(before: string, after: string, path: string): Promise<void> {
  const { parse, TomlError } = await import('smol-toml')
  for (const [text, what] of [
    [before, 'is not well-formed'],
    [after, 'cannot be extended, since it has an mcp_servers.svc of its own or defines mcp_servers in one line'],
  ] as const) {
    try {
      parse(text.replace(/^\uFEFF/, ''))
    } catch (error) {
      if (!(error instanceof TomlError)) throw error
      const lines = text.split('\n').slice(0, error.line - 1)
      throw refusal(text, lines.join('\n').length + (lines.length > 0 ? 1 : 0), path, what)
    }
  }
}
