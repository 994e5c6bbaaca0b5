import { join } from 'node:path'
import { inherit } from '../../config/inherit.ts'
import { type Layer, layerOf } from '../../config/layer.ts'
import { CONFIG_PATH, complete, LEGACY_PATH } from '../../config/load.ts'
import { type Tree, valueAt } from '../../config/merge.ts'
import { BASELINE_PATH } from '../../findings/baseline.ts'
import { SUPPRESSIONS_PATH } from '../../findings/suppression-file.ts'
import { isAttributesFile } from '../../repository/attributes.ts'
import type { Change, Edit } from '../../repository/changes.ts'
import { readRegular } from '../../repository/read.ts'
import { isSettingsPath } from '../../scan/settings-paths.ts'
import { type StagedSettings, stagedSettings } from '../../scan/staged-settings.ts'
import { type Agreeing, type AgreementRules, agreementTo } from './agreement.ts'
import { configWeakenings } from './config-diff.ts'
import { attributeWeakenings, baselineWeakenings, ownRuleWeakenings, suppressionWeakenings } from './file-diff.ts'
import type { Weakening } from './policy-rules.ts'
import { type BaseSettings, baseSettings, indexWith, readBlobs } from './settings-at.ts'

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
  close: () => void
}

/** As `Agreeing`, where who commits is found out only when it matters. */
type Asked = Pick<Agreeing, 'reviewed_by'> & { isCommitter?: () => Promise<boolean> }

type Options = { env: Readonly<Record<string, string | undefined>>; signal?: AbortSignal; agreeing: Asked }

/** Both sides of one file. */
interface Sides {
  before?: Uint8Array
  after?: Uint8Array
}

/**
 * Compares the settings before and after a change. Whatever weakens them counts only where somebody outside the change agrees; until then
 * the change is judged by the settings of its base. The first adoption (the base has nothing of svc's) agrees to itself.
 */
export async function judgeSettings(
  root: string,
  change: Change,
  { agreeing, ...options }: Options,
): Promise<JudgedSettings> {
  const base = await baseSettings(root, change, options)
  const found = await weakeningsOf(root, change, base)
  const layer = await rootLayer(base, root)
  const gate = (complete(layer?.settings ?? {}) as { gate: { trusted?: string[]; protected_branch?: boolean } }).gate
  const rules: AgreementRules = {
    trusted: gate.trusted ?? [],
    isProtected: gate.protected_branch === true,
    ...(base.owners !== undefined && { owners: base.owners }),
  }
  const isCommitter = found.length > 0 && (await agreeing.isCommitter?.())
  const weakenings = found.map(weakening => {
    const isFirst = !base.isAdopted && !isAttributesFile(weakening.file)
    const agreed = isFirst
      ? 'First adoption: the base has no .svc directory'
      : agreementTo(weakening, rules, { ...agreeing, isCommitter })
    return { ...weakening, ...(agreed !== undefined && { agreed }) }
  })
  const open = weakenings.filter(({ agreed }) => agreed === undefined)
  const judged: JudgedSettings = { weakenings, rules, close: () => {} }
  const closing: (() => void)[] = []
  judged.close = () => {
    for (const close of closing.splice(0)) close()
  }
  if (open.some(({ file }) => !isAttributesFile(file))) {
    judged.settings = await stagedSettings(
      root,
      base,
      change.edits.map(({ path }) => path),
      options,
    )
    closing.push(judged.settings.close)
  }
  if (open.some(({ file }) => isAttributesFile(file))) {
    const index = await indexWith(root, base.attributes, options)
    judged.attributes = { attributes: base.attributes, file: index.file }
    closing.push(index.close)
  }
  return judged
}

