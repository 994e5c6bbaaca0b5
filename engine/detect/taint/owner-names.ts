import type { TaintModel } from '../../base/records/taint-model.ts'
import { isSuffix } from './call-index.ts'

/** Lists of words: a program that goes this way has a word of each. */
export type Way = readonly (readonly string[])[]

/** What a program names that comes by what a function is called on: its module or type, or a call that gives the object. */
export function listOwnerNames(name: string, { returns, sources, simpleTypes }: TaintModel): Way[] {
  const owner = ownerOf(name)
  const isSame = (type: string | undefined, other: string): boolean =>
    type !== undefined && (type === other || (simpleTypes && isSuffix(type, other)))
  if (!NAMED.test(owner) || name.startsWith('new ') || sources.some(({ type }) => isSame(type, owner))) return [[]]
  const makers = Object.keys(returns).filter(call => isSame(returns[call], owner))
  if (!makers.every(call => NAMED.test(call))) return [[]]
  // What only the models name (`HTTP client`) has a space in it; code names what gives it.
  const named = owner.includes(' ') ? makers : [owner, ...makers]
  if (named.length === 0) return [[]]
  const given = new Set([...Object.values(returns), ...sources.map(({ type }) => type)])
  return named.map(full => {
    // Where types are known by their last names alone, or what it is called on is given by another call, the rest need not be written.
    const parts = simpleTypes || given.has(ownerOf(full)) ? full.split('.').slice(-1) : full.split('.')
    // Of a path the last part is what code calls it by.
    return parts.map(part => [part.slice(part.lastIndexOf('/') + 1)])
  })
}

function ownerOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')))
}

/** A name of which each part is in the text where it is in a program: no expression, and no method of whatever object. */
const NAMED = /^[A-Za-z_][\w. /-]*$/
