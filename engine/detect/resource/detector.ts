import type { ResourceRule } from '../../base/records/rule.ts'
import type { Detector } from '../rules/detector.ts'
import type { RawMatch } from '../rules/match.ts'
import type { Block } from './configuration.ts'
import { type Fault, findFaults, nameBlock } from './evaluate.ts'
import { readHcl } from './hcl.ts'
import { collectNames, type Names, Work } from './resolve.ts'

/** A file as rules ask it: its blocks under their names. */
interface ReadFile {
  blocks: Map<string, Block[]>
  names: Names
  complete: boolean
}

/** A file that could not be read in its time so often is not read by further rules. */
const MOST_ATTEMPTS = 2

/** Resources of infrastructure that are configured unsafely, or lack what makes them safe. */
export default {
  type: 'resource',
  reach: 'severe',
  views: 'code',
  parses: false,
  evidence: 'pattern',
  identity: 'code',

  begin(searched) {
    // Read once for all rules of the file, when the first of them runs.
    let read: ReadFile | undefined
    let attempts = 0
    return {
      admit: index => ({
        rules: [index],
        run(): RawMatch[] {
          if (!read) {
            // The clock may break the reading off: a machine that stood still is given one more try, and not one for each rule.
            if (attempts >= MOST_ATTEMPTS) {
              searched.fail(index, 'timed_out')
              return []
            }
            attempts++
            read = readFile(searched.code)
          }
          const { resources } = searched.rules.rules[index] as ResourceRule
          const work = new Work()
          const expression = (source: string) => searched.rules.expression(source, true)
          const faults = findFaults(resources, read.blocks, { names: read.names, work, expression })
          if (!read.complete) searched.fail(index, 'parse_failed')
          else if (work.isSpent) searched.fail(index, 'too_costly')
          return faults.map(fault => toMatch(index, fault))
        },
      }),
    }
  },
} satisfies Detector

function readFile(text: string): ReadFile {
  const configuration = readHcl(text)
  const blocks = new Map<string, Block[]>()
  for (const block of configuration.blocks) {
    const name = nameBlock(block)
    const known = blocks.get(name)
    if (known) known.push(block)
    else blocks.set(name, [block])
  }
  return { blocks, names: collectNames(configuration), complete: configuration.complete }
}

function toMatch(rule: number, { row, start, end, literal, missing }: Fault): RawMatch {
  const lack = missing.length > 0 ? `Not set: ${missing.join(', ')}.` : undefined
  const note = [row.note, lack].filter(each => each !== undefined).join(' ')
  return {
    ...{ rule, start, end },
    ...(note !== '' && { note }),
    ...(row.fix !== undefined && literal !== undefined && { edits: [{ ...literal, text: row.fix }] }),
  }
}
