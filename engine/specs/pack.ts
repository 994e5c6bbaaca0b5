import type { Fault, Place } from '../base/errors.ts'
import { type Draft, makeSlug } from '../sources/packs/import/draft.ts'
import type { WrittenRule } from '../sources/packs/pack-file.ts'
import { analyzeAsyncApi } from './asyncapi.ts'
import {
  detectFormat,
  isTree,
  MAX_SPEC_BYTES,
  readDocument,
  refuseSpec,
  SPEC_FORMATS,
  type SpecFormat,
} from './document.ts'
import { analyzeOpenApi } from './openapi.ts'
import { escapePointerStep } from './pointer.ts'
import { callObligations, makeProtoRules } from './proto-rules.ts'
import { analyzeProto } from './protobuf.ts'
import { makeDocumentRules } from './rules.ts'
import { validateDocument } from './validate.ts'
import type { WeaknessKind } from './weakness.ts'

/** A weak place as it is told of. */
export interface WeakPlace {
  rule_id: string
  kind: WeaknessKind
  /** JSON pointer; for protobuf, the names of message or service and field or call. */
  pointer: string
  what: string
  place: Place
}

/** A pack that was made from a specification, and the places that made it. */
export interface SpecPack {
  format: SpecFormat
  version: string
  draft: Draft
  places: WeakPlace[]
}

export interface SpecRequest {
  /** What messages call the file. */
  file: string
  /** Path from the repository root, or a glob where the file is not in it: where the rules will look. */
  path: string
  format?: SpecFormat
  id?: string
}

/** Reads, validates and analyses a specification. INPUT_INVALID with the place where it is none. */
export async function makeSpecPack(bytes: Uint8Array, request: SpecRequest): Promise<SpecPack> {
  const { file } = request
  if (bytes.length > MAX_SPEC_BYTES)
    throw refuseSpec(file, [fault(file, `it has ${bytes.length} bytes, but at most ${MAX_SPEC_BYTES} are read`)])
  const text = new TextDecoder().decode(bytes)
  const format = request.format ?? detectFormat(text, file)
  if (format === undefined) {
    const message = `it says neither openapi, swagger, asyncapi nor syntax; formats are ${SPEC_FORMATS.join(', ')}`
    throw refuseSpec(file, [fault(file, message)])
  }
  return format === 'protobuf' ? ofProto(text, request) : ofDocument(bytes, request, format)
}

async function ofDocument(bytes: Uint8Array, request: SpecRequest, format: 'openapi' | 'asyncapi'): Promise<SpecPack> {
  const document = readDocument(bytes, request.file, format)
  await validateDocument(document)
  const analysis = format === 'openapi' ? analyzeOpenApi(document) : analyzeAsyncApi(document)
  const info = isTree(document.data.info) ? document.data.info : {}
  const title = String(info.title ?? '')
  const id = request.id ?? nameOf(title, request.file)
  const rules = await makeDocumentRules(document, analysis, id, request.path)
  const places = analysis.weaknesses.map(({ kind, path, part, what }) => ({
    rule_id: `${id}-${kind}`,
    kind,
    pointer: path.map(escapePointerStep).join(''),
    what,
    place: document.place(path, part),
  }))
  return {
    format,
    version: document.version,
    draft: draftOf(id, title || id, request, rules, []),
    places: inOrder(places),
  }
}

async function ofProto(text: string, request: SpecRequest): Promise<SpecPack> {
  const { weaknesses, services, package: name } = await analyzeProto(text, request.file)
  const id = request.id ?? nameOf(name ?? '', request.file)
  const places = weaknesses.map(({ kind, path, what, line }) => ({
    rule_id: `${id}-${kind}`,
    kind,
    pointer: path.map(escapePointerStep).join(''),
    what,
    place: { file: request.file, line, column: 1 },
  }))
  const draft = draftOf(id, name ?? id, request, makeProtoRules(id, request.path), callObligations(id, services))
  return {
    format: 'protobuf',
    version: /syntax\s*=\s*["'](\w+)/.exec(text)?.[1] ?? 'proto2',
    draft,
    places: inOrder(places),
  }
}

function draftOf(
  id: string,
  title: string,
  { file }: SpecRequest,
  rules: readonly WrittenRule[],
  obligations: readonly Record<string, unknown>[],
): Draft {
  const place = () => ({ file })
  const control = {
    id: 'rpc-authentication',
    title: 'RPC authentication and authorization',
    meaning: 'Every call is authenticated and authorized.',
    kind: 'organizational',
  }
  return {
    format: 'svc',
    head: {
      id,
      version: '1.0.0',
      name: title,
      description: `Rules generated from ${file} by import-spec.`,
      languages: ['any'],
      ...(obligations.length > 0 && { obligations, controls: [control] }),
    },
    file,
    place,
    rules: rules.map(data => ({ data, file, place })),
    libraries: [],
    left_out: [],
  }
}

/** An id of the document's title, else of its file's name. */
function nameOf(title: string, file: string): string {
  return (
    makeSlug(title) ||
    makeSlug(
      file
        .split('/')
        .at(-1)!
        .replace(/\.\w+$/, ''),
    ) ||
    'api'
  )
}

function inOrder(places: WeakPlace[]): WeakPlace[] {
  return places.sort(
    (a, b) =>
      (a.place.line ?? 0) - (b.place.line ?? 0) ||
      (a.place.column ?? 0) - (b.place.column ?? 0) ||
      (a.kind < b.kind ? -1 : 1),
  )
}

function fault(file: string, message: string): Fault {
  return { message, place: { file, line: 1, column: 1 } }
}
