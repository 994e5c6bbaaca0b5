import { fillInDefaults, findFaults, type JsonSchema } from '../../base/json-schema.ts'
import { findNearest } from '../../base/text/nearest.ts'
import { findPlainKey } from '../../base/text/words.ts'
import { makeRecord, type RequirementReader, type RequirementRecord } from './model.ts'
import SCHEMA from './schema.gen.json' with { type: 'json' }

/** 10,000 requirements with their texts. */
export const MOST_REQUIREMENT_BYTES = 32 << 20

/** A requirement as the file has it: what is not said is absent. */
export type WrittenRequirement = Omit<Partial<RequirementRecord>, 'level' | 'source'> & {
  id: string
  title: string
  level?: string | number
  source?: { provider: string; key: string; url?: string; revision?: string | number }
}

/** Reads requirements.yaml. Every fault has its line; where there is one, the requirements that are well formed are read all the same. */
export const readRequirementsYaml: RequirementReader = async (text, file) => {
  const { parseYaml } = await import('../../sources/config/parse.ts')
  const { value, faults, placeOf } = parseYaml(Buffer.from(text), file, MOST_REQUIREMENT_BYTES)
  const lineAt = (path: readonly string[], part: 'key' | 'value' = 'value') => placeOf(path, part).line ?? 1
  if (faults.length > 0)
    return {
      requirements: [],
      faults: faults.map(({ message, place }) => ({ kind: 'invalid', file, line: place?.line ?? 1, message })),
    }
  // Helm and Ansible have files of this name, too, in which they list what they install.
  const isOther = Array.isArray(value) || (isMap(value) && Object.keys(value).length > 0 && !('requirements' in value))
  if (isOther) return { requirements: [], faults: [] }
  const filled = fillInDefaults(SCHEMA as JsonSchema, value ?? {}) as { requirements?: unknown }
  const found = findFaults(SCHEMA as JsonSchema, filled)
  const wrong = new Set(found.map(({ path }) => (path[0] === 'requirements' ? path[1] : undefined)))
  const written = Array.isArray(filled.requirements) ? (filled.requirements as WrittenRequirement[]) : []
  const isReadable = !wrong.has(undefined)
  return {
    requirements: written.flatMap((each, index) =>
      isReadable && !wrong.has(String(index))
        ? { ...fromWritten(each), file, line: lineAt(['requirements', String(index)]), format: 'yaml' as const }
        : [],
    ),
    faults: found.map(fault => ({
      kind: 'invalid',
      file,
      line: lineAt(fault.path, fault.known ? 'key' : 'value'),
      message: sentenceOf(fault),
    })),
  }
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The record of what the file has. */
export function fromWritten({ level, source, ...rest }: WrittenRequirement): RequirementRecord {
  const { revision, ...from } = source ?? {}
  return makeRecord({
    ...rest,
    ...(level !== undefined && { level: String(level) }),
    ...(source && {
      source: { ...(from as typeof source), ...(revision !== undefined && { revision: String(revision) }) } as never,
    }),
  })
}

function sentenceOf({ message, path, known }: { message: string; path: string[]; known?: string[] }): string {
  if (!known) return message.replace(/^requirements\.\d+\./, '')
  const word = path.at(-1) ?? ''
  const meant = findNearest(word, known)
  return `${findPlainKey(word) ?? 'This key'} is not a known key${meant ? `; did you mean ${meant}?` : `. Known: ${known.join(', ')}.`}`
}
