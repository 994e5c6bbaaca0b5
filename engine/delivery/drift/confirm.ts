import { writeProjectFile } from '../../base/disk/project-write.ts'
import { EngineError } from '../../base/errors.ts'
import type { Listing } from '../../base/records/source-file.ts'
import { buildGraph } from '../../quality/architecture/build.ts'
import type { ImportGraph } from '../../quality/architecture/graph.ts'
import type { Requirement } from '../requirements/model.ts'
import { toRecord } from '../requirements/model.ts'
import { makeReadText } from '../requirements/read.ts'
import { writeRequirements } from '../requirements/write.ts'
import type { LinkedRequirements } from '../trace/gather.ts'
import { groupLinks } from '../trace/links.ts'
import { formatDigest } from './confirmed.ts'
import { CodeMeasure } from './measure.ts'

export interface ConfirmRequest {
  listing: Listing
  maxBytes: number
  /** Ids of the requirements; absent, every approved one that has code. */
  ids?: readonly string[]
  by: string
  /** ISO 8601. */
  at: string
  signal: AbortSignal
}

export interface ConfirmResult {
  confirmed: string[]
  /** Requirements that were not confirmed, with the reason. */
  left: { id: string; reason: string }[]
  /** Files that were written. */
  written: string[]
}

/**
 * Records what the linked code is now as what the requirements ask for, in the requirements.yaml that has them. NOT_FOUND for an id that does not
 * exist. Requirements of other formats, and those without code, are left with the reason.
 */
export async function confirmRequirements(
  { set, resolved }: LinkedRequirements,
  { listing, maxBytes, ids, by, at, signal }: ConfirmRequest,
): Promise<ConfirmResult> {
  for (const id of ids ?? [])
    if (!set.byId.has(id)) throw new EngineError('NOT_FOUND', `There is no requirement ${id}.`)
  const wanted = ids
    ? ids.map(id => set.byId.get(id)!)
    : [...set.byId.values()].filter(({ status }) => status === 'approved')
  const links = groupLinks(resolved.links)
  const result: ConfirmResult = { confirmed: [], left: [], written: [] }
  const imports = listImports(await buildGraph(listing, { maxBytes, signal }))
  const measure = new CodeMeasure(listing, maxBytes)
  const digests = new Map<Requirement, string>()
  for (const requirement of wanted) {
    const { id, format } = requirement
    const digest = await measure.measure(requirement, links.get(id) ?? [], { imports })
    if (format !== 'yaml') result.left.push({ id, reason: 'only requirements.yaml has confirmations' })
    else if (!digest.places.some(({ kind }) => kind === 'code'))
      result.left.push({ id, reason: 'no code is linked by a tag or a glob' })
    else digests.set(requirement, formatDigest(digest))
  }
  for (const file of new Set([...digests.keys()].map(requirement => requirement.file))) {
    if (set.faults.some(fault => fault.kind === 'invalid' && fault.file === file))
      throw new EngineError('CONFIG_INVALID', `${file} has requirements that cannot be read.`, {
        hint: 'Run `svc trace` to see each with its line.',
      })
    const own = set.requirements.filter(each => each.file === file)
    const source = listing.files.find(({ path }) => path === file)!
    const read = makeReadText(listing.root)(source)
    if ('reason' in read) throw new EngineError('CONFIG_INVALID', `${file} cannot be read: ${read.reason}.`)
    const records = own.map(each => {
      const digest = digests.get(each)
      return digest === undefined ? toRecord(each) : { ...toRecord(each), confirmed: { at, by, digest } }
    })
    writeProjectFile(listing.root, file, await writeRequirements(records, read.text))
    result.written.push(file)
  }
  result.confirmed = [...digests.keys()].map(({ id }) => id)
  return result
}

/** The files of the repository that a file imports. */
function listImports({ paths, from, to }: ImportGraph): (path: string) => readonly string[] {
  const found = new Map<string, Set<string>>()
  for (let index = 0; index < from.length; index++) {
    const target = to[index]!
    if (target < 0) continue
    const path = paths[from[index]!]!
    const known = found.get(path)
    if (known) known.add(paths[target]!)
    else found.set(path, new Set([paths[target]!]))
  }
  return path => [...(found.get(path) ?? [])]
}
