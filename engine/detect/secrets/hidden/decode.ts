import { isDigit64, measureReadable, type Run } from './runs.ts'
import { type Stretch, StretchMaker } from './stretch.ts'

/**
 * What may stand between two lines of one text in base64: a line's end, written out or as an escape, with the quotes, operators and
 * comment signs around it. Each part is bounded.
 */
const FOLD =
  /(?:(?:\\r)?\\n["'`]?|["'`]?)[ \t]{0,8}[+.&,]?[ \t]{0,8}\\?(?:\r?\n)?[ \t]{0,40}(?:[#*]|\/\/)?[ \t]{0,8}[+.&]?[ \t]{0,8}["'`]?/y
/** Lines of fewer digits are not folded ones. */
const LEAST_LINE = 32

/** The run decoded, with the lines that go on after it; undefined where too little of it is readable. */
export function decodeRun(text: string, { start, end, writing }: Run): Stretch | undefined {
  const maker = new StretchMaker(text)
  if (writing === 'hex') {
    let last = start
    while (last < end && /[0-9A-Fa-f]/.test(text[last]!)) last++
    const bytes = Buffer.from(text.slice(start, last - ((last - start) % 2)), 'hex')
    maker.decoded(bytes.subarray(0, measureReadable(bytes)).toString('latin1'), start, 1, 2)
    return maker.done('hex')
  }
  const wide = isWide(text, start)
  let line = { start, end }
  for (;;) {
    const bytes = Buffer.from(text.slice(line.start, line.end), 'base64')
    const padded = line.end + /^={0,2}/.exec(text.slice(line.end, line.end + 2))![0].length
    if (wide) {
      maker.decoded(bytes.toString('utf16le'), line.start, 3, 8, padded)
      break
    }
    const readable = measureReadable(bytes)
    maker.decoded(bytes.subarray(0, readable).toString('latin1'), line.start, 3, 4, padded)
    if (readable < bytes.length) break
    const next = lineAfter(text, line)
    if (!next) break
    line = next
  }
  return maker.length > 0 ? maker.done('base64') : undefined
}

/** Text in UTF-16, as PowerShell takes it. */
function isWide(text: string, start: number): boolean {
  const [, second, , fourth] = Buffer.from(text.slice(start, start + 8), 'base64')
  return second === 0 && fourth === 0
}

function lineAfter(text: string, line: { start: number; end: number }): { start: number; end: number } | undefined {
  const size = line.end - line.start
  if (size < LEAST_LINE || size % 4 !== 0 || text[line.end] === '=') return undefined
  FOLD.lastIndex = line.end
  const fold = FOLD.exec(text)?.[0] ?? ''
  if (!/\n|\\n/.test(fold)) return undefined
  const start = line.end + fold.length
  let end = start
  while (end < text.length && isDigit64(text.charCodeAt(end))) end++
  // The last line may be short; one that is longer than those before belongs to something else.
  return end > start && end - start <= size ? { start, end } : undefined
}

/** Escapes of one character each, and what each kind is called. Those of characters that no credential has are not among them. */
const ESCAPE =
  /(?<url>%(?:2[1-9A-Fa-f]|[3-6][0-9A-Fa-f]|7[0-9A-Ea-e]))|(?<escapes>\\(?:x[0-9A-Fa-f]{2}|u00[2-7][0-9A-Fa-f]|u\{0{0,4}[2-7][0-9A-Fa-f]\}|U000000[2-7][0-9A-Fa-f]|["/]))|(?<entities>&(?:#(?:[xX]0{0,4}[2-7][0-9A-Fa-f]|0{0,4}\d{2,3});|(?:quot|amp|apos|lt|gt|colon|equals|sol|lowbar|num|commat);))/g

const NAMED: Record<string, string> = {
  quot: '"',
  amp: '&',
  apos: "'",
  lt: '<',
  gt: '>',
  colon: ':',
  equals: '=',
  sol: '/',
  lowbar: '_',
  num: '#',
  commat: '@',
}

/** Characters of a line that are looked at around its escapes. */
const AROUND = 400
/** The escape of a quote or a slash alone is everyday writing; so is a single percent sign, as in a format. */
const PLAIN = /^\\["/]$/
const TELLING = /^%(?:3[AaDd]|22|40|2[Ff])$/

/** Every line, or long line's part, that has escapes in it, decoded. */
export function decodeEscapes(text: string, plainToo: boolean): Stretch[] {
  const out: Stretch[] = []
  let group: { at: number; size: number; char: string; kind: 'url' | 'escapes' | 'entities' }[] = []
  let end = -1
  const flush = () => {
    if (group.length > 0 && isWorthwhile(text, group, plainToo)) out.push(decodeGroup(text, group, end))
    group = []
  }
  ESCAPE.lastIndex = 0
  for (let found = ESCAPE.exec(text); found !== null; found = ESCAPE.exec(text)) {
    const char = charOf(found[0])
    if (char === undefined) continue
    if (found.index >= end) {
      flush()
      const stop = text.indexOf('\n', found.index)
      end = Math.min(stop === -1 ? text.length : stop, found.index + AROUND * 10)
    }
    const kind = found.groups!.url !== undefined ? 'url' : found.groups!.escapes !== undefined ? 'escapes' : 'entities'
    group.push({ at: found.index, size: found[0].length, char, kind })
  }
  flush()
  return out
}

function isWorthwhile(
  text: string,
  group: readonly { at: number; size: number; kind: string }[],
  plainToo: boolean,
): boolean {
  let percent = 0
  for (const { at, size, kind } of group) {
    const written = text.slice(at, at + size)
    if (kind === 'url') {
      percent += TELLING.test(written) ? 2 : 1
      if (percent >= 2) return true
    } else if (plainToo || !PLAIN.test(written)) return true
  }
  return false
}

function decodeGroup(
  text: string,
  group: readonly { at: number; size: number; char: string; kind: 'url' | 'escapes' | 'entities' }[],
  end: number,
): Stretch {
  const first = group[0]!
  const last = group.at(-1)!
  const maker = new StretchMaker(text)
  let from = Math.max(text.lastIndexOf('\n', first.at - 1) + 1, first.at - AROUND)
  for (const { at, size, char } of group) {
    maker.copy(from, at)
    maker.decoded(char, at, 1, size)
    from = at + size
  }
  maker.copy(from, Math.min(end, last.at + last.size + AROUND))
  const kinds = group.filter(({ at, size }) => !PLAIN.test(text.slice(at, at + size)))
  return maker.done((kinds[0] ?? first).kind)
}

/** The character that an escape stands for, where it is printable ASCII. */
function charOf(written: string): string | undefined {
  if (PLAIN.test(written)) return written[1]
  const named = /^&([a-z]+);$/.exec(written)?.[1]
  if (named !== undefined) return NAMED[named]
  const code = written.startsWith('&#')
    ? Number(/[xX]/.test(written[2]!) ? `0x${written.slice(3, -1)}` : written.slice(2, -1))
    : Number.parseInt(written.replace(/[%\\xuU{}]/g, ''), 16)
  return code > 32 && code < 127 ? String.fromCharCode(code) : undefined
}
