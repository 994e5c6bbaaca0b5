import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { readJson } from '../inventory/syntax/json.ts'
import { asFields, asList, asText, type Fields, isFields } from '../inventory/syntax/shape.ts'
import { checkSpdxShape } from './check-spdx.ts'

/** Something that a bill of materials lacks or says wrongly. An error makes it unfit for use; a gap is data that it does not have. */
export interface SbomFault {
  kind: 'schema' | 'reference' | 'ntia' | 'bsi'
  severity: 'error' | 'gap'
  message: string
  /** JSON pointer, or the id of the component. */
  at?: string
}

export interface SbomJudgment {
  format: string
  version: string
  components: number
  faults: SbomFault[]
  /** Of how many components each element is there. */
  elements: Record<string, number>
}

interface Part {
  id: string
  name?: string
  version?: string
  supplier: boolean
  identifier: boolean
  license: boolean
  sha512: boolean
  hash: boolean
}

/** Faults of one kind that are listed; the rest is counted. */
const MOST = 100

/**
 * Judges a bill of materials in JSON, CycloneDX 1.2 to 1.7 or SPDX 2.3: the schema, references that lead nowhere, NTIA's minimum elements
 * and the fields of BSI TR-03183-2. Throws ManifestFault where it is no JSON.
 */
export async function checkSbom(text: string): Promise<SbomJudgment> {
  const document = asFields(readJson(text))
  if (document.bomFormat === 'CycloneDX')
    return judge(document, 'CycloneDX', asText(document.specVersion) ?? 'unknown', await checkSchema(document))
  const spdx = asText(document.spdxVersion)
  if (spdx !== undefined) return judge(document, 'SPDX', spdx.replace('SPDX-', ''), checkSpdxShape(document))
  const fault: SbomFault = {
    kind: 'schema',
    severity: 'error',
    message: 'This is neither CycloneDX (bomFormat) nor SPDX 2 (spdxVersion).',
  }
  return { format: 'unknown', version: 'unknown', components: 0, faults: [fault], elements: {} }
}

function judge(document: Fields, format: string, version: string, schema: SbomFault[]): SbomJudgment {
  const isSpdx = format === 'SPDX'
  const parts = isSpdx ? listPackages(document) : listComponents(document)
  const faults = [...schema, ...checkReferences(document, isSpdx), ...checkDocument(document, parts, isSpdx)]
  const elements: Record<string, number> = {}
  for (const [element, kind, has] of ELEMENTS) {
    const missing = parts.filter(part => !has(part))
    elements[element] = parts.length - missing.length
    if (missing.length === 0) continue
    const some = missing
      .slice(0, 3)
      .map(({ id }) => id)
      .join(', ')
    const more = missing.length > 3 ? ` and ${missing.length - 3} more` : ''
    faults.push({
      kind,
      severity: 'gap',
      message: `${element} is missing for ${missing.length} of ${parts.length}: ${some}${more}`,
    })
  }
  return { format, version, components: parts.length, faults, elements }
}

const ELEMENTS: readonly [string, 'ntia' | 'bsi', (part: Part) => boolean][] = [
  ['name', 'ntia', ({ name }) => name !== undefined],
  ['version', 'ntia', ({ version }) => version !== undefined],
  ['supplier', 'ntia', ({ supplier }) => supplier],
  ['unique identifier', 'ntia', ({ identifier }) => identifier],
  ['license', 'bsi', ({ license }) => license],
  ['hash', 'bsi', ({ hash }) => hash],
  ['SHA-512', 'bsi', ({ sha512 }) => sha512],
]

function checkDocument(document: Fields, parts: readonly Part[], isSpdx: boolean): SbomFault[] {
  const [creation, metadata] = [asFields(document.creationInfo), asFields(document.metadata)]
  const time = isSpdx ? creation.created : metadata.timestamp
  const tools = [
    ...asList(metadata.tools),
    ...asList(asFields(metadata.tools).components),
    ...asList(asFields(metadata.tools).services),
  ]
  const author = isSpdx
    ? asList(creation.creators).length > 0
    : tools.length + asList(metadata.authors).length > 0 ||
      isFields(metadata.manufacturer) ||
      isFields(metadata.manufacture) ||
      isFields(metadata.supplier)
  const faults: SbomFault[] = []
  if (asText(time) === undefined || Number.isNaN(Date.parse(String(time))))
    faults.push({ kind: 'ntia', severity: 'error', message: 'The time of creation is missing.' })
  if (!author)
    faults.push({
      kind: 'ntia',
      severity: 'error',
      message: 'The author of the data is missing: no tool, person or organization.',
    })
  const edges = isSpdx ? asList(document.relationships) : asList(document.dependencies)
  // A single part has nothing to be related to.
  if (edges.length === 0 && parts.length > 1)
    faults.push({ kind: 'ntia', severity: 'error', message: 'Dependency relationships are missing.' })
  return faults
}

