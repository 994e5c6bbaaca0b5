import { isAbsolute } from 'node:path'
import { readNamedSettings } from '../base/disk/settings-file.ts'
import { EngineError, type Fault, type Place } from '../base/errors.ts'
import { compileGlob } from '../base/text/glob.ts'
import { isTree, type Tree } from '../sources/config/merge.ts'
import { parseYaml } from '../sources/config/parse.ts'
import { placeFault, refuseConfig, validate } from '../sources/config/validate.ts'
import { findLimitFault, joinLimits, LIMIT_NAMES, type RepositoryLimits } from './limits.ts'

/** What all repositories of an organization must keep to. */
export interface OrganizationPolicy {
  /** The file's name, for messages. */
  name: string
  /** Settings as in `.svc/config.yaml`: a repository may be stricter, not weaker. */
  config: Tree
  /** Who may approve relaxations. */
  owners: readonly string[]
  relax: readonly Relaxation[]
  /** What scans of repositories may take on workers of the fleet. */
  limits: readonly ProjectLimits[]
}

/** Limits of some repositories. */
export interface ProjectLimits extends RepositoryLimits {
  /** A glob of repository names. */
  project: string
}

/** A setting that some repositories may weaken. */
export interface Relaxation {
  /** A glob of repository names, such as `github.com/acme/legacy-*`. */
  project: string
  /** Dotted keys, or sections of them. */
  keys: readonly string[]
  approved_by: string
  reason: string
  /** The last day that it holds, ISO 8601. */
  expires: string
}

const KEYS = new Set(['config', 'owners', 'relax', 'limits'])
const RELAX_KEYS = new Set(['project', 'keys', 'approved_by', 'reason', 'expires'])
const MOST_RELAXATIONS = 10_000
const MOST_LIMITS = 10_000

/**
 * Reads the policy. NOT_FOUND where the file is missing, CONFIG_INVALID with the line of every fault: a policy that is not understood must not
 * look like one that is kept.
 */
export async function readOrganizationPolicy(named: string): Promise<OrganizationPolicy> {
  if (!isAbsolute(named))
    throw new EngineError(
      'CONFIG_INVALID',
      `SVC_ORG_POLICY must be an absolute path, but was ${JSON.stringify(named)}.`,
      {
        hint: 'A relative one would be a file of the repository under scan.',
      },
    )
  const bytes = readNamedSettings(named, named)
  if (!bytes)
    throw new EngineError('NOT_FOUND', `There is no organization policy at ${named}.`, {
      hint: 'Correct SVC_ORG_POLICY, or unset it.',
    })
  return parseOrganizationPolicy(bytes, named)
}

/** As `readOrganizationPolicy`, from the file's bytes. */
export function parseOrganizationPolicy(bytes: Uint8Array, name: string): OrganizationPolicy {
  const { value, faults, placeOf } = parseYaml(bytes, name)
  const refuse = (found: Fault[]) =>
    refuseConfig(found, `Correct the named line of ${name}; docs/organization.md lists the keys.`)
  if (faults.length > 0) throw refuse(faults)
  const found: Fault[] = []
  const tell = (message: string, path: readonly string[], part: 'key' | 'value' = 'value') =>
    found.push({ message, place: placeOf(path, part) as Place })
  const policy: Tree = isTree(value) ? value : {}
  if (!isTree(value)) tell('The policy must be a map with the keys config, owners, relax and limits.', [])
  for (const key of Object.keys(policy))
    if (!KEYS.has(key))
      tell(`The policy has no key ${key}: its keys are config, owners, relax and limits.`, [key], 'key')
  const { settings, faults: wrong } = validate(policy.config ?? {}, 'root')
  for (const fault of wrong) found.push(placeFault({ ...fault, path: ['config', ...fault.path] }, placeOf))
  const owners = readTexts(policy.owners, ['owners'], tell)
  const relax = policy.relax === undefined ? [] : policy.relax
  if (!Array.isArray(relax) || relax.length > MOST_RELAXATIONS)
    tell(`relax must be a list of at most ${MOST_RELAXATIONS} entries.`, ['relax'])
  const entries = (Array.isArray(relax) ? relax.slice(0, MOST_RELAXATIONS) : []).map((entry: unknown, at) =>
    readRelaxation(entry, ['relax', String(at)], new Set(owners), tell),
  )
  const limits = readLimits(policy.limits, tell)
  if (found.length > 0) throw refuse(found)
  return { name, config: settings, owners, relax: entries.flatMap(entry => entry ?? []), limits }
}

/** What a worker gives a project, by all entries that name it: the smallest values count. */
export function selectLimits({ limits }: Pick<OrganizationPolicy, 'limits'>, project: string): RepositoryLimits {
  return joinLimits(limits.filter(each => compileGlob(each.project)(project)))
}

function readLimits(value: unknown, tell: Tell): ProjectLimits[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length > MOST_LIMITS) {
    tell(`limits must be a list of at most ${MOST_LIMITS} entries.`, ['limits'])
    return []
  }
  return value.flatMap((entry: unknown, at): ProjectLimits[] => {
    const path = ['limits', String(at)]
    if (!isTree(entry) || typeof entry.project !== 'string' || entry.project.trim() === '') {
      tell('An entry of limits must be a map with project, and minutes or repository_mb.', path)
      return []
    }
    for (const key of Object.keys(entry))
      if (key !== 'project' && !(LIMIT_NAMES as string[]).includes(key))
        tell(`An entry of limits has no key ${key}.`, [...path, key], 'key')
    const found: ProjectLimits = { project: entry.project }
    for (const name of LIMIT_NAMES) {
      if (entry[name] === undefined) continue
      const fault = findLimitFault(name, entry[name])
      if (fault) tell(fault, [...path, name])
      else found[name] = entry[name] as number
    }
    if (LIMIT_NAMES.every(name => entry[name] === undefined))
      tell('An entry of limits needs minutes or repository_mb.', path)
    return [found]
  })
}

type Tell = (message: string, path: readonly string[], part?: 'key' | 'value') => void

function readRelaxation(
  entry: unknown,
  path: readonly string[],
  owners: ReadonlySet<string>,
  tell: Tell,
): Relaxation | undefined {
  if (!isTree(entry)) {
    tell('An entry of relax must be a map with project, keys, approved_by, reason and expires.', path)
    return undefined
  }
  for (const key of Object.keys(entry))
    if (!RELAX_KEYS.has(key)) tell(`An entry of relax has no key ${key}.`, [...path, key], 'key')
  const text = (key: string) => {
    const value = entry[key]
    if (typeof value === 'string' && value.trim() !== '') return value
    tell(`${key} must be a text.`, key in entry ? [...path, key] : path)
    return ''
  }
  const [project, approved_by, reason, expires] = [
    text('project'),
    text('approved_by'),
    text('reason'),
    text('expires'),
  ]
  const keys = readTexts(entry.keys, [...path, 'keys'], tell)
  if (keys.length === 0) tell('keys must name at least one setting.', path)
  if (expires !== '' && !/^\d{4}-\d{2}-\d{2}$/.test(expires))
    tell('expires must be a date like 2027-01-31.', [...path, 'expires'])
  if (approved_by !== '' && !owners.has(approved_by))
    tell(`${approved_by} is not among the owners, who alone may approve a relaxation.`, [...path, 'approved_by'])
  return { project, keys, approved_by, reason, expires }
}

function readTexts(value: unknown, path: readonly string[], tell: Tell): string[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.every(each => typeof each === 'string')) return value as string[]
  tell(`${path.at(-1)} must be a list of texts.`, path)
  return []
}
