import { join } from 'node:path'
import { readRegular } from '../../base/disk/read.ts'
import type { Fault } from '../../base/errors.ts'
import { inherit } from '../../sources/config/inherit.ts'
import { type Layer, parseLayer } from '../../sources/config/layer.ts'
import { complete } from '../../sources/config/load.ts'
import { getValue, type Tree } from '../../sources/config/merge.ts'
import {
  ARCHITECTURE_PATHS,
  BASELINE_PATH,
  CONFIG_PATH,
  EVIDENCE_PATH,
  LEGACY_PATH,
  POLICIES_PATHS,
  SUPPRESSIONS_PATH,
} from '../../sources/config/paths.ts'
import { RULE_FILES } from '../../sources/config/settings-paths.ts'
import { readStagedSettings, type StagedSettings } from '../../sources/config/staged-settings.ts'
import { refuseConfig } from '../../sources/config/validate.ts'
import { isAttributesFile } from '../../sources/repository/attributes.ts'
import { type Agreeing, type AgreementRules, findAgreement } from './agreement.ts'
import { findConfigWeakenings } from './config-diff.ts'
import { findEvidenceWeakenings } from './evidence-diff.ts'
import {
  type AttributeMacros,
  findAttributeWeakenings,
  findBaselineWeakenings,
  findRuleWeakenings,
  findSuppressionWeakenings,
  readAttributeMacros,
} from './file-diff.ts'
import { findSettingsFaults, makeIncomparable } from './invalid-settings.ts'
import { findLibraryWeakenings } from './library-diff.ts'
import type { Weakening } from './policy-rules.ts'
import { findArchitectureWeakenings, findPolicyWeakenings, type RuleFile } from './rule-files-diff.ts'
import {
  applySettingsEdits,
  type BaseSettings,
  type EditedSettings,
  loadBaseSettings,
  makeIndexOf,
  readBlobs,
  readSettingsEdits,
  type SettingsChange,
  type SettingsEdit,
} from './settings-at.ts'

/** The root's configuration; the first that is there counts. */
const ROOT_CONFIGS: readonly string[] = [CONFIG_PATH, LEGACY_PATH]
/** Places of one file, of which the first that is there counts. */
const ALTERNATIVES: readonly (readonly string[])[] = [ROOT_CONFIGS, POLICIES_PATHS, ARCHITECTURE_PATHS]
/** Settings that are directories. */
const FOLDER = /(?:^|\/)\.svc(?:\/packs|\/rules|\/libraries)?$/
/** The largest settings file that is read. */
const MOST_BYTES = 256 << 20

/** What a change does to the settings that it is judged by. */
export interface JudgedSettings {
  /** Each weakening, with who agrees to it; where nobody does, it fails the gate. */
  weakenings: (Weakening & { agreed?: string })[]
  /** Who may agree, as the base says. */
  rules: AgreementRules
  /** The settings of the base, where they are what counts. */
  settings?: StagedSettings
  /** The attributes of the base, where they are what counts: its files, and an index that holds them. */
  attributes?: { attributes: BaseSettings['attributes']; file: string }
  /** Settings that differ on disk from those that count, where the change is made of objects and weakens nothing. */
  differing?: readonly string[]
  close: () => void
}

/** As `Agreeing`, where who commits is found out only when it matters. */
type Asked = Pick<Agreeing, 'reviewed_by'> & { isCommitter?: () => Promise<boolean> }

/** How settings are judged. */
export interface Options {
  env: Readonly<Record<string, string | undefined>>
  signal?: AbortSignal
  agreeing: Asked
  /** A configuration file of the repository that takes the place of the root's. */
  named?: string
  /** Further paths whose directories' settings count. */
  above?: readonly string[]
  /** The change is made of objects, so that the working tree has no part in it: its settings are read from them. */
  isCommitted?: boolean
  /** As `BaseOptions` has it. */
  isPlain?: boolean
}

/** Both sides of one file. */
interface Sides {
  before?: Uint8Array
  after?: Uint8Array
}

/**
 * Compares the settings before and after a change. Whatever weakens them counts only where somebody outside the change agrees; until then
 * the change is judged by the settings of its base. The first adoption (the base has nothing of svc's) agrees to itself. CONFIG_INVALID, with
 * every place, where the change leaves a file invalid. Where a file is invalid in the base alone, nothing of it can be compared: that counts as
 * a weakening, and the change is judged by its own settings, since those of the base cannot be loaded.
 */
