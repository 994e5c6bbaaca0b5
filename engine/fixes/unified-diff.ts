import { encodePath } from '../base/text/path-name.ts'
import type { Splice } from './encoded-text.ts'

/** Unchanged lines around a change. */
const CONTEXT = 3

/** Lines `from` to `to` (the end exclusive, from 0) that are replaced by others; lines keep their line ends. */
interface Change {
  from: number
  to: number
  lines: string[]
}

/**
 * Replacements in a file's text as a unified diff that `git apply` and `patch -p1` take; empty where nothing changes. What
 * is replaced is known, so nothing is searched for: the time grows with the text alone. The replacements are sorted and do
 * not overlap.
 */
export function formatUnifiedDiff(path: string, text: string, splices: readonly Splice[]): string {
  const lines = linesOf(text)
  const changes = changesOf(text, lines, splices)
  if (changes.length === 0) return ''
  const out = [`--- ${quoted(`a/${path}`)}\n`, `+++ ${quoted(`b/${path}`)}\n`]
  let shift = 0
  for (let at = 0; at < changes.length; ) {
    let end = at + 1
    while (end < changes.length && changes[end]!.from - changes[end - 1]!.to <= 2 * CONTEXT) end++
    const hunk = changes.slice(at, end)
    out.push(...hunkOf(lines, hunk, shift))
    for (const { from, to, lines: added } of hunk) shift += added.length - (to - from)
    at = end
  }
  return out.join('')
}

function hunkOf(lines: readonly string[], changes: readonly Change[], shift: number): string[] {
  const start = Math.max(0, changes[0]!.from - CONTEXT)
  const stop = Math.min(lines.length, changes.at(-1)!.to + CONTEXT)
  const body: string[] = []
  let added = 0
  let at = start
  for (const { from, to, lines: fresh } of changes) {
    for (; at < from; at++) body.push(shown(' ', lines[at]!))
    for (; at < to; at++) body.push(shown('-', lines[at]!))
    for (const line of fresh) body.push(shown('+', line))
    added += fresh.length - (to - from)
  }
  for (; at < stop; at++) body.push(shown(' ', lines[at]!))
  const old = stop - start
  return [`@@ -${range(start, old)} +${range(start + shift, old + added)} @@\n`, ...body]
}

/** A range of no lines names the line before it. */
function range(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`
}

function shown(mark: string, line: string): string {
  return line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`
}

/** The replacements as changes of whole lines, each no larger than it must be, none touching the next. */
function changesOf(text: string, lines: readonly string[], splices: readonly Splice[]): Change[] {
  const changes: Change[] = []
  let line = 0
  let offset = 0
  for (let at = 0; at < splices.length; ) {
    const first = splices[at]!
    while (isBefore(lines[line], first.start - offset)) offset += lines[line++]!.length
    const from = line
    let fresh = ''
    let done = offset
    let end = offset
    // As far as the lines of one replacement reach into those of the next.
    for (; at < splices.length && (splices[at] === first || splices[at]!.start <= end); at++) {
      const { start, end: until, text: replacement } = splices[at]!
      fresh += text.slice(done, start) + replacement
      done = until
      while (line < lines.length && end <= until) end += lines[line++]!.length
    }
    offset = end
    const change = trimmed({ from, to: line, lines: linesOf(fresh + text.slice(done, end)) }, lines)
    if (change) changes.push(change)
  }
  return changes
}

/** Whether a line ends before an offset from its beginning; one without a line end goes on for ever. */
function isBefore(line: string | undefined, offset: number): boolean {
  return line?.endsWith('\n') === true && line.length <= offset
}

/** Without the lines that stay as they are; undefined where all do. */
function trimmed({ from, to, lines }: Change, old: readonly string[]): Change | undefined {
  let start = 0
  let end = lines.length
  while (from < to && start < end && old[from] === lines[start]) {
    from++
    start++
  }
  while (from < to && start < end && old[to - 1] === lines[end - 1]) {
    to--
    end--
  }
  return from === to && start === end ? undefined : { from, to, lines: lines.slice(start, end) }
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** The name as git quotes it: in C's way where it has a quote, a backslash, or a byte that is no character. */
function quoted(name: string): string {
  const bytes = encodePath(name)
  const plain = bytes.toString() === name
  if (plain && !/["\\\p{Cc}]/u.test(name)) return name.includes(' ') ? `${name}\t` : name
  const each = [...bytes].map(byte => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`
    return byte < 0x20 || byte > 0x7e ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte)
  })
  return `"${each.join('')}"`
}
