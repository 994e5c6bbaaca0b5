import { createHash } from 'node:crypto'
import { parseEvidence } from '../../assure/evidence/file.ts'
import { EngineError, type Fault } from '../../base/errors.ts'
import { isObject } from '../../base/text/json-object.ts'
import { parseBaseline } from '../../findings/baseline-file.ts'
import { parseSuppressions } from '../../findings/suppression-file.ts'
import { parseLayer } from '../../sources/config/layer.ts'
import { complete } from '../../sources/config/load.ts'
import { parseYaml } from '../../sources/config/parse.ts'
import {
  BASELINE_PATH,
  CONFIG_PATH,
  EVIDENCE_PATH,
  LEGACY_PATH,
  SUPPRESSIONS_PATH,
} from '../../sources/config/paths.ts'
import type { Settings } from '../../sources/config/schema.ts'
import { RULE_FILES } from '../../sources/config/settings-paths.ts'
import { findContradictions, placeFault } from '../../sources/config/validate.ts'
import type { Weakening } from './policy-rules.ts'

/** Rules, packs and libraries of the repository's own. */
const OWN_FILE = /^\.svc\/(?:packs|rules|libraries)\/.*\.ya?ml$/

/**
 * What makes a settings file one that cannot be loaded, with its places; `named` is a configuration file that takes the place of the root's.
 * Of policies, architecture rules, packs and libraries the form alone is checked; what they say is checked where they are loaded.
 */
export async function findSettingsFaults(path: string, bytes: Uint8Array, named?: string): Promise<Fault[]> {
  if (path === named || path === CONFIG_PATH || path === LEGACY_PATH) return findRootFaults(path, bytes)
  if (path.endsWith(`/${CONFIG_PATH}`)) return (await parseLayer(bytes, path, 'folder')).faults
  if (path === SUPPRESSIONS_PATH) return faultsOf(() => parseSuppressions(bytes))
  if (path === EVIDENCE_PATH) return faultsOf(() => parseEvidence(bytes))
  if (path === BASELINE_PATH) return faultsOf(() => parseBaseline(Buffer.from(bytes).toString('utf8')))
  if (!RULE_FILES.includes(path) && !OWN_FILE.test(path)) return []
  const { value, faults, placeOf } = parseYaml(bytes, path)
  if (faults.length > 0 || value === null || value === undefined || isObject(value)) return faults
  return [{ message: 'The file must be a map.', place: placeOf([], 'value') }]
}

/**
 * That the base has an invalid file, so that nobody can tell what the change makes weaker in it. The content that takes its place has its part in
 * what is agreed to.
 */
export function makeIncomparable(
  path: string,
  base: string,
  [first, ...more]: readonly Fault[],
  after: Uint8Array | undefined,
): Weakening {
  const line = first?.place?.line
  const others = more.length > 0 ? ` (and ${more.length} more)` : ''
  const digest = createHash('sha256')
    .update(after ?? '')
    .digest('hex')
    .slice(0, 12)
  const at = `invalid in ${shortenRevision(base)}${line === undefined ? '' : `, line ${line}`}`
  return { rule_id: 'gate-base-invalid', file: path, line: 1, what: `${at}: ${first?.message}${others} [${digest}]` }
}

/** A commit as messages name it. */
function shortenRevision(revision: string): string {
  return /^[0-9a-f]{40,}$/.test(revision) ? revision.slice(0, 12) : revision
}

async function findRootFaults(path: string, bytes: Uint8Array): Promise<Fault[]> {
  const { settings, faults, placeOf } = await parseLayer(bytes, path, 'root')
  if (faults.length > 0) return faults
  return findContradictions(complete(settings) as unknown as Settings).map(fault => placeFault(fault, placeOf))
}

async function faultsOf(parse: () => unknown): Promise<Fault[]> {
  try {
    await parse()
    return []
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const { message, place, faults } = error
    return faults.length > 0 ? [...faults] : [{ message, ...(place && { place }) }]
  }
}
