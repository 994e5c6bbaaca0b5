import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { isInside } from '../../base/disk/project-write.ts'
import { readNamedSettings, readSettings } from '../../base/disk/settings-file.ts'
import { EngineError, type Fault } from '../../base/errors.ts'
import { ENVIRONMENT, readEnvironment } from './environment.ts'
import { inherit } from './inherit.ts'
import { CONFIG_SCHEMA, fillDefaults } from './keys.ts'
import { type Layer, readLayer } from './layer.ts'
import { getValue, merge, type Tree } from './merge.ts'
import { CONFIG_PATH, LEGACY_PATH } from './paths.ts'
import { PROFILE_DEFAULTS } from './profile.ts'
import type { Settings } from './schema.ts'
import { type ConfigFault, findContradictions, refuseConfig, validate } from './validate.ts'
import type { Profile } from './values.ts'

export interface LoadOptions {
  /** A file that takes the place of the root's; absolute, or relative to the start folder. */
  path?: string
  /** Settings from flags or a request, nested as in the file. They beat everything; governance is refused here. */
  overrides?: Record<string, unknown>
  /** The environment to read ENVIRONMENT's variables from; none is read where it is absent. */
  env?: Readonly<Record<string, string | undefined>>
  /** Folder that holds the repository's configuration files at their paths, where the repository's own are not to count; absolute. */
  from?: string
  /** Repository-relative paths, among which the folders' configuration files are; the others are passed over. */
  files?: Iterable<string>
}

/**
 * The configuration in force: the root's settings as plain data (they survive JSON and structuredClone), and beside
 * them, not enumerable, where they came from and what holds for the folders.
 */
export type Config = Settings & {
  /** Absolute path of the repository's root, which paths are relative to. */
  readonly root: string
  /** The files that were read, the root's first: repository-relative, or as given where it stands outside. */
  readonly sources: readonly string[]
  /** Sentences for the person, such as a legacy file in use. */
  readonly notices: readonly string[]
  /** The folders with a file of their own, and what holds in each. */
  readonly folders: ReadonlyMap<string, Settings>
  /** What holds for a file, given by its repository-relative path. */
  for(path: string): Settings
}

/**
 * Loads the configuration that holds for `start`. The repository's root is the nearest folder from `start` upwards that
 * holds `.git`, else `start` itself; nothing above it is read. Precedence: overrides, environment, folder files from the
 * inside out, the root's file, the profile it names, the schema's defaults. Without any file it costs two failed opens,
 * and the YAML parser is not loaded.
 *
 * Throws CONFIG_INVALID with every fault of every layer (a single one is the error itself), and NOT_FOUND where `path` is given and absent.
 */
export async function loadConfig(start: string, options: LoadOptions = {}): Promise<Config> {
  const root = findRepositoryRoot(start)
  const from = options.from ?? root
  const { base, notices } = await rootLayer({ root, from }, start, options.path)
  const inner: Layer[] = []
  for (const name of folderFiles({ root, from }, start, options.files ?? [])) {
    const layer = await readLayer(() => readSettings(from, name), name, 'folder')
    if (layer) inner.push(layer)
  }
  const environment = validate(readEnvironment(options.env ?? {}), 'override')
  const overrides = validate(options.overrides ?? {}, 'override')
  refuse([
    ...[base, ...inner].flatMap(layer => layer?.faults ?? []),
    ...environment.faults.map(fault => ({ message: withVariable(fault) })),
    ...overrides.faults.map(({ message }) => ({ message })),
  ])

  const ground = complete(base?.settings ?? {})
  const inForce = (tree: Tree) =>
    fillDefaults(CONFIG_SCHEMA, merge(merge(tree, environment.settings), overrides.settings)) as Settings

  const settings = inForce(ground)
  const faults = findContradictions(settings).map(fault => where(fault, base))
  const trees = new Map<string, Tree>()
  const folders = new Map<string, Settings>()
  for (const layer of inner) {
    const folder = dirname(dirname(layer.name))
    const tree = inherit(above(trees, folder) ?? ground, folder, layer.settings)
    trees.set(folder, tree)
    folders.set(folder, inForce(tree))
    if (faults.length === 0) faults.push(...findContradictions(folders.get(folder)!).map(fault => where(fault, layer)))
  }
  refuse(faults)
  return describe(settings, { root, notices, folders, sources: [base, ...inner].flatMap(layer => layer?.name ?? []) })
}

