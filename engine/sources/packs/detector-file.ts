import { visitRegExpAST } from '@eslint-community/regexpp'
import { EngineError, type Fault } from '../../base/errors.ts'
import { fillInDefaults, findFaults } from '../../base/json-schema.ts'
import type { Severity } from '../../base/records/finding.ts'
import type { Example } from '../../base/records/rule.ts'
import type { Detector } from '../../base/records/secret-detector.ts'
import { deriveFromRegex } from '../../detect/prefilter/literals.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import { sample } from '../../detect/secrets/sample.ts'
import { writeOut } from '../../detect/secrets/shorthand.ts'
import { parseYaml } from '../config/parse.ts'
import { DETECTOR_SCHEMA } from './detector-schema.ts'
import { beginsWithOne, findLeastRun, measureLongestMatch, parseFormat } from './format-shape.ts'

/** A detector as its file has it. */
type DetectorFile = Detector & {
  id: string
  title?: string
  credential?: string
  message?: string
  severity: Severity
  literals?: string[]
  exclude_files: string[]
  tags: string[]
  source: string
  revoke: string
  match: (string | Example)[]
  clean: (string | Example)[]
}

/** What a quantifier may repeat at most, quantifiers within it multiplied: a match is then found or given up in little time. */
const MOST_REPEATS = 20_000

/** The part of the remediation that is the same for every credential; how to revoke it comes first. */
const STORE_OUTSIDE =
  'Then remove the value from the file and load a new one from a secret store or an environment variable. Removing the value is not enough: the Git history keeps it, so it must be revoked.'

/**
 * A detector file's text as the rule that runs, its samples written out; PACK_INVALID with every fault and its line. `file` is
 * what messages call it.
 */
export async function parseDetector(source: Uint8Array, file: string, packId: string): Promise<CompiledRule> {
  const { value, faults, placeOf } = await parseYaml(source, file)
  if (faults.length > 0) throw invalid(file, faults)
  const data = fillInDefaults(DETECTOR_SCHEMA, value ?? {})
  const wrong = findFaults(DETECTOR_SCHEMA, data)
  if (wrong.length > 0) {
    throw invalid(
      file,
      wrong.map(({ message, path, known }) => ({ message, place: placeOf(path, known ? 'key' : 'value') })),
    )
  }
  const detector = data as DetectorFile
  const format = detector.format === undefined ? undefined : writeOut(detector.format)
  const deeper = deeperFaults({ ...detector, format }).map(({ key, message }) => ({
    message: `${detector.id}: ${message}`,
    place: placeOf([key], 'value'),
  }))
  if (deeper.length > 0) throw invalid(file, deeper)
  return toRule(detector, format, packId)
}

/** The detector keeps its format as the file has it, which is a fraction of what it says (`format`). */
function toRule(file: DetectorFile, format: string | undefined, packId: string): CompiledRule {
  const { id, severity, source, revoke, literals, exclude_files, provider } = file
  const detector: Detector = { provider }
  for (const key of [
    'format',
    'ignore_case',
    'armor',
    'generic',
    'min_entropy',
    'near',
    'checksum',
    'require_checksum',
    'confidence',
    'verify',
  ] as const)
    if (file[key] !== undefined && file[key] !== false) Object.assign(detector, { [key]: file[key] })
  const required = literals ?? file.near?.words
  if (format !== undefined) Object.assign(detector, shapeOf(format, file.near !== undefined))
  return {
    id,
    type: 'secret',
    title: deriveTitle(file),
    message: file.message ?? 'An attacker who has this credential can act as its owner.',
    severity,
    category: 'secret',
    languages: ['any'],
    // An armored key is a cryptographic key, which frameworks count to cryptography and not to credentials.
    cwe: file.armor === undefined ? ['CWE-798'] : ['CWE-798', 'CWE-321'],
    tags: [...new Set(['secrets', ...file.tags])],
    remediation: `${revoke}\n${STORE_OUTSIDE}`,
    references: [...new Set([source, 'https://cwe.mitre.org/data/definitions/798.html'])],
    files: [],
    exclude_files,
    detector,
    match: file.match.map((template, index) => example(template, `${id} match ${index}`)),
    clean: file.clean.map((template, index) => example(template, `${id} clean ${index}`)),
    pack_id: packId,
    requirement: required ? [required.map(literal => ({ text: literal.toLowerCase(), word: false }))] : [],
  }
}

/** The title that the file has, or else the provider and its credential: "Kaggle API token". */
export function deriveTitle({
  title,
  provider,
  credential,
}: {
  title?: string
  provider: string
  credential?: string
}): string {
  return title ?? `${provider} ${credential}`
}

/** What the format alone says of its matches, so that not every text is searched. */
function shapeOf(format: string, hasWords: boolean): Partial<Detector> {
  const shape: Partial<Detector> = { longest: measureLongestMatch(format) }
  const least = findLeastRun(format)
  if (least) shape.least_run = least
  const [within] = deriveFromRegex(format)
  if (!within || hasWords) return shape
  shape.within = within.map(({ text }) => text)
  if (beginsWithOne(format, shape.within)) shape.begins = true
  return shape
}

function example(template: string | Example, seed: string): Example {
  return typeof template === 'string'
    ? { code: sample(template, seed) }
    : { ...template, code: sample(template.code, seed) }
}

/** Faults that a JSON Schema cannot see. */
function deeperFaults({
  title,
  credential,
  format,
  generic,
  literals,
  near,
  ignore_case,
}: DetectorFile): { key: string; message: string }[] {
  if ((title === undefined) === (credential === undefined))
    return [{ key: 'credential', message: 'either credential or title must be given, and not both' }]
  if ((format === undefined) === (generic === undefined))
    return [{ key: 'format', message: 'either format or generic must be given, and not both' }]
  if (format === undefined) return []
  if (!literals && !near)
    return [{ key: 'literals', message: 'literals or near must be given, so that not every file is searched' }]
  const fault = findFormatFault(format, ignore_case ?? false)
  return fault === undefined ? [] : [{ key: 'format', message: fault }]
}

/** What is wrong with a format, undefined where nothing is. */
export function findFormatFault(format: string, ignoreCase: boolean): string | undefined {
  try {
    new RegExp(format, ignoreCase ? 'gmui' : 'gmu')
  } catch (error) {
    return `format is not a regular expression: ${(error as Error).message}`
  }
  if (!format.includes('(?<secret>')) return 'format must have a group named secret'
  const repeats = [1]
  let most = 1
  visitRegExpAST(parseFormat(format), {
    onQuantifierEnter: ({ max }) => {
      repeats.push(repeats.at(-1)! * Math.max(1, max))
      most = Math.max(most, repeats.at(-1)!)
    },
    onQuantifierLeave: () => {
      repeats.pop()
    },
  })
  return most > MOST_REPEATS
    ? `every repetition in format must be bounded, to ${MOST_REPEATS} in all where they stand in each other: write {0,40} for *`
    : undefined
}

function invalid(file: string, faults: Fault[]): EngineError {
  return new EngineError('PACK_INVALID', `${file} is not valid.`, { faults })
}
