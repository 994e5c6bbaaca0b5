import type { ResourceCondition, ResourceRow } from '../../base/records/rule.ts'
import type { Block, Value } from './configuration.ts'
import { addEach, findArguments, listBlocks, type Names, resolve, type Work } from './resolve.ts'

/** A place that rows speak of: the argument at fault, or the header of the block where arguments are missing. */
export interface Fault {
  row: ResourceRow
  start: number
  end: number
  /** The value as it stands in the file, where it may be replaced: not where a name stands for it. */
  literal?: { start: number; end: number }
  /** The properties that are not given. */
  missing: string[]
}

/** How a condition comes out; `unknown` where what decides stands in another file. */
type Answer =
  | { holds: true; start: number; end: number; literal?: Fault['literal']; isMissing?: true }
  | { holds: false | 'unknown' }

/** What conditions are held against. */
interface Asked {
  block: Block
  names: Names
  work: Work
  expression: (source: string) => RegExp
}

/** What rows refer to a block by: the type of a resource, or the keyword and first label of another block (`data.aws_iam_policy_document`). */
export function nameBlock({ keyword, labels }: Block): string {
  return keyword === 'resource' ? (labels[0] ?? '') : [keyword, ...labels.slice(0, 1)].join('.')
}

/** The faults by the rows of a rule in the blocks of a file, which stand under their names; each place once, in the order of the file. */
export function findFaults(
  rows: readonly ResourceRow[],
  blocks: ReadonlyMap<string, readonly Block[]>,
  given: Omit<Asked, 'block'>,
): Fault[] {
  const faults = new Map<number, Fault>()
  for (const row of rows) {
    for (const block of row.types.flatMap(type => selectBlocks(blocks, type))) {
      const names = addEach(block, 'each', given.names, given.work)
      for (const asked of listAsked({ ...given, names, block }, row.within)) {
        const fault = judge(row, asked)
        if (!fault) continue
        const known = faults.get(fault.start)
        if (known) known.missing.push(...fault.missing.filter(each => !known.missing.includes(each)))
        else faults.set(fault.start, fault)
      }
    }
  }
  return [...faults.values()].sort((a, b) => a.start - b.start)
}

/** The blocks of a type; `*` in it stands for any part of a name. */
function selectBlocks(blocks: ReadonlyMap<string, readonly Block[]>, type: string): readonly Block[] {
  if (!type.includes('*')) return blocks.get(type) ?? []
  const parts = type.split('*')
  return [...blocks].flatMap(([name, own]) => (isMadeOf(name, parts) ? own : []))
}

/** Whether a name consists of the parts in their order, with anything between them. */
function isMadeOf(name: string, parts: readonly string[]): boolean {
  const [first, ...rest] = parts as [string, ...string[]]
  const last = rest.pop() ?? ''
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= name.length - last.length
}

function listAsked(given: Asked, within: string | undefined): Asked[] {
  let asked = [given]
  for (const name of within?.split('.') ?? [])
    asked = asked.flatMap(one => listBlocks(one.block, name, one.names, one.work).map(inner => ({ ...one, ...inner })))
  return asked
}

function judge(row: ResourceRow, asked: Asked): Fault | undefined {
  const answer = ask(row, asked)
  if (answer.holds !== true) return undefined
  for (const other of row.and ?? []) if (ask(other, asked).holds !== true) return undefined
  // Where properties are wrong together, the block is the place, unless the row says that the others only narrow it.
  const { start, end } = row.and === undefined || row.location === 'property' ? answer : asked.block
  return { row, start, end, literal: answer.literal, missing: answer.isMissing ? [row.property] : [] }
}

function ask(condition: ResourceCondition, { block, names, work, expression }: Asked): Answer {
  const found = findArguments(block, condition.property.split('.'), names, work)
  let isOpen = false
  let isSet = false
  for (const { argument, names: there } of found) {
    const { value, start } = argument
    const resolved = resolve(value, there, work)
    isOpen ||= resolved.isOpen
    for (const one of resolved.values) {
      if (one.kind === 'null') continue
      isSet = true
      const ends = condition.until === undefined ? [undefined] : listNumbers(condition.until, { block, names, work })
      if (!ends.some(end => matches(condition, one, expression, end))) continue
      const literal = one === value ? { start: value.start, end: value.end } : undefined
      return { holds: true, start, end: value.end, literal }
    }
  }
  if (isOpen || (condition.absent && !isSet && isAddedTo(block, condition.property.split('.'))))
    return { holds: 'unknown' }
  return condition.absent && !isSet
    ? { holds: true, start: block.start, end: block.end, isMissing: true }
    : { holds: false }
}

/** Whether something that nobody knows here adds to a map on the way to a property. */
function isAddedTo(block: Block, path: readonly string[]): boolean {
  if (block.isOpen && !block.arguments.has(path[0]!)) return true
  let value = block.arguments.get(path[0]!)?.value
  for (const key of path.slice(1)) {
    if (value?.kind !== 'object') return value !== undefined && mayBeMap(value)
    if (value.isOpen && !value.entries.has(key)) return true
    value = value.entries.get(key)
  }
  return false
}

/** Whether a map may stand in a value's place that nobody knows here: another file's name, a call, or either branch of a condition. */
function mayBeMap(value: Value): boolean {
  return value.kind === 'list' ? value.items.some(mayBeMap) : value.kind === 'unknown' || value.kind === 'reference'
}

/** Whether a value is what the condition names. */
function matches(condition: ResourceCondition, value: Value, expression: Asked['expression'], end?: number): boolean {
  if (value.kind === 'list') return condition.empty === true
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

function listNumbers(property: string, { block, names, work }: Omit<Asked, 'expression'>): number[] {
  return findArguments(block, [property], names, work)
    .flatMap(({ argument, names: there }) => resolve(argument.value, there, work).values)
    .flatMap(value => (value.kind === 'number' || value.kind === 'text' ? Number(value.text) : []))
    .filter(number => !Number.isNaN(number))
}
