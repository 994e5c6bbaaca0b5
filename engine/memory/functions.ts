import type { Span } from '../taint/ir.ts'

/** What has braces, ends a statement, or hides both. What is not closed hides the rest of its line or the text; a sign between digits hides nothing. */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|R"([^()\\\s]{0,16})\([\s\S]*?(?:\)\1"|(?![\s\S]))|"(?:[^"\\\n]|\\[\s\S])*"?|(?<!\b\d[\w']{0,20})'(?:[^'\\\n]|\\.){0,16}'|^[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*|[{};]/gm

/**
 * Where the functions of a text of C or C++ stand, from their type to their last brace, by braces alone: a small part of what a parser
 * would take. Within a function there is no other; where conditional lines unbalance the braces, the next one at the left edge ends it,
 * or the end of the text.
 */
export function functionsIn(text: string): Span[] {
  const out: Span[] = []
  let since = 0
  /** Behind the last brace: what stands between is the head of a function, with the parameters' types below it as it once was written. */
  let behind = 0
  let depth = 0
  let open: number | undefined
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{') {
      if (open !== undefined) depth++
      else if (isHead(text, since, index)) {
        open = since
        depth = 1
      } else if (isOldHead(text, behind, index)) {
        open = behind
        depth = 1
      } else since = behind = index + 1
    } else if (token === '}') {
      if (open === undefined) since = behind = index + 1
      else if (--depth === 0 || text[index - 1] === '\n') {
        out.push({ start: open, end: index + 1 })
        open = undefined
        since = behind = index + 1
      }
    } else if (open === undefined && token === ';') since = index + 1
    else if (open === undefined && /^\s*[#/]/.test(token)) since = behind = index + token.length
  }
  if (open !== undefined) out.push({ start: open, end: text.length })
  return out
}

/** More than this is not written between a parameter list's end and the brace. */
const LONGEST_HEAD = 200

/** Whether what stands before an opening brace is the head of a function: parameters, and what may follow them. */
function isHead(text: string, start: number, end: number): boolean {
  const head = text.slice(Math.max(start, end - LONGEST_HEAD), end)
  const close = head.lastIndexOf(')')
  if (close === -1) return isListed(text, start, end)
  // What a type has before its name, such as how it is laid out.
  if (/\b(?:class|struct|union)\s+\w+\s*\(/.test(head)) return false
  return /^[\w\s&]*(?:->[\w\s:<>,*&]*)?$/.test(head.slice(close + 1)) && !/=\s*\([^()=]*\)\s*$/.test(head)
}

/** Whether nothing stands between a brace and the one before it, as where a constructor's last member is given its value in braces. */
function isListed(text: string, start: number, end: number): boolean {
  return text[start - 1] === '}' && text.slice(start, end).trim() === ''
}

/** Whether parameters are declared between their names and the brace. */
function isOldHead(text: string, start: number, end: number): boolean {
  const head = text.slice(Math.max(start, end - LONGEST_HEAD), end)
  return /\)\s*\w[\w\s*,;[\]]*;\s*$/.test(head)
}