export async function judgeSettings(
  root: string,
  change: EditedSettings,
  { agreeing, ...options }: Options,
): Promise<JudgedSettings> {
  const { named, above = [], isCommitted } = options
  const base = await loadBaseSettings(root, change, options)
  const settings = await readSettingsEdits(root, change, base, options)
  const sides = await readSides(root, settings.edits)
  const invalid = await findInvalid(base, sides, options)
  const compared = { ...settings, edits: settings.edits.filter(({ path }) => !invalid.has(path)) }
  const found = [
    ...[...invalid].map(([path, faults]) =>
      makeIncomparable(path, change.base ?? 'HEAD', faults, sides.get(path)!.after),
    ),
    ...(await weakeningsOf(root, change, withoutFiles(base, invalid), compared, named)),
  ]
  const rules = await readAgreementRules(root, base, named)
  const isCommitter = found.length > 0 && (await agreeing.isCommitter?.())
  const weakenings = found.map(weakening => {
    const isFirst = !base.isAdopted && !isAttributesFile(weakening.file)
    const agreed = isFirst
      ? 'First adoption: the base has no .svc directory'
      : findAgreement(weakening, rules, { ...agreeing, isCommitter })
    return { ...weakening, ...(agreed !== undefined && { agreed }) }
  })
  const open = weakenings.filter(({ agreed }) => agreed === undefined)
  const judged: JudgedSettings = { weakenings, rules, close: () => {} }
  const closing: (() => void)[] = []
  judged.close = () => {
    for (const close of closing.splice(0)) close()
  }
  const isOpen = (isWanted: (path: string) => boolean) => open.some(({ file }) => isWanted(file))
  const after = isCommitted ? applySettingsEdits(base, settings.edits) : undefined
  const counts = invalid.size === 0 && isOpen(path => !isAttributesFile(path)) ? base : after
  if (counts) {
    const paths = [...change.edits.map(({ path }) => path), ...above]
    judged.settings = await readStagedSettings(root, counts, paths, options)
    closing.push(judged.settings.close)
    if (counts === after) judged.differing = judged.settings.differing
  }
  const attributes = (isOpen(isAttributesFile) ? base : after)?.attributes
  if (attributes?.length) {
    const index = await makeIndexOf(root, attributes, options)
    judged.attributes = { attributes, file: index.file }
    closing.push(index.close)
  } else if (attributes) judged.attributes = { attributes, file: '' }
  return judged
}

/**
 * The files that the base has in force and that are invalid in it, with their faults. CONFIG_INVALID where the change leaves one invalid: what it
 * says is not known, so there is nothing to compare.
 */
async function findInvalid(
  base: BaseSettings,
  sides: ReadonlyMap<string, Sides>,
  { named, isCommitted }: Pick<Options, 'named' | 'isCommitted'>,
): Promise<Map<string, Fault[]>> {
  const faultsIn = async (side: 'before' | 'after') => {
    const found = new Map<string, Fault[]>()
    for (const [path, each] of sides) {
      const bytes = each[side]
      if (bytes === undefined || isShadowed(path, side, base, sides)) continue
      // No scan has ever read it: where its directory was scanned the scan failed.
      if (each.after === undefined && isOfDirectory(path)) continue
      const faults = await findSettingsFaults(path, bytes, named)
      if (faults.length > 0) found.set(path, faults)
    }
    return found
  }
  const left = [...(await faultsIn('after')).values()].flat()
  const hint = 'Correct it in the change: its settings are read as they are committed, whatever is on disk.'
  if (left.length > 0) throw refuseConfig(left, isCommitted ? hint : undefined)
  return faultsIn('before')
}

/** Whether it is the configuration of a directory, not of the root. */
function isOfDirectory(path: string): boolean {
  return path.endsWith(`/${CONFIG_PATH}`)
}

/** Whether another place of the same file counts on this side. */
function isShadowed(
  path: string,
  side: 'before' | 'after',
  { entries }: BaseSettings,
  sides: ReadonlyMap<string, Sides>,
): boolean {
  const places = ALTERNATIVES.find(each => each.includes(path)) ?? []
  return places
    .slice(0, Math.max(places.indexOf(path), 0))
    .some(other => (sides.has(other) ? sides.get(other)![side] : entries.find(entry => entry.path === other)))
}

/** The base as if it had none of these files. */
function withoutFiles(base: BaseSettings, files: ReadonlyMap<string, unknown>): BaseSettings {
  return files.size === 0 ? base : { ...base, entries: base.entries.filter(({ path }) => !files.has(path)) }
}

