import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { isFolder } from '../../base/disk/output-file.ts'
import { readSettings } from '../../base/disk/settings-file.ts'
import { EngineError, ERRORS, type Fault } from '../../base/errors.ts'
import type { Library } from '../../base/records/library.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import { installModels } from '../../detect/taint/models.ts'
import { findBrokenExamples } from './examples.ts'
import { boundTaintRule } from './libraries/bounded-rule.ts'
import { type ProofBudget, Unproven } from './libraries/proof-budget.ts'
import { teachRules } from './libraries/teach.ts'
import type { Pack } from './pack.ts'
import { parseFile, parsePack, readRule, refusePack } from './parse.ts'
import { addSharedUtils, readSharedUtils } from './shared-utils.ts'
import { findRuleNamed } from './taken-sinks.ts'
import { readForms, type WrittenForm } from './weaknesses.ts'

/** The largest file of a pack that is read. */
const MAX_FILE_BYTES = 4 << 20
const NOTHING = Buffer.alloc(0)

/**
 * A folder of packs (`<pack>/pack.yaml`, `<pack>/rules/<id>.yaml`), sorted by id. PACK_INVALID lists the faults of all of
 * them; with `root`, it names the files relative to that folder. `libraries` are the repository's own, which its rules may build on; a folder
 * `libraries` beside packs that come with svc has what those know of libraries, and a folder `weaknesses` the rules that are one in all
 * languages, whose forms belong to the packs.
 */
export async function readPacks(
  folder: string,
  root?: string,
  libraries: readonly Library[] = [],
  budget?: ProofBudget,
): Promise<Pack[]> {
  if (root === undefined && existsSync(join(folder, 'libraries'))) await installLibraries(join(folder, 'libraries'))
  const forms = root === undefined ? await readForms(join(folder, 'weaknesses')) : undefined
  const packs: Pack[] = []
  const faults: Fault[] = []
  for (const id of folders(folder, root)) {
    const path = join(folder, id, 'pack.yaml')
    const file = shown(path, root)
    try {
      const bytes = bytesOf(path, root)
      if (!bytes) continue
      const pack = await parsePack(bytes, file)
      if (pack.id !== id) faults.push({ message: `its id is ${pack.id}, but its directory is ${id}`, place: { file } })
      const rules = await readRules(join(folder, id, 'rules'), id, root, libraries, forms?.get(id), budget)
      rules.push(...(await readDetectors(join(folder, id, 'detectors'), id, root)))
      packs.push({ ...pack, rules })
    } catch (error) {
      faults.push(...faultsOf(error))
    }
  }
  throwAny(faults)
  return packs
}

/**
 * The rules in a folder's YAML files and those of `forms`, sorted by id; each file is named for its rule, and every example holds. `root` as
 * above.
 */
export async function readRules(
  folder: string,
  packId: string,
  root?: string,
  libraries: readonly Library[] = [],
  forms: readonly WrittenForm[] = [],
  budget?: ProofBudget,
): Promise<CompiledRule[]> {
  // A pack of a repository says all of a rule in its file, which is what a reviewer reads.
  const shared = root === undefined ? await readSharedUtils(dirname(folder), packId) : {}
  const files = await eachOf(yamlFiles(folder, root), async ({ path, file }) => {
    const parsed = await parseFile(bytesOf(path, root) ?? NOTHING, file)
    return { file, name: basename(path), ...parsed, data: addSharedUtils(parsed.data, shared) }
  })
  const written = [...files, ...forms.map(form => ({ ...form, name: `${form.data.id}.yaml` }))].map(rule => ({
    ...rule,
    // What comes with svc is known to be bounded.
    ...(root !== undefined && boundTaintRule(rule.data, rule.place)),
  }))
  const named = findRuleNamed(written)
  return eachOf(
    written.sort((a, b) => (a.name < b.name ? -1 : 1)),
    async ({ file, name, data, place, faults = [] }) => {
      if (faults.length > 0) throw refusePack(file, faults)
      const rule = teachRules([readRule(data, file, packId, place, named)], libraries)[0]!
      return budget ? budget.run(rule.id, () => proven(rule, name, file, budget)) : proven(rule, name, file)
    },
  )
}

