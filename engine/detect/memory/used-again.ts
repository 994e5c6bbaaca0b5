import type { Body } from './body.ts'

/** More than this is not written between the head of a loop and what is freed in it. */
const LONGEST_LOOP = 400
const LOOP = /\b(?:for|while)\s*\(/g

/** Whether what a call frees, which stands between two places, is used again, or freed in a loop that goes on with it. */
export function isUsedAgain(body: Body, name: string, start: number, end: number): boolean {
  const { text } = body
  const next = findNextUse(body, name, end)
  if (next !== -1 && !/^\s*=(?!=)/.test(text.slice(next + name.length, next + name.length + 4))) return true
  const before = text.slice(Math.max(0, start - LONGEST_LOOP), start)
  // Few names are followed before they are freed: no expression is made for the others.
  if (!before.includes(`${name}->`)) return false
  const loops = [...before.matchAll(LOOP)].map(({ index }) => before.slice(index))
  if (loops.length === 0 || findWayOut(text, end, text.length) === 'return') return false
  const followed = new RegExp(`^[^{}]*\\b${name}->`)
  return loops.some(loop => followed.test(loop) && !isOver(loop))
}

/** What may hold braces and semicolons that are none. */
const SAID = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g

/** Whether a loop with which a text begins ends in it; false where that is not plain. */
function isOver(loop: string): boolean {
  const code = loop.replace(SAID, ' ')
  if (/^[ \t]*#/m.test(code)) return false
  let depth = 0
  let isHead = true
  for (const { 0: sign, index } of code.matchAll(/[(){};]/g)) {
    if (sign === '(' || sign === '{') depth++
    else if (sign === ')') {
      if (--depth === 0) isHead = false
    } else if (depth === 0 || (sign === '}' && --depth === 0)) {
      // What stands behind it may belong to the last statement of the loop.
      if (!isHead && !/^\s*(?:else|while)\b/.test(code.slice(index + 1))) return true
    }
  }
  return false
}

/** What opens or ends a block, leaves it another way than by `return` and `goto`, or returns or jumps whatever a condition says. */
const WAYS = /[{}]|\b(?:break|continue|case|default|(?:return|goto)\b(?<=([;{}]\s*)?(?:return|goto)))\b/g

/** A `return` is looked for in no longer a stretch. */
const LONGEST_WAY = 4000

/** Jumps, and branches that are not taken, that are followed from one place. */
const MOST_JUMPS = 4

/** Where a name stands next on the way from a place; -1 where every way meets a `return` first. Where that is not plain, where it is written next. */
function findNextUse(body: Body, name: string, from: number): number {
  const { text } = body
  let at = from
  for (let jumps = 0; ; jumps++) {
    const next = body.placeOf(name, at)
    const left = next === -1 || jumps === MOST_JUMPS ? undefined : findWayOut(text, at, next)
    if (left === 'return') return -1
    const to = typeof left === 'object' ? body.behindLabel(left.label) : left
    if (to === undefined || to < at) return next
    at = to
  }
}

/** How every way from one place leaves before a later one: by `return`, to a label, or to what stands behind an `else`; undefined where that is not plain. */
function findWayOut(body: string, from: number, to: number): 'return' | { label: string } | number | undefined {
  let depth = 0
  let least = 0
  for (const { 0: way, 1: begun, index } of body.slice(from, Math.min(to, from + LONGEST_WAY)).matchAll(WAYS)) {
    if (way === '{') depth++
    else if (way === '}') {
      if (--depth >= least) continue
      least = depth
      const behind = skipElse(body, from + index + 1)
      if (behind > from + index + 1) return behind
    } else if (way === 'return') {
      // What it returns itself may be asked for it.
      if (begun !== undefined && depth === least)
        return body.slice(from + index, to).includes(';') ? 'return' : undefined
    } else {
      const label =
        way === 'goto' && begun !== undefined && depth === least
          ? GOTO.exec(body.slice(from + index, to))?.[1]
          : undefined
      return label === undefined ? undefined : { label }
    }
  }
  return undefined
}

const GOTO = /^goto\s+(\w+)\s*;/
const ELSE = /\s*else\s*(?:if\s*\((?:[^(){};]|\([^(){};]*\))*\)\s*)?\{/y

/** Behind the branches that are not taken after one that was, as far as they are blocks. */
function skipElse(body: string, from: number): number {
  let at = from
  for (;;) {
    ELSE.lastIndex = at
    if (!ELSE.test(body)) return at
    let depth = 1
    let end = ELSE.lastIndex
    for (; depth > 0 && end < body.length && end - from < LONGEST_WAY; end++)
      if (body[end] === '{') depth++
      else if (body[end] === '}') depth--
    // A brace that is written in a text or a character is none.
    if (depth > 0 || /["'][^"'\n]*[{}]/.test(body.slice(at, end))) return from
    at = end
  }
}
