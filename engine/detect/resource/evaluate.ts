import type { ResourceCondition, ResourceRow } from '../../base/records/rule.ts'
import type { Block, Configuration, Value } from './configuration.ts'
import { findArguments, listBlocks, type Names, resolve } from './resolve.ts'

/** A place that a row speaks of: the argument at fault, or the header of the block where it is missing. */
export interface Fault {
  row: ResourceRow
  start: number
  end: number
  /** The value as it stands in the file, where it may be replaced: not where a name stands for it. */
  literal?: { start: number; end: number }
}

/** How a condition comes out; `unknown` where what decides stands in another file. */
type Answer =
  | { holds: true; start: number; end: number; literal?: { start: number; end: number } }
  | { holds: false | 'unknown' }

/** What rows refer to a block by: the type of a resource, or the keyword and first label of another block (`data.aws_iam_policy_document`). */
export function nameBlock({ keyword, labels }: Block): string {
  return keyword === 'resource' ? (labels[0] ?? '') : [keyword, ...labels.slice(0, 1)].join('.')
}

/** The faults of a file by the rows of a rule, each place once, in the order of the file. */
export function findFaults(
  rows: readonly ResourceRow[],
  { blocks }: Configuration,
  names: Names,
  expression: (source: string) => RegExp,
): Fault[] {
  const faults = new Map<number, Fault>()
  for (const block of blocks) {
    const name = nameBlock(block)
    for (const row of rows) {
      if (!row.types.includes(name)) continue
      for (const asked of listAsked(block, row.within, names)) {
        const fault = judge(row, asked.block, asked.names, expression)
        if (fault && !faults.has(fault.start)) faults.set(fault.start, fault)
      }
    }
  }
  return [...faults.values()].sort((a, b) => a.start - b.start)
}

function listAsked(block: Block, within: string | undefined, names: Names): { block: Block; names: Names }[] {
  let asked = [{ block, names }]
  for (const name of within?.split('.') ?? []) asked = asked.flatMap(one => listBlocks(one.block, name, one.names))
  return asked
}

function judge(
  row: ResourceRow,
  block: Block,
  names: Names,
  expression: (source: string) => RegExp,
): Fault | undefined {
  const answer = ask(row, block, names, expression)
  if (answer.holds !== true) return undefined
  for (const other of row.and ?? []) if (ask(other, block, names, expression).holds !== true) return undefined
  // Where properties are wrong together, the block is the place.
  const { start, end } = row.and === undefined ? answer : block
  return { row, start, end, literal: answer.literal }
}

function ask(condition: ResourceCondition, block: Block, names: Names, expression: (source: string) => RegExp): Answer {
  const found = findArguments(block, condition.property.split('.'), names)
  let isOpen = false
  let isSet = false
  for (const { argument, names: there } of found) {
    const { value, start } = argument
    const resolved = resolve(value, there)
    isOpen ||= resolved.isOpen
    for (const one of resolved.values) {
      if (one.kind === 'null') continue
      isSet = true
      const ends = condition.until === undefined ? [undefined] : listNumbers(condition.until, block, names)
      if (!ends.some(end => matches(condition, one, there, expression, end))) continue
      return {
        holds: true,
        start,
        end: value.end,
        literal: one === value ? { start: value.start, end: value.end } : undefined,
      }
    }
  }
  if (isOpen) return { holds: 'unknown' }
  return condition.absent && !isSet ? { holds: true, start: block.start, end: block.end } : { holds: false }
}

/** Whether a value, or one of a list, is what the condition names. */
function matches(
  condition: ResourceCondition,
  value: Value,
  names: Names,
  expression: (source: string) => RegExp,
  end?: number,
): boolean {
  if (value.kind === 'list') {
    if (condition.empty && value.items.length === 0) return true
    return value.items.some(item =>
      resolve(item, names).values.some(one => matches(condition, one, names, expression, end)),
    )
  }
  if (value.kind !== 'text' && value.kind !== 'number' && value.kind !== 'truth') return false
  const text = value.text.toLowerCase()
  const { is, not, at_most, at_least } = condition
  if (condition.empty && text === '') return true
  if (is?.some(one => String(one).toLowerCase() === text)) return true
  if (not && !not.some(one => String(one).toLowerCase() === text)) return true
  if (condition.matches !== undefined && expression(condition.matches).test(value.text)) return true
  if (condition.covers?.some(number => isWithin(number, text, end))) return true
  if (at_most === undefined && at_least === undefined) return false
  const number = Number(text)
  return (
    text !== '' &&
    !Number.isNaN(number) &&
    (at_most === undefined || number <= at_most) &&
    (at_least === undefined || number >= at_least)
  )
}

/** Whether a number is in the range that a text gives: `22`, `20-25`, `*`; from it to `end`, where that is given. */
function isWithin(number: number, text: string, end: number | undefined): boolean {
  if (text === '*') return true
  const range = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text)
  if (!range) return false
  const from = Number(range[1])
  return from <= number && number <= (end ?? Number(range[2] ?? range[1]))
}

function listNumbers(property: string, block: Block, names: Names): number[] {
  return findArguments(block, [property], names)
    .flatMap(({ argument, names: there }) => resolve(argument.value, there).values)
    .flatMap(value => (value.kind === 'number' || value.kind === 'text' ? Number(value.text) : []))
    .filter(number => !Number.isNaN(number))
}
