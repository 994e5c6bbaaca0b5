import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import type { Context } from '../../base/context.ts'
import { resolveOutputFile, writeOutput } from '../../base/disk/output-file.ts'
import { readOwn, refuseLinked } from '../../base/disk/own-folder.ts'
import { isInside } from '../../base/disk/project-write.ts'
import { EngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'
import { readStoredToken } from '../oauth/stored-token.ts'
import { openProvider } from '../providers/open.ts'
import type { ProviderName, WorkItem } from '../providers/provider.ts'
import { type MergeConflict, mergeRequirements } from '../requirements/merge.ts'
import { type RequirementRecord, toRecord } from '../requirements/model.ts'
import { writeRequirements } from '../requirements/write.ts'
import { readRequirementsYaml } from '../requirements/yaml.ts'
import { mapFilesByKey } from './map-files.ts'
import { toRequirement } from './to-requirement.ts'

/** What was pulled the last time, by provider: the base of a three-way merge. Committed, so that a team has one base. */
const BASE_FOLDER = '.svc/pulled'
const MOST_BASE = 64 << 20

export interface PullInput {
  provider?: string
  output: string
  merge: boolean
  map_files: boolean
}

export interface Pulled {
  status: 'ok' | 'conflicts'
  provider: ProviderName
  requirements: RequirementRecord[]
  requirements_file: string
  count: number
  added: string[]
  changed: string[]
  removed: string[]
  conflicts: MergeConflict[]
  /** Work items that cannot be requirements. */
  skipped: string[]
}

/**
 * Writes the provider's work items into requirements.yaml. With `merge` both sides' edits since the last pull are kept, and conflicts named, in
 * which the file's value stays. Without it the provider's words win; requirements of other sources, and what the provider does not know
 * (files, tests, controls, confirmations), stay either way.
 */
export async function pullRequirements(input: PullInput, config: Config, context: Context): Promise<Pulled> {
  const file = locateFile(input, config, context)
  const { items, provider } = await readItems(config, context, input.provider)
  const skipped: string[] = []
  const there: RequirementRecord[] = []
  for (const item of items) {
    const record = toRequirement(provider, item)
    if (record) there.push(record)
    else skipped.push(item.key)
  }
  const { previous, here } = await readHere(file)
  const basePath = `${BASE_FOLDER}/${provider}.json`
  const base = readBase(config.root, basePath)
  const own = (record: RequirementRecord) => record.source?.provider === provider
  const others = here.filter(record => !own(record))
  const before = here.filter(own)
  const merged = input.merge
    ? mergeRequirements(base, before, fillUnknown(there, base))
    : mergeRequirements(before, before, fillUnknown(there, before))
  const requirements = [...others, ...merged.requirements]
  if (input.map_files) await addFiles(requirements, provider, config.root, context.signal)
  writeOutput(file, await writeRequirements(requirements, previous))
  refuseLinked(config.root, BASE_FOLDER)
  writeOutput(join(config.root, basePath), `${JSON.stringify({ version: 1, requirements: there }, null, 1)}\n`)
  return {
    status: merged.conflicts.length > 0 ? 'conflicts' : 'ok',
    provider,
    requirements,
    requirements_file: relative(config.root, file).split(sep).join('/'),
    count: requirements.length,
    ...{ added: merged.added, changed: merged.changed, removed: merged.removed },
    conflicts: merged.conflicts,
    skipped,
  }
}

/** What is wrong with a pull before the provider is asked: the file, what it says now, the provider's settings and the token. */
export async function checkPull(input: PullInput, config: Config, context: Context): Promise<void> {
  await readHere(locateFile(input, config, context))
  const { provider } = await open(config, context, input.provider)
  await provider.close()
}

function locateFile({ output }: PullInput, { root }: Config, { cwd }: Context): string {
  const file = resolveOutputFile(cwd, output)
  if (!isInside(root, file)) throw new EngineError('PATH_ESCAPES', `${output} is outside of the repository.`)
  if (!/\.ya?ml$/i.test(file) || /(?:^|[\\/])\.git[\\/]/.test(relative(root, file)))
    throw new EngineError('INPUT_INVALID', `${output} is no YAML file of the work tree.`)
  return file
}

function open(config: Config, context: Context, name: string | undefined) {
  return openProvider(config, context, {
    stored: readStoredToken(config, context),
    ...(name !== undefined && { provider: name }),
  })
}

/** Work items of the provider, those with a label of `requirement_labels` where some are configured. */
async function readItems(
  config: Config,
  context: Context,
  name: string | undefined,
): Promise<{ items: WorkItem[]; provider: ProviderName }> {
  const { provider, settings } = await open(config, context, name)
  try {
    const labels = config.providers[settings.name]?.requirement_labels?.map(label => label.toLowerCase())
    const all = await provider.listWorkItems()
    const items = labels ? all.filter(item => item.labels.some(label => labels.includes(label.toLowerCase()))) : all
    return { items, provider: settings.name }
  } finally {
    await provider.close()
  }
}

async function readHere(file: string): Promise<{ previous?: string; here: RequirementRecord[] }> {
  if (!existsSync(file)) return { here: [] }
  const previous = readFileSync(file, 'utf8')
  const { requirements, faults } = await readRequirementsYaml(previous, file)
  const [fault] = faults
  if (fault)
    throw new EngineError('INPUT_INVALID', `The requirements file is not valid: ${fault.message}`, {
      place: { file, line: fault.line },
      hint: 'Correct it first: what cannot be read would be lost.',
    })
  return { previous, here: requirements.map(toRecord) }
}

function readBase(root: string, path: string): RequirementRecord[] {
  const bytes = readOwn(resolve(root, path), MOST_BASE)
  if (!bytes) return []
  try {
    const { requirements } = JSON.parse(bytes.toString('utf8')) as { requirements: RequirementRecord[] }
    return requirements.map(toRecord)
  } catch {
    throw new EngineError('STORE_UNREADABLE', `${path} is not what svc wrote.`, {
      hint: 'Restore it from git, or remove it: the next pull then merges without a base.',
      place: { file: path },
    })
  }
}

/** What the provider does not know is as it was: an absence there is no edit. */
function fillUnknown(there: readonly RequirementRecord[], known: readonly RequirementRecord[]): RequirementRecord[] {
  const before = new Map(known.map(record => [record.id, record]))
  return there.map(record => {
    const old = before.get(record.id)
    if (!old) return record
    const { files, tests, controls, confirmed } = old
    return { ...record, files, tests, controls, ...(confirmed && { confirmed }) }
  })
}

/** Adds files that commits name an item for, to requirements that name none. */
async function addFiles(
  requirements: RequirementRecord[],
  provider: ProviderName,
  root: string,
  signal: AbortSignal,
): Promise<void> {
  const own = requirements.filter(({ source, files }) => source?.provider === provider && files.length === 0)
  const found = await mapFilesByKey(
    root,
    own.map(({ source }) => source!.key),
    signal,
  )
  for (const record of own) record.files = found.get(record.source!.key) ?? []
}