/** A root file's settings with the defaults of its profile and of the schema filled in. */
export function complete(written: Tree): Tree {
  const profile = getValue(written, ['governance', 'profile']) as Profile | undefined
  return fillDefaults(CONFIG_SCHEMA, merge(profile ? (PROFILE_DEFAULTS[profile] as Tree) : {}, written)) as Tree
}

/** The paths among these that configure a folder: `<folder>/.svc/config.yaml`, never the root's own. */
export function listDirectoryConfigs(paths: Iterable<string>): string[] {
  const found: string[] = []
  for (const path of paths) if (path.endsWith(`/${CONFIG_PATH}`)) found.push(path)
  return found.sort()
}

/** The nearest folder from `start` upwards that holds `.git` (a folder, or the file of a worktree or submodule), else `start`. */
export function findRepositoryRoot(start: string): string {
  const from = existsSync(start) ? realpathSync.native(start) : resolve(start)
  for (let at = from; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return from
  }
}

async function rootLayer(
  { root, from }: { root: string; from: string },
  start: string,
  path: string | undefined,
): Promise<{ base?: Layer; notices: string[] }> {
  if (path !== undefined) {
    const file = resolve(start, path)
    const name = isInside(root, file) ? relative(root, file).split(sep).join('/') : path
    const isElsewhere = from !== root && isInside(root, file)
    const read = () => (isElsewhere ? readSettings(from, name) : readConfigFile(root, file, name))
    const base = await readLayer(read, name, 'root')
    // A file that only the change brings is none yet where its base counts.
    if (!base && isElsewhere && existsSync(file)) return { notices: [] }
    if (!base) throw new EngineError('NOT_FOUND', `Configuration file ${name} not found.`)
    return { base, notices: [] }
  }
  const base = await readLayer(() => readSettings(from, CONFIG_PATH), CONFIG_PATH, 'root')
  if (base) return { base, notices: [] }
  const legacy = await readLayer(() => readSettings(from, LEGACY_PATH), LEGACY_PATH, 'root')
  if (!legacy) return { notices: [] }
  return {
    base: legacy,
    notices: [`${LEGACY_PATH} is the old name: run \`svc migrate\` to move it to ${CONFIG_PATH}.`],
  }
}

/** A configuration file that was named: the repository chooses what stands at a path in it, and the user what stands elsewhere. */
export function readConfigFile(root: string, file: string, name: string): Buffer | undefined {
  return isInside(root, file) ? readSettings(root, relative(root, file)) : readNamedSettings(file, name)
}

/** Files of folders to read, outer before inner: those listed, and those between the root and the start. */
function folderFiles({ root, from }: { root: string; from: string }, start: string, files: Iterable<string>): string[] {
  const found = new Set(listDirectoryConfigs(files))
  const steps = relative(root, existsSync(start) ? realpathSync.native(start) : resolve(start))
    .split(sep)
    .filter(Boolean)
  for (const depth of steps.keys()) {
    const name = `${steps.slice(0, depth + 1).join('/')}/${CONFIG_PATH}`
    if (existsSync(join(from, name))) found.add(name)
  }
  return [...found].sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
}

/** The entry of the nearest folder at or above this one. */
function above<T>(byFolder: ReadonlyMap<string, T>, folder: string): T | undefined {
  for (let at = folder; at !== '.' && at !== '/'; at = dirname(at)) {
    const found = byFolder.get(at)
    if (found !== undefined) return found
  }
  return undefined
}

function describe(settings: Settings, more: Omit<Config, keyof Settings | 'for'>): Config {
  const { folders } = more
  const known = new Map<string, Settings>()
  const lookUp = (path: string): Settings => {
    if (folders.size === 0) return settings
    const folder = dirname(path)
    const found = known.get(folder) ?? above(folders, folder) ?? settings
    known.set(folder, found)
    return found
  }
  const hidden = Object.fromEntries(Object.entries({ ...more, for: lookUp }).map(([key, value]) => [key, { value }]))
  return Object.defineProperties({ ...settings }, hidden) as Config
}

/** The fault with its place, where the file says anything at its path. */
function where({ path, message }: ConfigFault, layer: Layer | undefined): Fault {
  if (!layer || getValue(layer.settings, path.slice(0, 2)) === undefined) return { message }
  return { message, place: layer.placeOf(path, 'value') }
}

/** The sentence with the environment variable that the value came from. */
function withVariable({ path, message }: ConfigFault): string {
  const variable = ENVIRONMENT.find(({ key }) => path.join('.').startsWith(key))
  return variable ? message.replace(variable.key, `${variable.name} (${variable.key})`) : message
}

function refuse(faults: Fault[]): void {
  if (faults.length > 0) throw refuseConfig(faults)
}
