import type { ResourceRule } from '../../base/records/rule.ts'
import {
  type Detector,
  NEEDS_TREE,
  type Search,
  type SearchedText,
  type TreeSearch,
  type Trees,
} from '../rules/detector.ts'
import type { RawMatch } from '../rules/match.ts'
import { parseSyntax } from '../syntax/parsed.ts'
import { readBicep } from './bicep.ts'
import type { Block, Configuration } from './configuration.ts'
import { readDocuments, toBlock } from './documents.ts'
import { type Fault, findFaults, nameBlock } from './evaluate.ts'
import { findFilled } from './filled.ts'
import { listObjects, mayBeKnown } from './formats.ts'
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

/** Languages that are read from their text; others from a syntax tree. */
const FROM_TEXT: Readonly<Record<string, (text: string) => Configuration>> = { hcl: readTerraform, bicep: readBicep }

/** The blocks of a file of Terraform, and the objects of Kubernetes that stand in arguments of its resources (`manifest = { … }`). */
function readTerraform(text: string): Configuration {
  const { blocks, complete } = readHcl(text)
  const values = blocks.flatMap(block => [...block.arguments.values()].map(({ value }) => value))
  return { blocks: [...blocks, ...values.flatMap(listObjects).map(toBlock)], complete }
}

/** Resources of infrastructure that are configured unsafely, or lack what makes them safe. */
export default {
  type: 'resource',
  reach: 'severe',
  views: 'code',
  parses: false,
  evidence: 'pattern',
  identity: 'code',

  begin: searched => new ResourceSearch(searched),
} satisfies Detector

/** Terraform and Bicep are read from their text, and YAML and JSON from the syntax tree. */
class ResourceSearch implements Search, TreeSearch {
  readonly tree = this
  readonly #searched: SearchedText
  /** Read once for all rules of the file, when the first of them runs. */
  #read: ReadFile | undefined
  #attempts = 0

  constructor(searched: SearchedText) {
    this.#searched = searched
  }

  admit(index: number): ReturnType<Search['admit']> {
    const { language, path } = this.#searched.file
    const readText = FROM_TEXT[language]
    if (!readText) return { rules: [index], run: () => (mayBeKnown(this.#searched.code, path) ? NEEDS_TREE : []) }
    return {
      rules: [index],
      run: () => {
        if (!this.#read) {
          // The clock may break the reading off: a machine that stood still is given one more try, and not one for each rule.
          if (this.#attempts >= MOST_ATTEMPTS) {
            this.#searched.fail(index, 'timed_out')
            return []
          }
          this.#attempts++
          this.#read = indexBlocks(readText(this.#searched.code))
        }
        return this.#find(index, this.#read)
      },
    }
  }

  needsTree(): boolean {
    return true
  }

  searchTree(index: number, trees: Trees): readonly RawMatch[] {
    this.#read ??= indexBlocks(this.#readTree(trees))
    return this.#find(index, this.#read)
  }

  #readTree({ whole }: Trees): Configuration {
    const { text, code, file } = this.#searched
    // JSON is YAML too.
    const parsed = file.language === 'yaml' ? { root: whole } : parseSyntax('yaml', code)
    if (!('root' in parsed)) return { blocks: [], complete: false }
    return readDocuments(parsed.root, file.path, findFilled(text, code))
  }

  #find(index: number, { blocks, names, complete }: ReadFile): RawMatch[] {
    const { rules, fail } = this.#searched
    const { resources } = rules.rules[index] as ResourceRule
    const work = new Work()
    const expression = (source: string) => rules.expression(source, true)
    const faults = findFaults(resources, blocks, { names, work, expression })
    if (!complete) fail(index, 'parse_failed')
    else if (work.isSpent) fail(index, 'too_costly')
    return faults.map(fault => toMatch(index, fault))
  }
}

function indexBlocks(configuration: Configuration): ReadFile {
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