/** Makes the libraries of a directory those that come with svc. */
async function installLibraries(folder: string): Promise<void> {
  const { compileModels } = await import('./libraries/compile.ts')
  const { readLibraries } = await import('./libraries/read.ts')
  installModels(compileModels((await readLibraries(folder)).map(({ library }) => library)))
}

/** The detectors of secrets in a folder's YAML files, as rules; else like `readRules`. */
async function readDetectors(folder: string, packId: string, root?: string): Promise<CompiledRule[]> {
  if (!existsSync(folder)) return []
  const { parseDetector } = await import('./detector-file.ts')
  return eachOf(yamlFiles(folder, root), async ({ path, file }) =>
    proven(await parseDetector(bytesOf(path, root) ?? NOTHING, file, packId), basename(path), file),
  )
}

interface NamedFile {
  path: string
  /** What messages call it. */
  file: string
}

/** A file of a pack: a repository's own as its settings are read, since the repository chooses what stands there. */
function bytesOf(path: string, root: string | undefined): Buffer | undefined {
  if (root !== undefined) return readSettings(root, shown(path, root), { most: MAX_FILE_BYTES, code: 'PACK_INVALID' })
  return existsSync(path) ? readFileSync(path) : undefined
}

/** A folder's YAML files, sorted; none where there is no folder. */
function yamlFiles(folder: string, root: string | undefined): NamedFile[] {
  if (!existsSync(folder)) return []
  const names = entriesOf(folder, root)
    .map(({ name }) => name)
    .filter(name => /\.ya?ml$/.test(name))
  return names.sort().map(name => ({ path: join(folder, name), file: shown(join(folder, name), root) }))
}

/** What becomes of each; PACK_INVALID with the faults of all of them. */
async function eachOf<T extends { file: string }, R>(all: readonly T[], make: (one: T) => Promise<R>): Promise<R[]> {
  const out: R[] = []
  const faults: Fault[] = []
  for (const one of all) {
    try {
      out.push(await make(one))
    } catch (error) {
      faults.push(...faultsOf(error, one.file))
    }
  }
  throwAny(faults)
  return out
}

/** The rule, whose file is named for it and whose examples hold, or PACK_INVALID. */
function proven(rule: CompiledRule, name: string, file: string, budget?: ProofBudget): CompiledRule {
  const broken = findBrokenExamples(rule)
  const late = budget && broken.find(({ detail }) => detail === 'timed_out')
  if (late) budget.breakOff(rule.id, late.code)
  const faults: Fault[] = broken.map(({ expected, code, detail }) => ({
    message: `a ${expected} example fails (${detail}): ${JSON.stringify(code)}`,
    place: { file },
  }))
  if (rule.id !== name.replace(/\.ya?ml$/, ''))
    faults.unshift({ message: `its id is ${rule.id}, but its file is ${name}`, place: { file } })
  throwAny(faults)
  return rule
}

/** What messages call a file. */
function shown(path: string, root: string | undefined): string {
  return root === undefined ? path : relative(root, path).split(sep).join('/')
}

function entriesOf(folder: string, root: string | undefined): Dirent[] {
  if (isFolder(folder)) return readdirSync(folder, { withFileTypes: true })
  const file = shown(folder, root)
  throw new EngineError('PACK_INVALID', `${file} is not a directory.`, { place: { file } })
}

function folders(folder: string, root: string | undefined): string[] {
  return entriesOf(folder, root)
    .filter(entry => entry.isDirectory() || entry.isSymbolicLink())
    .map(entry => entry.name)
    .sort()
}

function faultsOf(error: unknown, file?: string): Fault[] {
  if (error instanceof Unproven) return [{ message: error.message, ...(file !== undefined && { place: { file } }) }]
  if (!(error instanceof EngineError) || error.code !== 'PACK_INVALID') throw error
  if (error.faults.length > 0) return [...error.faults]
  const says = error.hint === ERRORS.PACK_INVALID.hint ? error.message : `${error.message} ${error.hint}`
  return [{ message: says }]
}

/** A fault with its place before it, as a person reads it. */
export function formatFault({ message, place }: Fault): string {
  if (!place) return message
  return `${place.file}${place.line === undefined ? '' : `:${place.line}:${place.column}`}: ${message}`
}

function throwAny(faults: Fault[]): void {
  if (faults.length === 0) return
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  throw new EngineError('PACK_INVALID', `${formatFault(faults[0]!)}${more}`, { faults })
}
