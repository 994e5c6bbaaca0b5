import { createHash } from 'node:crypto'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import type { Listing } from '../../base/records/source-file.ts'
import type { Config } from '../../sources/config/load.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { collectRequirements, findRequirementFiles, type ReadText } from '../requirements/collect.ts'
import type { RequirementSet } from '../requirements/model.ts'
import { makeReadText } from '../requirements/read.ts'
import { resolveLinks } from '../trace/build.ts'
import { type ChangeRequest, readImpactChange } from './change.ts'
import { type CodeMap, reverseImports, updateCodeMap } from './code-map.ts'
import { computeImpact, type Impact, type ImpactFinding, type ImpactRequirement } from './impact.ts'
import { readStoredMap, type StoredMap, storeMap } from './stored-map.ts'

/** Computes the impact of a change on the repository of a listing. The imports and tags of unchanged files are kept in the user's cache. */
export async function gatherImpact(
  config: Config,
  listing: Listing,
  request: ChangeRequest,
  context: Pick<Context, 'cwd' | 'env' | 'signal' | 'notice'> & { onProgress?: (done: number, total: number) => void },
): Promise<Impact> {
  const { env, signal, onProgress } = context
  const { root } = listing
  const maxBytes = config.scan.max_file_bytes
  const asked = readFindings({ ...context, cwd: config.root })
  // Awaited below; until then a failure is nobody's.
  asked.catch(() => {})
  const change = await readImpactChange(listing, request, maxBytes, context)
  const stored = readStoredMap(root, env)
  const map = await updateCodeMap(listing, stored?.map, { maxBytes, signal, onProgress })
  const requirements = await readSet(config, listing, stored?.requirements, signal)
  if (isNew(stored, map, requirements.digest)) storeMap(root, env, { map, requirements })
  const set: RequirementSet = {
    ...requirements.set,
    byId: new Map([...requirements.set.requirements].reverse().map(each => [each.id, each])),
  }
  const tests = new Set(listing.files.flatMap(({ path, in_test }) => (in_test ? [path] : [])))
  const changed = new Set(change.files.map(({ file }) => file))
  return computeImpact({
    ...{ change, importers: reverseImports(map), isTest: path => tests.has(path) },
    requirements: await nameControls(linkSet(set, listing, map), root),
    unknown: set.faults.flatMap(({ kind, file, line, message }) =>
      kind === 'invalid' ? [{ file, reason: `line ${line}: ${message}` }] : [],
    ),
    sources: new Map(set.sources.map(({ file, requirements: count }) => [file, count])),
    findings: await asked,
    unread: new Map(
      [...map].flatMap(([path, { unread }]) =>
        unread !== undefined && changed.has(path) ? [[path, unread] as const] : [],
      ),
    ),
  })
}

function isNew(stored: StoredMap | undefined, map: CodeMap, digest: string): boolean {
  if (stored === undefined || stored.requirements?.digest !== digest || stored.map.size !== map.size) return true
  for (const [path, entry] of map) if (stored.map.get(path) !== entry) return true
  return false
}

/** The requirements, from what is kept where their files have the same content. */
async function readSet(
  config: Config,
  listing: Listing,
  kept: StoredMap['requirements'],
  signal: AbortSignal,
): Promise<NonNullable<StoredMap['requirements']>> {
  const paths = findRequirementFiles(listing, config.requirements.files)
  const read = makeReadText(listing.root)
  const texts = new Map<string, ReturnType<ReadText>>()
  const hash = createHash('sha256')
  for (const { file, format } of paths) {
    const text = read(file)
    texts.set(file.path, text)
    hash.update(`${format}\0${file.path}\0${JSON.stringify(text)}\0`)
  }
  const digest = hash.digest('hex')
  if (kept?.digest === digest) return kept
  const { byId: _, ...set } = await collectRequirements(paths, file => texts.get(file.path)!, signal)
  return { digest, set }
}

function linkSet(set: RequirementSet, listing: Listing, map: CodeMap): ImpactRequirement[] {
  const files = new Map(listing.files.map(file => [file.path, file]))
  const tags = [...map].flatMap(([path, entry]) => {
    const file = files.get(path)
    return file ? entry.tags.map(tag => ({ ...tag, file })) : []
  })
  const { links } = resolveLinks({ set, listing, tags: { tags, unread: [] } })
  const found = new Map<string, ImpactRequirement & { code: Set<string>; tests: Set<string> }>()
  for (const { id, title, status, controls, confirmed } of set.byId.values())
    found.set(id, {
      id,
      title,
      status,
      controls,
      code: new Set(),
      tests: new Set(),
      isConfirmed: confirmed !== undefined,
    })
  for (const { id, role, file } of links) found.get(id)?.[role === 'tests' ? 'tests' : 'code'].add(file)
  return [...found.values()]
}

/** Controls by the whole id of their framework, as findings have them, where a requirement names a framework by its beginning (`soc2`). */
async function nameControls(requirements: ImpactRequirement[], root: string): Promise<ImpactRequirement[]> {
  if (!requirements.some(({ controls }) => controls.length > 0)) return requirements
  const [{ loadPacks }, { expandFramework }] = await Promise.all([
    import('../../sources/packs/load.ts'),
    import('../../sources/packs/find-framework.ts'),
  ])
  const packs = await loadPacks(root)
  const names = new Map<string, string>()
  const expand = (written: string) => {
    const known = names.get(written) ?? expandFramework(written, packs)
    names.set(written, known)
    return known
  }
  return requirements.map(each => ({ ...each, controls: [...new Set(each.controls.map(expand))] }))
}

/** The findings of the latest run of the whole repository; undefined where there is none. */
async function readFindings(context: Parameters<typeof runWithStore>[0]): Promise<ImpactFinding[] | undefined> {
  try {
    return await runWithStore(context, async store => {
      const [latest] = (await store.wholeRuns()).runs
      if (!latest) return undefined
      return (await store.findings(latest.id, { limit: Number.MAX_SAFE_INTEGER })).findings
    })
  } catch (error) {
    if (error instanceof EngineError && error.code === 'RUN_NOT_FOUND') return undefined
    throw error
  }
}
