import { readSettings } from '../../base/disk/settings-file.ts'
import { EngineError, type Fault } from '../../base/errors.ts'
import { IGNORES_PATH } from './locations.ts'

/** An entry of `.svc/vuln-ignores.yaml`: a vulnerability that is accepted. */
export interface VulnIgnore {
  /** Any id or alias of the vulnerability. */
  id: string
  /** The package by its name; every package where absent. */
  package?: string
  reason: string
  /** ISO 8601 date, the last day on which it holds. */
  expires?: string
  line: number
}

const KEYS = ['id', 'package', 'reason', 'expires']

/** The entries of the repository's file, none where there is no file. CONFIG_INVALID with every fault and its line. */
export async function readVulnIgnores(root: string): Promise<VulnIgnore[]> {
  const bytes = readSettings(root, IGNORES_PATH)
  if (!bytes) return []
  const { parseYaml } = await import('../../sources/config/parse.ts')
  const { value, faults, placeOf } = await parseYaml(bytes, IGNORES_PATH)
  if (faults.length === 0 && value !== null && value !== undefined && !Array.isArray(value))
    faults.push({
      message: 'The file must be a list of entries, each beginning with `- id:`.',
      place: placeOf([], 'value'),
    })
  const entries = faults.length === 0 ? ((value ?? []) as unknown[]) : []
  const read = entries.map((entry, index): VulnIgnore => {
    const place = placeOf([String(index)], 'value')
    faults.push(...findFaults(entry).map(message => ({ message, place }) as Fault))
    return { ...(entry as Omit<VulnIgnore, 'line'>), line: place?.line ?? 1 }
  })
  if (faults.length > 0)
    throw new EngineError('CONFIG_INVALID', `${IGNORES_PATH} is not valid.`, {
      hint: 'Each entry has id, reason, and optionally package and expires.',
      faults,
    })
  return read
}

function findFaults(entry: unknown): string[] {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    return [`An entry must be a map with ${KEYS.join(', ')}.`]
  const faults = ['id', 'reason'].flatMap(key => (key in entry ? [] : [`An entry has no ${key}.`]))
  for (const [key, value] of Object.entries(entry))
    if (!KEYS.includes(key)) faults.push(`An entry has a key that is not known. Known: ${KEYS.join(', ')}.`)
    else if (typeof value !== 'string' || value.trim() === '') faults.push(`${key} must be a string that is not empty.`)
    else if (key === 'expires' && !isDate(value)) faults.push('expires must be a date like 2027-01-31.')
  return faults
}

/** Whether an entry no longer holds; it holds for the whole of its last day, in UTC. */
export function isExpired({ expires }: Pick<VulnIgnore, 'expires'>, now: number): boolean {
  return expires !== undefined && now >= Date.parse(`${expires}T00:00:00Z`) + 86_400_000
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