async function weakeningsOf(root: string, change: Change, base: BaseSettings): Promise<Weakening[]> {
  const edits = change.edits.filter(({ path }) => isSettingsPath(path))
  const sides = await readSides(root, edits)
  const found: Weakening[] = []
  for (const { path, after } of edits) {
    if (after?.link)
      found.push({ rule_id: 'gate-config-weakened', file: path, line: 1, what: `${path} became a symbolic link` })
  }
  if (sides.has(CONFIG_PATH) || sides.has(LEGACY_PATH)) found.push(...(await rootWeakenings(root, base, sides)))
  for (const [path, { before, after }] of sides) {
    if (isAttributesFile(path)) found.push(...attributeWeakenings(path, before, after))
    else if (path === SUPPRESSIONS_PATH) found.push(...(await suppressionWeakenings(before, after)))
    else if (path === BASELINE_PATH) found.push(...baselineWeakenings(before, after))
    else if (path.endsWith(`/${CONFIG_PATH}`))
      found.push(...(await folderWeakenings(root, base, path, { before, after })))
    else if (/^\.svc\/(?:packs|rules)\//.test(path)) found.push(...(await ownRuleWeakenings(path, before, after)))
  }
  return found
}

/** Both contents of each file. What became a link has none after the change. */
async function readSides(root: string, edits: readonly Edit[]): Promise<Map<string, Sides>> {
  const oids = [
    ...new Set(edits.flatMap(({ before, after }) => [before, after?.link ? undefined : after?.blob])),
  ].filter(oid => oid !== undefined)
  const blobs = new Map((await readBlobs(root, oids)).map((bytes, index) => [oids[index]!, bytes]))
  return new Map(
    edits.map(({ path, before, after }) => {
      const now =
        after === undefined || after.link ? undefined : after.blob ? blobs.get(after.blob) : onDisk(root, path)
      return [path, { ...(before && { before: blobs.get(before)! }), ...(now && { after: now }) }]
    }),
  )
}

function onDisk(root: string, path: string): Uint8Array | undefined {
  const bytes = readRegular(join(root, path), MOST_BYTES)
  return bytes instanceof Uint8Array ? bytes : undefined
}

/** The root's configuration of the base; undefined where it has none. */
async function rootLayer(base: BaseSettings, root: string): Promise<Layer | undefined> {
  for (const path of [CONFIG_PATH, LEGACY_PATH]) {
    const entry = base.entries.find(each => each.path === path)
    if (entry) return layerOf((await readBlobs(root, [entry.oid]))[0]!, path, 'root')
  }
  return undefined
}

async function rootWeakenings(
  root: string,
  base: BaseSettings,
  sides: ReadonlyMap<string, Sides>,
): Promise<Weakening[]> {
  const before = await rootLayer(base, root)
  let after: Layer | undefined
  for (const path of [LEGACY_PATH, CONFIG_PATH]) {
    const entry = base.entries.find(each => each.path === path)
    const bytes = sides.has(path) ? sides.get(path)!.after : entry && (await readBlobs(root, [entry.oid]))[0]
    if (bytes) after = await layerOf(bytes, path, 'root')
  }
  // A configuration that is not valid is an error of its own wherever it is loaded.
  if (after && after.faults.length > 0) return []
  return compared(after?.name ?? CONFIG_PATH, complete(before?.settings ?? {}), complete(after?.settings ?? {}), after)
}

async function folderWeakenings(
  root: string,
  base: BaseSettings,
  path: string,
  { before, after }: Sides,
): Promise<Weakening[]> {
  const ground = complete((await rootLayer(base, root))?.settings ?? {})
  const folder = path.slice(0, -CONFIG_PATH.length - 1)
  const [old, now] = await Promise.all([before, after].map(bytes => bytes && layerOf(bytes, path, 'folder')))
  if (now && now.faults.length > 0) return []
  const tree = (layer: Layer | undefined) => (layer ? inherit(ground, folder, layer.settings) : ground)
  return compared(path, tree(old), tree(now), now)
}

function compared(file: string, before: Tree, after: Tree, layer: Layer | undefined): Weakening[] {
  const lineOf = (path: readonly string[]) =>
    layer && valueAt(layer.settings, path) !== undefined ? (layer.placeOf(path, 'value').line ?? 1) : 1
  return configWeakenings(file, before, after, lineOf)
}
