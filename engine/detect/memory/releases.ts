import type { Span } from '../taint/ir.ts'
import { CALLS, type CallIndex } from './call-index.ts'
import { FREES } from './library.ts'

/** Of the functions of a text that free what a parameter points to, whatever happens: the number of the parameter. */
export type Releases = ReadonlyMap<string, number>

const HEAD = /(?:^|[^\w:~.])(\w+)\s*\(([^(){};]*)\)\s*$/

/** What is freed by itself or where it is there, and what stands before it. */
const RELEASE = new RegExp(
  `(?:[;{}]|\\bif\\s*\\(\\s*(\\w+)(?:\\s*!=\\s*(?:NULL|0|nullptr))?\\s*\\)\\s*\\{?)\\s*(?:${[...FREES].join('|')})\\s*\\(\\s*(?:\\([^();]{1,80}\\)\\s*)?(\\w+)\\s*\\)\\s*;`,
  'g',
)

/** A function that frees is short. */
const LONGEST = 4000

/** Looks for them; of a function that is defined twice, or that conditional lines are in, nothing is known. */
export function findReleases(text: string, functions: readonly Span[], calls: CallIndex): Releases {
  const out = new Map<string, number>()
  for (const span of functions) {
    const { start, end } = span
    if (end - start > LONGEST || (calls.within(span) & CALLS.FREES) === 0) continue
    const own = text.slice(start, end)
    const brace = own.indexOf('{')
    const [, name, given] = HEAD.exec(own.slice(0, brace)) ?? []
    if (name === undefined || FREES.has(name)) continue
    const parameters = given!.split(',').map(each => /\*[\w\s]*?\b(\w+)\s*$/.exec(each)?.[1])
    const at = findReleased(own.slice(brace), parameters)
    if (at !== undefined) out.set(name, at)
  }
  if (out.size === 0) return out
  const seen = new Set<string>()
  for (const { start } of functions) {
    const name = HEAD.exec(text.slice(start, text.indexOf('{', start)))?.[1]
    if (name !== undefined && seen.has(name)) out.delete(name)
    if (name !== undefined) seen.add(name)
  }
  return out
}

function findReleased(body: string, parameters: readonly (string | undefined)[]): number | undefined {
  if (/^[ \t]*#/m.test(body)) return undefined
  for (const { 0: all, 1: asked, 2: name, index } of body.matchAll(RELEASE)) {
    const at = parameters.indexOf(name)
    if (at === -1 || (asked !== undefined && asked !== name)) continue
    // A brace that the expression takes with it opens or closes before what is freed.
    const before = body.slice(0, index + (asked === undefined ? /^[;{}]/.exec(all)![0].length : 0))
    if (countDepth(before) !== 1 || /\b(?:return|goto|break|else)\b/.test(before)) continue
    if (asked !== undefined && !/[;{}]\s*$/.test(before)) continue
    if (
      !new RegExp(
        `[^=!<>]\\s*&\\s*${name}\\b|\\b${name}\\s*(?:[-+|]?=(?!=)|\\+\\+|--)|\\b(?:\\+\\+|--)\\s*${name}\\b`,
      ).test(before)
    )
      return at
  }
  return undefined
}

function countDepth(text: string): number {
  let depth = 0
  for (const [sign] of text.matchAll(/[{}]/g)) depth += sign === '{' ? 1 : -1
  return depth
}