/** Who may agree, as the base says; of an invalid configuration what can be read of it. */
async function readAgreementRules(
  root: string,
  base: BaseSettings,
  named: string | undefined,
): Promise<AgreementRules> {
  const layer = await rootLayer(root, base, [...(named === undefined ? [] : [named]), ...ROOT_CONFIGS])
  const { gate } = complete(layer?.settings ?? {}) as { gate?: { trusted?: unknown; protected_branch?: unknown } }
  const trusted = Array.isArray(gate?.trusted) ? gate.trusted : []
  return {
    trusted: trusted.filter(name => typeof name === 'string'),
    isProtected: gate?.protected_branch === true,
    ...(base.owners !== undefined && { owners: base.owners }),
  }
}

async function weakeningsOf(
  root: string,
  change: EditedSettings,
  base: BaseSettings,
  { edits, became, unresolved }: SettingsChange,
  named: string | undefined,
): Promise<Weakening[]> {
  const found = [...linkedWeakenings(became, unresolved), ...(await ruleFileWeakenings(root, change, base, edits))]
  if (edits.length === 0) return found
  const sides = await readSides(root, edits)
  for (const paths of [ROOT_CONFIGS, ...(named === undefined || ROOT_CONFIGS.includes(named) ? [] : [[named]])])
    if (paths.some(path => sides.has(path))) found.push(...(await rootWeakenings(root, base, sides, paths)))
  const macros = [...sides.keys()].some(isAttributesFile) ? await rootMacros(root, base, sides) : undefined
  const folders = [...sides.keys()].some(isOfDirectory)
  const ground = folders ? complete((await rootLayer(root, base, ROOT_CONFIGS))?.settings ?? {}) : {}
  for (const [path, { before, after }] of sides) {
    if (isAttributesFile(path)) found.push(...findAttributeWeakenings(path, before, after, macros!))
    else if (path === SUPPRESSIONS_PATH) found.push(...(await findSuppressionWeakenings(before, after)))
    else if (path === EVIDENCE_PATH) found.push(...(await findEvidenceWeakenings(before, after)))
    else if (path === BASELINE_PATH) found.push(...findBaselineWeakenings(before, after, movedFiles(change)))
    else if (isOfDirectory(path)) found.push(...(await folderWeakenings(ground, path, { before, after })))
    else if (/^\.svc\/(?:packs\/[^/]+\/)?libraries\//.test(path))
      found.push(...(await findLibraryWeakenings(path, before, after)))
    else if (/^\.svc\/(?:packs|rules)\//.test(path)) found.push(...(await findRuleWeakenings(path, before, after)))
  }
  return found
}

/** What the change does to policies and architecture rules. Their modules are files of any name, so it is asked of every change. */
async function ruleFileWeakenings(
  root: string,
  change: EditedSettings,
  base: BaseSettings,
  edits: readonly SettingsEdit[],
): Promise<Weakening[]> {
  const sides = await readSides(
    root,
    edits.filter(({ path }) => RULE_FILES.includes(path)),
  )
  const choose = async (paths: readonly string[], side: 'before' | 'after'): Promise<RuleFile | undefined> => {
    for (const path of paths) {
      const entry = base.entries.find(each => each.path === path)
      const bytes = sides.has(path) ? sides.get(path)![side] : entry && (await readBlobs(root, [entry.oid]))[0]
      if (bytes) return { path, bytes }
    }
    return undefined
  }
  const [policies, architecture] = await Promise.all(
    [POLICIES_PATHS, ARCHITECTURE_PATHS].map(async paths => ({
      before: await choose(paths, 'before'),
      after: await choose(paths, 'after'),
    })),
  )
  const changed = new Set(change.edits.map(({ path }) => path))
  return [...(await findPolicyWeakenings(policies!, changed)), ...(await findArchitectureWeakenings(architecture!))]
}

/** Settings that became a link or a submodule, and ones that cannot be read out of the change's own tree. */
function linkedWeakenings(became: SettingsChange['became'], unresolved: SettingsChange['unresolved']): Weakening[] {
  const isNew = new Set(became.map(({ path }) => path))
  const faults = new Map(unresolved.map(({ path, what }) => [path, what]))
  const made = (file: string, what: string): Weakening => ({ rule_id: 'gate-config-weakened', file, line: 1, what })
  const wayOut = (path: string) =>
    FOLDER.test(path) ? 'replace them with regular files' : 'replace it with a regular file'
  return [
    ...became.map(({ path, kind }) => {
      const fault = kind === 'link' ? faults.get(path) : undefined
      const more = fault ? ` and ${fault}` : ''
      return made(path, `${path} became a ${kind === 'link' ? 'symbolic link' : 'submodule'}${more}: ${wayOut(path)}`)
    }),
    ...unresolved
      .filter(({ path }) => !isNew.has(path))
      .map(({ path, what }) => made(path, `${path} ${what}, and has no effect: ${wayOut(path)}`)),
  ]
}

/** Files that the change only moves, by where they are now: their content is the same object, so that they bring no finding. */
function movedFiles({ files = [], edits }: EditedSettings): ReadonlyMap<string, string> {
  const gone = new Set(edits.flatMap(({ path, after }) => (after === undefined ? path : [])))
  return new Map(
    files.flatMap(({ path, blob, before }) =>
      before && blob === before.blob && before.path !== path && gone.has(before.path) ? [[path, before.path]] : [],
    ),
  )
}

/** Both contents of each file. */
async function readSides(root: string, edits: readonly SettingsEdit[]): Promise<Map<string, Sides>> {
  const oids = [...new Set(edits.flatMap(({ before, after }) => [before, after?.blob]))].filter(
    oid => oid !== undefined,
  )
  const blobs = new Map((await readBlobs(root, oids)).map((bytes, index) => [oids[index]!, bytes]))
  return new Map(
    edits.map(({ path, before, after, at = path }) => {
      const now = after && (after.blob ? blobs.get(after.blob) : onDisk(root, at))
      return [path, { ...(before && { before: blobs.get(before)! }), ...(now && { after: now }) }]
    }),
  )
}

function onDisk(root: string, path: string): Uint8Array | undefined {
  const bytes = readRegular(join(root, path), MOST_BYTES)
  return bytes instanceof Uint8Array ? bytes : undefined
}

/** The root's configuration of the base, the first of these paths that it has; undefined where it has none. */
async function rootLayer(root: string, base: BaseSettings, paths: readonly string[]): Promise<Layer | undefined> {
  for (const path of paths) {
    const entry = base.entries.find(each => each.path === path)
    if (entry) return parseLayer((await readBlobs(root, [entry.oid]))[0]!, path, 'root')
  }
  return undefined
}

async function rootWeakenings(
  root: string,
  base: BaseSettings,
  sides: ReadonlyMap<string, Sides>,
  paths: readonly string[],
): Promise<Weakening[]> {
  const before = await rootLayer(root, base, paths)
  let after: Layer | undefined
  for (const path of paths.toReversed()) {
    const entry = base.entries.find(each => each.path === path)
    const bytes = sides.has(path) ? sides.get(path)!.after : entry && (await readBlobs(root, [entry.oid]))[0]
    if (bytes) after = await parseLayer(bytes, path, 'root')
  }
  // A configuration that is not valid is an error of its own wherever it is loaded.
  if (after && after.faults.length > 0) return []
  return compared(after?.name ?? paths[0]!, complete(before?.settings ?? {}), complete(after?.settings ?? {}), after)
}

/** The macros of attributes, which the root's file alone defines, of both sides. */
async function rootMacros(
  root: string,
  base: BaseSettings,
  sides: ReadonlyMap<string, Sides>,
): Promise<AttributeMacros> {
  const own = sides.get('.gitattributes')
  if (own) return readAttributeMacros(own.before, own.after)
  const entry = base.attributes.find(({ path }) => path === '.gitattributes')
  return readAttributeMacros(entry && (await readBlobs(root, [entry.oid]))[0])
}

/** `ground` is what the root's configuration of the base comes to. */
async function folderWeakenings(ground: Tree, path: string, { before, after }: Sides): Promise<Weakening[]> {
  const folder = path.slice(0, -CONFIG_PATH.length - 1)
  const [old, now] = await Promise.all([before, after].map(bytes => bytes && parseLayer(bytes, path, 'folder')))
  if (now && now.faults.length > 0) return []
  // What no scan could read has never held anything.
  if (!now && old && old.faults.length > 0) return []
  const tree = (layer: Layer | undefined) => (layer ? inherit(ground, folder, layer.settings) : ground)
  return compared(path, tree(old), tree(now), now)
}

function compared(file: string, before: Tree, after: Tree, layer: Layer | undefined): Weakening[] {
  const lineOf = (path: readonly string[]) =>
    layer && getValue(layer.settings, path) !== undefined ? (layer.placeOf(path, 'value').line ?? 1) : 1
  return findConfigWeakenings(file, before, after, lineOf)
}
