/** Languages with the preprocessor of C. */
const PREPROCESSED: ReadonlySet<string> = new Set(['c', 'cpp', 'objectivec', 'cuda'])
const DIRECTIVE = /^[ \t]*#[ \t]*(ifdef|ifndef|if|elifdef|elifndef|elif|else|endif)\b[ \t]*([^\r\n]*)$/gm
const DEFINED = /^[ \t]*(\/\/+[ \t]*|\/\*[ \t]*)?#[ \t]*define[ \t]+(\w+)/gm

/** A condition that is open: where its code is disabled, and whether an earlier branch of it is compiled. */
interface Condition {
  disabledFrom: number | undefined
  /** An earlier branch is compiled for certain, so that later ones are not. */
  isDecided: boolean
}

interface Range {
  start: number
  end: number
}

/**
 * A test for offsets of a text whose code no compiler sees: `#if 0`, what follows `#else` of `#if 1`, and `#ifdef` of a name whose only
 * `#define` in the file is commented out. Other names may be defined anywhere, so their code counts. The text is read when first asked.
 */
export function makeDisabledTest(language: string, text: string): (offset: number) => boolean {
  if (!PREPROCESSED.has(language)) return () => false
  let ranges: readonly Range[] | undefined
  return offset => {
    ranges ??= findDisabledCode(text)
    let low = 0
    let high = ranges.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (ranges[middle]!.end <= offset) low = middle + 1
      else high = middle
    }
    return low < ranges.length && ranges[low]!.start <= offset
  }
}

/** The ranges without code that is compiled, ascending and apart; none of a condition that is never closed. */
export function findDisabledCode(text: string): Range[] {
  const ranges: Range[] = []
  const open: Condition[] = []
  let off: ReadonlySet<string> | undefined
  for (const { 0: line, 1: word, 2: rest, index } of text.matchAll(DIRECTIVE)) {
    const end = index + line.length
    if (word!.startsWith('if')) {
      off ??= listSwitchedOff(text)
      const value = evaluateCondition(word!, rest!, off)
      open.push({ disabledFrom: value === false ? end : undefined, isDecided: value === true })
      continue
    }
    const condition = open.at(-1)
    if (!condition) continue
    const start = condition.disabledFrom
    if (start !== undefined) {
      // A range ends behind those of the conditions within it.
      while (ranges.length > 0 && ranges.at(-1)!.start >= start) ranges.pop()
      ranges.push({ start, end: index })
    }
    condition.disabledFrom = undefined
    if (word === 'endif') open.pop()
    else if (condition.isDecided) condition.disabledFrom = end
  }
  return ranges
}

/** Whether a condition holds, undefined where that depends on what is defined elsewhere. */
function evaluateCondition(word: string, rest: string, off: ReadonlySet<string>): boolean | undefined {
  const tested = rest.replace(/\/[/*].*$/, '').trim()
  if (word === 'ifdef') return off.has(tested) ? false : undefined
  if (word === 'ifndef') return off.has(tested) ? true : undefined
  if (/^\(?[ \t]*0[ \t]*\)?$/.test(tested)) return false
  if (/^\(?[ \t]*1[ \t]*\)?$/.test(tested)) return true
  const name = /^defined[ \t]*\(?[ \t]*(\w+)[ \t]*\)?$/.exec(tested)?.[1]
  return name !== undefined && off.has(name) ? false : undefined
}

/** The names that the file defines in comments alone: switches that are off. */
function listSwitchedOff(text: string): Set<string> {
  const off = new Set<string>()
  const on = new Set<string>()
  for (const [, comment, name] of text.matchAll(DEFINED)) (comment === undefined ? on : off).add(name!)
  for (const name of on) off.delete(name)
  return off
}
