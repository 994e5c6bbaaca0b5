import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseFile } from './parse.ts'

/** The file of a pack that comes with svc with the utility rules that several of its syntax rules ask for by name. */
const FILE = 'utility-rules.yaml'

type Utils = Readonly<Record<string, unknown>>

/** The utility rules that the rules of a pack share; none where the pack has no such file. */
export async function readSharedUtils(folder: string, shown: string): Promise<Utils> {
  const path = join(folder, FILE)
  if (!existsSync(path)) return {}
  const { data } = await parseFile(readFileSync(path), `${shown}/${FILE}`)
  return data as Utils
}

/** The rule as it is written with those of the shared utility rules that it asks for by name and does not have itself. */
export function addSharedUtils(data: unknown, shared: Utils): unknown {
  if (typeof data !== 'object' || data === null) return data
  const { rule, constraints, utils = {} } = data as Record<string, unknown>
  if (rule === undefined) return data
  const own = utils as Utils
  const added: Record<string, unknown> = {}
  const waiting: unknown[] = [rule, constraints, own]
  while (waiting.length > 0)
    for (const name of listNames(waiting.pop()))
      if (Object.hasOwn(shared, name) && !Object.hasOwn(own, name) && !Object.hasOwn(added, name)) {
        added[name] = shared[name]
        waiting.push(shared[name])
      }
  return Object.keys(added).length === 0 ? data : { ...data, utils: { ...own, ...added } }
}

function listNames(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(listNames)
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) =>
    key === 'matches' && typeof value === 'string' ? [value] : listNames(value),
  )
}