function checkReferences(document: Fields, isSpdx: boolean): SbomFault[] {
  const faults: SbomFault[] = []
  const add = (message: string, at: string) => {
    if (faults.length < MOST) faults.push({ kind: 'reference', severity: 'error', message, at })
  }
  const known = new Set<string>()
  // An id that a part does not have cannot be used twice, whatever it is called by here.
  for (const id of isSpdx ? listSpdxIds(document) : listRefs(document)) {
    if (known.has(id)) add('The id is used twice.', id)
    known.add(id)
  }
  if (isSpdx) {
    known.add('SPDXRef-DOCUMENT').add('NONE').add('NOASSERTION')
    for (const each of asList(document.relationships)) {
      const { spdxElementId, relatedSpdxElement } = asFields(each)
      for (const id of [spdxElementId, relatedSpdxElement].map(String))
        if (!known.has(id) && !id.startsWith('DocumentRef-'))
          add('A relationship leads to an element that is not there.', id)
    }
    return faults
  }
  const seen = new Set<string>()
  for (const each of asList(document.dependencies)) {
    const { ref, dependsOn } = asFields(each)
    if (!known.has(String(ref))) add('A dependency is of a component that is not there.', String(ref))
    if (seen.has(String(ref))) add('The dependencies of a component are listed twice.', String(ref))
    seen.add(String(ref))
    for (const to of asList(dependsOn).map(String))
      if (!known.has(to) && !to.startsWith('urn:cdx:')) add('A dependency leads to a component that is not there.', to)
  }
  return faults
}

function listSpdxIds(document: Fields): string[] {
  const elements = [...asList(document.packages), ...asList(document.files), ...asList(document.snippets)]
  return elements.flatMap(each => asText(asFields(each).SPDXID) ?? [])
}

/** All references of a CycloneDX document, wherever they are: of components in components, of tools, services and what else has one. */
function listRefs(document: Fields): string[] {
  const found: string[] = []
  const open: unknown[] = [document]
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (isFields(each)) found.push(...(asText(each['bom-ref']) === undefined ? [] : [String(each['bom-ref'])]))
    if (typeof each === 'object' && each !== null)
      for (const inner of Object.values(each)) if (typeof inner === 'object' && inner !== null) open.push(inner)
  }
  return found
}

function listComponents(document: Fields): Part[] {
  const found: Part[] = []
  const open = [...asList(document.components)].reverse()
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const fields = asFields(each)
    open.push(...[...asList(fields.components)].reverse())
    const hashes = asList(fields.hashes).map(hash => asText(asFields(hash).alg))
    found.push({
      ...{
        id: asText(fields['bom-ref']) ?? asText(fields.purl) ?? asText(fields.name) ?? '?',
        name: asText(fields.name),
        version: asText(fields.version),
      },
      supplier: isFields(fields.supplier) || isFields(fields.manufacturer) || asText(fields.publisher) !== undefined,
      identifier: [fields.purl, fields.cpe].some(id => asText(id) !== undefined) || isFields(fields.swid),
      ...{ license: asList(fields.licenses).length > 0, hash: hashes.length > 0, sha512: hashes.includes('SHA-512') },
    })
  }
  return found
}

function listPackages(document: Fields): Part[] {
  return asList(document.packages).map(each => {
    const fields = asFields(each)
    const said = (value: unknown) => asText(value) !== undefined && !/^(NOASSERTION|NONE)$/.test(String(value))
    const hashes = asList(fields.checksums).map(hash => asText(asFields(hash).algorithm))
    return {
      ...{ id: asText(fields.SPDXID) ?? '?', name: asText(fields.name), version: asText(fields.versionInfo) },
      ...{
        supplier: said(fields.supplier) || said(fields.originator),
        identifier: asList(fields.externalRefs).length > 0,
      },
      ...{
        license: said(fields.licenseDeclared) || said(fields.licenseConcluded),
        hash: hashes.length > 0,
        sha512: hashes.includes('SHA512'),
      },
    }
  })
}

/** The official schema of the document's version, which the library of CycloneDX brings along. */
async function checkSchema(document: Fields): Promise<SbomFault[]> {
  const version = asText(document.specVersion) ?? ''
  const strict = version === '1.2' || version === '1.3' ? '-strict' : ''
  if (!/^1\.[2-7]$/.test(version))
    return [
      {
        kind: 'schema',
        severity: 'error',
        message: `CycloneDX has no JSON schema of version ${JSON.stringify(version)} that is known here.`,
      },
    ]
  const [{ default: ajvModule }, { default: ajvFormats }] = await Promise.all([import('ajv'), import('ajv-formats')])
  const folder = join(
    dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json')),
    'res/schema',
  )
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as object
  const ajv = new ajvModule.Ajv({ strict: false, allErrors: true, validateFormats: true, logger: false })
  ajvFormats.default(ajv)
  // Names and addresses in other scripts are allowed.
  ajv.addFormat('iri-reference', true)
  ajv.addFormat('idn-email', true)
  for (const name of [
    'spdx.SNAPSHOT.schema.json',
    'jsf-0.82.SNAPSHOT.schema.json',
    'cryptography-defs.SNAPSHOT.schema.json',
  ]) {
    // The library's copies have names of their own, which their references use.
    const { $id: _, ...schema } = read(name) as Record<string, unknown>
    ajv.addSchema(schema, `http://cyclonedx.org/schema/${name}`)
  }
  const validate = ajv.compile(read(`bom-${version}${strict}.SNAPSHOT.schema.json`))
  if (validate(document)) return []
  return (validate.errors ?? []).slice(0, MOST).map(({ instancePath, message = 'it is not valid' }) => ({
    kind: 'schema',
    severity: 'error',
    message,
    at: instancePath || '/',
  }))
}
