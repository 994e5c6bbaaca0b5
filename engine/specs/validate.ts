import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ErrorObject } from 'ajv'
import type { Fault } from '../base/errors.ts'
import { refuseSpec, type SpecDocument, type Tree } from './document.ts'
import { escapePointerStep, resolvePointer, splitPointer, walk } from './pointer.ts'

/** Faults that are told of one document. */
const MOST_FAULTS = 20

/** INPUT_INVALID with the places, where a document is not one of its format's version. */
export async function validateDocument(document: SpecDocument): Promise<void> {
  const errors = document.format === 'openapi' ? await openApiErrors(document) : await asyncApiErrors(document)
  if (errors.length === 0) return
  throw refuseSpec(document.file, faultsOf(errors, document))
}

type Complaint = Pick<ErrorObject, 'instancePath' | 'keyword' | 'message' | 'params'>

async function openApiErrors({ data, version, file, place }: SpecDocument): Promise<Complaint[]> {
  const { Validator } = await import('@seriousme/openapi-schema-validator')
  const known = [...Validator.supportedVersions]
  if (!known.some(each => version === each || version.startsWith(`${each}.`))) {
    const key = 'swagger' in data ? 'swagger' : 'openapi'
    throw refuseSpec(file, [
      { message: `the version ${version} is not known; known are ${known.join(', ')}`, place: place([key], 'value') },
    ])
  }
  // The validator may write into what it is given.
  const { valid, errors } = await new Validator().validate(structuredClone(data))
  if (Array.isArray(errors)) return errors as Complaint[]
  // It follows no reference to another file; those within this one are looked at below, each with its place.
  const dangling = danglingReferences(data)
  if (valid || dangling.length > 0 || /only internal refs/.test(String(errors))) return dangling
  return [complaint(String(errors))]
}

/** References within the document that lead nowhere. */
function danglingReferences(data: Tree): Complaint[] {
  const found: Complaint[] = []
  walk(data, (node, path) => {
    const { $ref } = node
    if (typeof $ref !== 'string' || !$ref.startsWith('#/') || resolvePointer(data, $ref) !== undefined) return
    const instancePath = [...path, '$ref'].map(escapePointerStep).join('')
    found.push({ instancePath, keyword: 'reference', message: `names ${$ref}, which is not there`, params: {} })
  })
  return found
}

async function asyncApiErrors({ data, version, file, place }: SpecDocument): Promise<Complaint[]> {
  const schemas = locateAsyncApiSchemas()
  const path = schemas.get(version)
  if (path === undefined) {
    const known = [...schemas.keys()].join(', ')
    throw refuseSpec(file, [
      { message: `the version ${version} is not known; known are ${known}`, place: place(['asyncapi'], 'value') },
    ])
  }
  const { default: ajv } = await import('ajv')
  const { default: formats } = await import('ajv-formats')
  const validator = new ajv.Ajv({ strict: false, allErrors: true, validateFormats: false, logger: false })
  formats.default(validator)
  const validate = validator.compile(JSON.parse(readFileSync(path, 'utf8')) as object)
  return validate(data) ? [] : (validate.errors ?? [])
}

/** The schemas of whole documents by the version of AsyncAPI, from 2.0.0. One is read, where the package's index reads them all. */
function locateAsyncApiSchemas(): Map<string, string> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@asyncapi/specs/package.json')), 'schemas')
  const named = readdirSync(folder).map(
    name => [/^([2-9]\.\d+\.\d+)-without-\$id\.json$/.exec(name)?.[1], name] as const,
  )
  return new Map(named.flatMap(([version, name]) => (version === undefined ? [] : [[version, join(folder, name)]])))
}

function complaint(message: string): Complaint {
  return { instancePath: '', keyword: '', message, params: {} }
}

/**
 * The complaints that say most: a choice between forms complains of each form, so what stands deepest is what was meant,
 * and the choice itself says nothing.
 */
function faultsOf(errors: readonly Complaint[], { place }: SpecDocument): Fault[] {
  const telling = errors.filter(({ keyword }) => !['oneOf', 'anyOf', 'if', 'allOf', 'not', '$ref'].includes(keyword))
  const chosen = (telling.length > 0 ? telling : errors).map(error => ({
    error,
    path: splitPointer(error.instancePath),
  }))
  const deepest = Math.max(...chosen.map(({ path }) => path.length))
  const shown = chosen.filter(({ path }) => telling.length < 8 || path.length === deepest)
  const seen = new Set<string>()
  return shown
    .map(({ error, path }) => {
      const extra = (error.params as { additionalProperty?: string; unevaluatedProperty?: string } | undefined) ?? {}
      const key = extra.additionalProperty ?? extra.unevaluatedProperty
      const at = key === undefined ? path : [...path, key]
      const pointer = at.map(escapePointerStep).join('')
      const message =
        key === undefined
          ? `${pointer || 'the document'} ${error.message ?? 'is not valid'}`
          : `${pointer} is not a key that may stand there`
      return { message, place: place(at, key === undefined ? 'value' : 'key') }
    })
    .filter(({ message }) => !seen.has(message) && seen.add(message))
    .slice(0, MOST_FAULTS)
}
