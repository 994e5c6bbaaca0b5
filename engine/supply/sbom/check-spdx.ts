import { asFields, asList, asText, type Fields, isFields } from '../inventory/syntax/shape.ts'
import type { SbomFault } from './check.ts'

const VERSIONS = new Set(['SPDX-2.2', 'SPDX-2.3'])
/** Faults that are listed. */
const MOST = 100

/**
 * Checks what SPDX 2.2 and 2.3 require of a document: versions, required fields with their types, the form of ids, creators and times. The values of
 * other fields are not looked at.
 */
export function checkSpdxShape(document: Fields): SbomFault[] {
  const faults: SbomFault[] = []
  const add = (message: string, at: string) => {
    if (faults.length < MOST) faults.push({ kind: 'schema', severity: 'error', message, at })
  }
  const requireTexts = (fields: Fields, names: readonly string[], at: string) => {
    for (const name of names)
      if (fields[name] === undefined) add(`${name} is missing`, at)
      else if (asText(fields[name]) === undefined) add(`${name} must be a string that is not empty`, at)
  }
  const list = (name: string): [Fields, string][] => {
    const value = document[name]
    if (value !== undefined && !Array.isArray(value)) add(`${name} must be a list`, `/${name}`)
    return asList(value).map((each, at) => {
      if (!isFields(each)) add('must be an object', `/${name}/${at}`)
      return [asFields(each), `/${name}/${at}`]
    })
  }
  const checkId = (fields: Fields, at: string) => {
    const id = asText(fields.SPDXID)
    if (id !== undefined && !/^SPDXRef-[A-Za-z0-9.-]+$/.test(id)) add('SPDXID must have the form SPDXRef-name', at)
  }
  if (!VERSIONS.has(String(document.spdxVersion)))
    add(`${String(document.spdxVersion)} is not known here: 2.2 and 2.3 are`, '/')
  requireTexts(document, ['SPDXID', 'dataLicense', 'documentNamespace', 'name', 'spdxVersion'], '/')
  checkId(document, '/')
  if (document.dataLicense !== undefined && document.dataLicense !== 'CC0-1.0') add('dataLicense must be CC0-1.0', '/')
  const namespace = asText(document.documentNamespace)
  if (namespace !== undefined && !/^[A-Za-z][A-Za-z0-9+.-]*:[^#\s]+$/.test(namespace))
    add('documentNamespace must be a URI without a fragment', '/')
  const creation = asFields(document.creationInfo)
  if (!isFields(document.creationInfo)) add('creationInfo is missing', '/')
  else {
    requireTexts(creation, ['created'], '/creationInfo')
    const created = asText(creation.created)
    if (created !== undefined && !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(created))
      add('created must have the form 2026-01-31T00:00:00Z', '/creationInfo')
    if (!Array.isArray(creation.creators) || creation.creators.length === 0) add('creators is missing', '/creationInfo')
    for (const each of asList(creation.creators))
      if (!/^(Person|Organization|Tool): ?\S/.test(String(each)))
        add('a creator must begin with Person:, Organization: or Tool:', '/creationInfo/creators')
  }
  for (const [fields, at] of list('packages')) {
    requireTexts(fields, ['SPDXID', 'downloadLocation', 'name'], at)
    checkId(fields, at)
    for (const checksum of asList(fields.checksums))
      requireTexts(asFields(checksum), ['algorithm', 'checksumValue'], `${at}/checksums`)
    for (const ref of asList(fields.externalRefs))
      requireTexts(asFields(ref), ['referenceCategory', 'referenceType', 'referenceLocator'], `${at}/externalRefs`)
  }
  for (const [fields, at] of list('files')) requireTexts(fields, ['SPDXID', 'fileName'], at)
  for (const [fields, at] of list('relationships')) {
    requireTexts(fields, ['spdxElementId', 'relatedSpdxElement', 'relationshipType'], at)
    if (!/^[A-Z_]+$/.test(String(fields.relationshipType ?? 'A')))
      add('relationshipType must be in capitals, as DEPENDS_ON', at)
  }
  return faults
}
