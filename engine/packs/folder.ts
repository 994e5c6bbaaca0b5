import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { EngineError, type Fault } from '../errors.ts'
import type { CompiledRule } from '../rules/rule-set.ts'
import { brokenExamples } from './examples.ts'
import type { Pack } from './pack.ts'
import { parsePack, parseRule } from './parse.ts'

/**
 * A folder of packs (`<pack>/pack.yaml`, `<pack>/rules/<id>.yaml`), sorted by id. PACK_INVALID lists the faults of all of
 * them; with `root`, it names the files relative to that folder.
 */
export async function readPacks(folder: string, root?: string): Promise<Pack[]> {
  const packs: Pack[] = []
  const faults: Fault[] = []
  for (const id of folders(folder)) {
    const path = join(folder, id, 'pack.yaml')
    if (!existsSync(path)) continue
    const file = shown(path, root)
    try {
      const pack = await parsePack(readFileSync(path), file)
      if (pack.id !== id) faults.push({ message: `its id is ${pack.id}, but its folder is ${id}`, place: { file } })
      const rules = await readRules(join(folder, id, 'rules'), id, root)
      rules.push(...(await readDetectors(join(folder, id, 'detectors'), id, root)))
      packs.push({ ...pack, rules })
    } catch (error) {
      faults.push(...faultsOf(error))
    }
  }
  throwAny(faults)
  return packs
}

/** The rules in a folder's YAML files, sorted by id; each file is named for its rule, and every example holds. `root` as above. */
export function readRules(folder: string, packId: string, root?: string): Promise<CompiledRule[]> {
  return readEach(folder, packId, root, parseRule)
}

/** The detectors of secrets in a folder's YAML files, as rules; else like `readRules`. */
async function readDetectors(folder: string, packId: string, root?: string): Promise<CompiledRule[]> {
  if (!existsSync(folder)) return []
  const { parseDetector } = await import('./detector-file.ts')
  return readEach(folder, packId, root, parseDetector)
}

async function readEach(
  folder: string,
  packId: string,
  root: string | undefined,
  parse: typeof parseRule,
): Promise<CompiledRule[]> {
  if (!existsSync(folder)) return []
  const rules: CompiledRule[] = []
  const faults: Fault[] = []
  for (const name of readdirSync(folder).sort()) {
    if (!/\.ya?ml$/.test(name)) continue
    const path = join(folder, name)
    const file = shown(path, root)
    try {
      const rule = await parse(readFileSync(path), file, packId)
      if (rule.id !== basename(name).replace(/\.ya?ml$/, '')) {
        faults.push({ message: `its id is ${rule.id}, but its file is ${name}`, place: { file } })
      }
      for (const { expected, code, detail } of brokenExamples(rule)) {
        faults.push({
          message: `a ${expected} example does not hold (${detail}): ${JSON.stringify(code)}`,
          place: { file },
        })
      }
      rules.push(rule)
    } catch (error) {
      faults.push(...faultsOf(error))
    }
  }
  throwAny(faults)
  return rules
}

/** What messages call a file. */
function shown(path: string, root: string | undefined): string {
  return root === undefined ? path : relative(root, path).split(sep).join('/')
}

function folders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory() || entry.isSymbolicLink())
    .map(entry => entry.name)
    .sort()
}

function faultsOf(error: unknown): Fault[] {
  if (!(error instanceof EngineError) || error.code !== 'PACK_INVALID') throw error
  return error.faults.length > 0 ? [...error.faults] : [{ message: error.message }]
}

/** A fault with its place before it, as a person reads it. */
export function faultText({ message, place }: Fault): string {
  if (!place) return message
  return `${place.file}${place.line === undefined ? '' : `:${place.line}:${place.column}`}: ${message}`
}

function throwAny(faults: Fault[]): void {
  if (faults.length === 0) return
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  throw new EngineError('PACK_INVALID', `${faultText(faults[0]!)}${more}`, { faults })
}
