import { existsSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { isInside } from '../../base/disk/project-write.ts'
import { readNamedSettings, readSettings } from '../../base/disk/settings-file.ts'
import { EngineError, type Fault, type Place } from '../../base/errors.ts'
import { fillInDefaults, findFaults, type JsonSchema } from '../../base/json-schema.ts'
import { findNearest } from '../../base/text/nearest.ts'
import { findPlainKey } from '../../base/text/words.ts'
import { POLICIES_PATHS } from '../../sources/config/paths.ts'
import { type CelCompiler, loadCel } from './cel/compile.ts'
import { compilePolicy, type WrittenPolicy } from './compile.ts'
import SCHEMA from './policies.schema.json' with { type: 'json' }
import { CHECK_KEYS, type Policy } from './policy.ts'

/** The policies of a repository, and the file that they come from. */
export interface PolicyFile {
  /** Repository-relative where it is in the repository, else as it was named. */
  path: string
  policies: Policy[]
}

/** Larger than other settings: a list of forbidden packages is long. */
const MOST_BYTES = 1 << 20

/** Where the policies of a repository are, if it has any; CONFLICT where both places have them. */
export function findPolicyFile(root: string): string | undefined {
  const found = POLICIES_PATHS.filter(path => existsSync(join(root, path)))
  if (found.length > 1)
    throw new EngineError('CONFLICT', `Both ${found.join(' and ')} exist, and only one of them can apply.`, {
      hint: 'Move the policies into one of them, and remove the other.',
    })
  return found[0]
}

/**
 * Reads a file of policies; `named` is a path as a user wrote it, relative to `cwd`. NOT_FOUND where there is no such file, CONFIG_INVALID
 * with file, line and column of every fault: a policy that is not understood must not look like one that is obeyed.
 */
export async function readPolicies(root: string, named?: string, cwd = root): Promise<PolicyFile> {
  const { path, bytes } = readBytes(root, named, cwd)
  return { path, policies: await parsePolicies(bytes, path) }
}

/** As `readPolicies`, from the file's bytes. */
export async function parsePolicies(bytes: Uint8Array, path: string): Promise<Policy[]> {
  const { parseYaml } = await import('../../sources/config/parse.ts')
  const { refuseConfig } = await import('../../sources/config/validate.ts')
  const refuse = (faults: Fault[]) =>
    refuseConfig(faults, `Correct the named line of ${path}; docs/policies.md lists every key.`)
  const { value, faults, placeOf } = parseYaml(bytes, path, MOST_BYTES)
  if (faults.length > 0) throw refuse(faults)
  const read = fillInDefaults(SCHEMA as JsonSchema, value ?? {}) as { policies?: WrittenPolicy[] }
  // What is missing may have been written under an unknown key, which tells more.
  const byKey = findFaults(SCHEMA as JsonSchema, read).sort((a, b) => Number(!a.known) - Number(!b.known))
  const found = byKey.map(fault => ({
    message: sentenceOf(fault),
    place: placeOf(fault.path, fault.known ? 'key' : 'value'),
  }))
  if (found.length > 0) throw refuse(found)
  const written = read.policies ?? []
  const cel = written.some(policy => policy.cel) ? await loadCel() : undefined
  const compiled = compileAll(written, { text: Buffer.from(bytes).toString('utf8'), placeOf, cel })
  if (compiled.faults.length > 0) throw refuse(compiled.faults)
  return compiled.policies
}

function readBytes(root: string, named: string | undefined, cwd: string): { path: string; bytes: Buffer } {
  const own = named === undefined ? findPolicyFile(root) : undefined
  if (named === undefined && own === undefined)
    throw new EngineError('NOT_FOUND', 'The repository has no policies.yaml.', {
      hint: 'Run `svc check-policies --init` to write one, or name a file with --config.',
    })
  const absolute = own === undefined ? resolve(cwd, named!) : join(root, own)
  const inside = isInside(root, absolute)
  const path = inside ? relative(root, absolute).split(sep).join('/') : isAbsolute(named!) ? absolute : named!
  const limits = { most: MOST_BYTES }
  const bytes = inside ? readSettings(root, path, limits) : readNamedSettings(absolute, path, limits)
  if (!bytes) throw new EngineError('NOT_FOUND', `There is no file ${path}.`)
  return { path, bytes }
}

function compileAll(
  written: readonly WrittenPolicy[],
  { text, placeOf, cel }: { text: string; placeOf: PlaceOf; cel: CelCompiler | undefined },
): { policies: Policy[]; faults: Fault[] } {
  const faults: Fault[] = []
  const names = new Map<string, number>()
  const lines = text.split('\n')
  const policies = written.flatMap((policy, index): Policy | [] => {
    const base = ['policies', String(index)]
    const line = placeOf(base, 'value').line ?? 1
    const before = names.get(policy.name)
    if (before !== undefined)
      faults.push({
        message: `The name ${policy.name} is used twice, first in line ${before}.`,
        place: placeOf([...base, 'name'], 'value'),
      })
    names.set(policy.name, line)
    const checks = CHECK_KEYS.filter(key => policy[key] !== undefined)
    if (checks.length !== 1) {
      const place = checks[1] === undefined ? placeOf(base, 'value') : placeOf([...base, checks[1]], 'key')
      const what =
        checks.length === 0
          ? `has no check: add one of ${CHECK_KEYS.join(', ')}`
          : `has ${checks.length} checks (${checks.join(', ')}): write a policy for each`
      faults.push({ message: `The policy ${policy.name} ${what}.`, place })
      return []
    }
    const compiled = compilePolicy(policy, line, cel, ({ path, message, offset }) => {
      const place = placeOf([...base, ...path], 'value')
      const source = offset === undefined ? undefined : findValue(policy, path)
      faults.push({ message, place: source === undefined ? place : placeWithin(lines, place, source, offset!) })
    })
    return compiled ?? []
  })
  return { policies, faults }
}

type PlaceOf = (path: readonly string[], part: 'key' | 'value') => Place

function findValue(value: unknown, path: readonly string[]): string | undefined {
  const found = path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value)
  return typeof found === 'string' ? found : undefined
}

/** Where an offset of a text stands in the YAML file that has the text at `place`: on one line, quoted or not, or as a block. */
export function placeWithin(lines: readonly string[], place: Place, text: string, offset: number): Place {
  const { file, line = 1, column = 1 } = place
  const begin = lines[line - 1]?.slice(column - 1) ?? ''
  const before = text.slice(0, offset)
  if (/^[|>]/.test(begin)) {
    const nth = begin.startsWith('>') ? 0 : before.split('\n').length - 1
    const indent = /^ */.exec(lines[line] ?? '')![0].length
    return {
      file,
      line: line + 1 + nth,
      column: indent + 1 + offset - (before.lastIndexOf('\n') + 1) * (nth > 0 ? 1 : 0),
    }
  }
  const quote = /^["']/.test(begin) ? 1 : 0
  const isOnOneLine = begin.length - quote >= offset
  return isOnOneLine ? { file, line, column: column + quote + offset } : place
}

/** A schema fault in a sentence, without the number of the policy, which nobody counts. */
function sentenceOf({ message, path, known }: { message: string; path: string[]; known?: string[] }): string {
  if (!known) return message.replace(/^policies\.\d+\./, '')
  const word = path.at(-1) ?? ''
  const meant = findNearest(word, known)
  const section = path.slice(2, -1).join('.')
  return `${findPlainKey(word) ?? 'This key'} is not a known key${section === '' ? '' : ` of ${section}`}${meant ? `; did you mean ${meant}?` : `. Known: ${known.join(', ')}.`}`
}
