import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { EngineError, type Fault } from '../errors.ts'
import type { CompiledRule } from '../rules/rule-set.ts'
import { brokenExamples } from './examples.ts'
import type { Pack } from './pack.ts'
import { parsePack, parseRule } from './parse.ts'

/** A folder of packs (`<pack>/pack.yaml`, `<pack>/rules/<id>.yaml`), sorted by id. PACK_INVALID lists the faults of all of them. */
export async function readPacks(folder: string): Promise<Pack[]> {
  const packs: Pack[] = []
  const faults: Fault[] = []
  for (const id of folders(folder)) {
    const file = join(folder, id, 'pack.yaml')
    if (!existsSync(file)) continue
    try {
      const pack = await parsePack(readFileSync(file, 'utf8'), file)
      if (pack.id !== id) throw new EngineError('PACK_INVALID', `${file}: its id is ${pack.id}, but its folder is ${id}`)
      packs.push({ ...pack, rules: await readRules(join(folder, id, 'rules'), id) })
    } catch (error) {
      faults.push(...faultsOf(error))
    }
  }
  throwAny(faults)
  return packs
}

/** The rules in a folder's YAML files, sorted by id; each file is named for its rule, and every example holds. */
export async function readRules(folder: string, packId: string): Promise<CompiledRule[]> {
  if (!existsSync(folder)) return []
  const rules: CompiledRule[] = []
  const faults: Fault[] = []
  for (const name of readdirSync(folder).sort()) {
    if (!/\.ya?ml$/.test(name)) continue
    const file = join(folder, name)
    try {
      const rule = await parseRule(readFileSync(file, 'utf8'), file, packId)
      if (`${rule.id}` !== basename(name).replace(/\.ya?ml$/, '')) {
        throw new EngineError('PACK_INVALID', `${file}: its id is ${rule.id}, but its file is ${name}`)
      }
      for (const { expected, code, detail } of brokenExamples(rule)) {
        faults.push({ message: `${file}: a ${expected} example does not hold (${detail}): ${JSON.stringify(code)}`, place: { file } })
      }
      rules.push(rule)
    } catch (error) {
      faults.push(...faultsOf(error))
    }
  }
  throwAny(faults)
  return rules
}

function folders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory() || entry.isSymbolicLink())
    .map(entry => entry.name)
    .sort()
}

function faultsOf(error: unknown): Fault[] {
  if (!(error instanceof EngineError) || error.code !== 'PACK_INVALID') throw error
  return error.faults.length > 0 ? error.faults.map(fault => ({ ...fault, message: fault.place ? `${where(fault)}: ${fault.message}` : fault.message })) : [{ message: error.message }]
}

function where({ place }: Fault): string {
  return place ? `${place.file}${place.line === undefined ? '' : `:${place.line}:${place.column}`}` : ''
}

function throwAny(faults: Fault[]): void {
  if (faults.length === 0) return
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  throw new EngineError('PACK_INVALID', `${faults[0]!.message}${more}`, { faults })
}
