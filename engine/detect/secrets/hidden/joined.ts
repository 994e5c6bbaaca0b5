import { type Stretch, StretchMaker } from './stretch.ts'

/** A span that is left out where the text around it is one. */
interface Cut {
  start: number
  end: number
}

/**
 * Between two parts of one text: the quotes with an operator or a line's end between them, a line that goes on after a backslash, the
 * braces around a text in a template.
 */
const JOINT =
  /(["'`])[ \t]{0,8}(?:(?:[+.&~]|\.\.|\|\||<>)[ \t]{0,8})?(?:\\?\r?\n\s{0,80}(?:(?:[+.&~]|\.\.|\|\||<>)\s{0,8})?)?[A-Za-z]?["'`]|\\\r?\n[ \t]{0,40}|\$\{[ \t]{0,4}(["'`])(?=[\w+/=.:-]{0,200}\2[ \t]{0,4}\})/g
/** Lists that are joined with nothing between: JavaScript's and Ruby's, then Python's. */
const LIST =
  /\[\s{0,40}((?:(["'`])[\w+/=.:-]{1,200}\2\s{0,40},?\s{0,80}){2,40})\]\s{0,8}\.\s{0,8}join\(?\s{0,8}(["'`])\3|(["'])\4\.join\(\s{0,8}[[(]\s{0,40}((?:(["'])[\w+/=.:-]{1,200}\6\s{0,40},?\s{0,80}){2,40})[\])]/g
/** Lines of a folded block of YAML that are one word each. */
const FOLDED = /[:-][ \t]{1,8}>[+-]?[ \t]{0,8}\r?\n((?:[ \t]{1,40}[\w+/=.:-]{8,2000}[ \t]{0,8}(?:\r?\n|$)){2,200})/g

const TOKEN = /[\w+/=.:-]/
/** Characters before the first cut and behind the last one that are looked at. */
const AROUND = 300
/** Cuts further apart than this are not of one text. */
const APART = 400

/** Every text that is written in several parts, put together. */
export function joinParts(text: string, language: string): Stretch[] {
  const cuts: Cut[] = []
  JOINT.lastIndex = 0
  for (let found = JOINT.exec(text); found !== null; found = JOINT.exec(text)) {
    const { index } = found
    const end = index + found[0].length
    if (found[2] !== undefined) {
      const close = text.indexOf('}', end)
      cuts.push({ start: index, end }, { start: text.indexOf(found[2], end), end: close + 1 })
    } else if (isWithin(text, index, end)) cuts.push({ start: index, end })
    // The quote that opens the next part may close it at once.
    if (found[1] !== undefined) JOINT.lastIndex = end - 1
  }
  if (text.includes('join(')) cuts.push(...listCuts(text))
  if (language === 'yaml' && text.includes('>')) cuts.push(...foldCuts(text))
  return stretchesOf(text, cuts)
}

/** Whether a cut has a part of a word on either side, so that the two may be parts of one. */
function isWithin(text: string, start: number, end: number): boolean {
  return TOKEN.test(text[start - 1] ?? '') && TOKEN.test(text[end] ?? '')
}

function listCuts(text: string): Cut[] {
  const cuts: Cut[] = []
  for (const found of text.matchAll(LIST)) {
    const inner = found[1] ?? found[5]!
    const from = found.index + found[0].indexOf(inner)
    for (const between of inner.matchAll(/(["'`])\s{0,40},\s{0,80}["'`]/g))
      cuts.push({ start: from + between.index, end: from + between.index + between[0].length })
  }
  return cuts
}

function foldCuts(text: string): Cut[] {
  const cuts: Cut[] = []
  for (const found of text.matchAll(FOLDED)) {
    const from = found.index + found[0].length - found[1]!.length
    for (const between of found[1]!.matchAll(/[ \t]*\r?\n[ \t]+(?=\S)/g))
      cuts.push({ start: from + between.index, end: from + between.index + between[0].length })
  }
  return cuts
}

function stretchesOf(text: string, unsorted: Cut[]): Stretch[] {
  const cuts = unsorted.filter(({ start, end }) => start >= 0 && end > start).sort((a, b) => a.start - b.start)
  const out: Stretch[] = []
  for (let first = 0; first < cuts.length; ) {
    let next = first + 1
    while (next < cuts.length && cuts[next]!.start - cuts[next - 1]!.end < APART) next++
    out.push(without(text, cuts.slice(first, next)))
    first = next
  }
  return out
}

function without(text: string, cuts: readonly Cut[]): Stretch {
  const maker = new StretchMaker(text)
  const last = cuts.at(-1)!
  let from = Math.max(0, cuts[0]!.start - AROUND)
  for (const { start, end } of cuts) {
    if (start < from) continue
    maker.copy(from, start)
    from = end
  }
  const stop = text.indexOf('\n', last.end)
  maker.copy(from, Math.min(stop === -1 ? text.length : stop, last.end + AROUND))
  return maker.done('joined')
}
