import { isSupportedSpdxId } from '@cyclonedx/cyclonedx-library/SPDX'
import type { Component, Hash, Scope } from '../inventory/component.ts'
import { compareText } from '../inventory/paths.ts'
import type { Bill } from './bill.ts'
import { isExpression } from './cyclonedx.ts'

const NONE = 'NOASSERTION'

const ALGORITHMS: Record<Hash['algorithm'], string> = {
  MD5: 'MD5',
  'SHA-1': 'SHA1',
  'SHA-256': 'SHA256',
  'SHA-384': 'SHA384',
  'SHA-512': 'SHA512',
  'BLAKE2b-256': 'BLAKE2b-256',
}

/** How a project depends on a component, in SPDX's words; the component stands first in all but one. */
const RELATIONS: Partial<Record<Scope, string>> = {
  development: 'DEV_DEPENDENCY_OF',
  test: 'TEST_DEPENDENCY_OF',
  optional: 'OPTIONAL_DEPENDENCY_OF',
}

/** Writes a bill of materials as SPDX 2.3 in JSON. What no manifest says is NOASSERTION. */
export function writeSpdx(bill: Bill): string {
  const ids = makeIds([bill.root.id, ...bill.projects.map(({ id }) => id), ...bill.components.map(({ id }) => id)])
  const extracted = new Map<string, string>()
  const license = (text: string | undefined) => licenseOf(text, extracted)
  const own = [bill.root, ...bill.projects].map(({ id, name, version, license: text }) => ({
    SPDXID: ids.get(id)!,
    name,
    ...(version !== undefined && { versionInfo: version }),
    ...{ supplier: NONE, downloadLocation: NONE, filesAnalyzed: false, primaryPackagePurpose: 'APPLICATION' },
    ...{ licenseConcluded: NONE, licenseDeclared: license(text), copyrightText: NONE },
  }))
  const packages = bill.components.map(component =>
    describePackage(component, ids.get(component.id)!, license(component.license)),
  )
  const scopes = new Map(bill.components.map(({ id, scope }) => [id, scope]))
  const inside = new Set([bill.root.id, ...bill.projects.map(({ id }) => id)])
  const relationships = [...bill.dependencies].flatMap(([from, needed]) =>
    needed.map(to => {
      const type = inside.has(from) ? RELATIONS[scopes.get(to) ?? 'unknown'] : undefined
      const [a, b] = [ids.get(from)!, ids.get(to)!]
      return type === undefined
        ? { spdxElementId: a, relatedSpdxElement: b, relationshipType: 'DEPENDS_ON' }
        : { spdxElementId: b, relatedSpdxElement: a, relationshipType: type }
    }),
  )
  const document = {
    ...{ spdxVersion: 'SPDX-2.3', dataLicense: 'CC0-1.0', SPDXID: 'SPDXRef-DOCUMENT', name: bill.root.name },
    documentNamespace: `https://spdx.org/spdxdocs/${encodeURIComponent(bill.root.name)}-${bill.uuid}`,
    creationInfo: { created: formatTime(bill.created), creators: [`Tool: ${bill.tool.name}-${bill.tool.version}`] },
    documentDescribes: [ids.get(bill.root.id)!],
    packages: [...own, ...packages],
    ...(extracted.size > 0 && {
      hasExtractedLicensingInfos: [...extracted].map(([name, licenseId]) => ({ licenseId, extractedText: name, name })),
    }),
    relationships: [
      { spdxElementId: 'SPDXRef-DOCUMENT', relatedSpdxElement: ids.get(bill.root.id)!, relationshipType: 'DESCRIBES' },
      ...relationships,
    ],
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function describePackage(component: Component, id: string, licenseDeclared: string) {
  const { name, version, purl, resolved, hashes, locations, kind } = component
  return {
    ...{ SPDXID: id, name },
    ...(version !== undefined && { versionInfo: version }),
    ...{ supplier: NONE, downloadLocation: isLocation(resolved) ? resolved : NONE, filesAnalyzed: false },
    primaryPackagePurpose:
      kind === 'container' ? 'CONTAINER' : kind === 'source' ? 'SOURCE' : kind === 'library' ? 'LIBRARY' : 'OTHER',
    ...(hashes.length > 0 && {
      checksums: hashes.map(({ algorithm, value }) => ({ algorithm: ALGORITHMS[algorithm], checksumValue: value })),
    }),
    sourceInfo: `named in ${locations.map(({ file, line }) => (line === undefined ? file : `${file}:${line}`)).join(', ')}`,
    ...{ licenseConcluded: NONE, licenseDeclared, copyrightText: NONE },
    ...(purl !== undefined && {
      externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl }],
    }),
  }
}

/** SPDX takes addresses and the forms of version control systems. */
export function isLocation(text: string | undefined): text is string {
  return (
    text !== undefined &&
    /^(https?|ftp|ssh|git|git\+(https?|ssh|git)|hg\+https?|svn\+https?):\/\/[\w-]+(\.[\w-]+)*(:\d+)?\/?[^\s]*$/i.test(
      text,
    )
  )
}

/** Ids of SPDX have letters, digits, dots and hyphens alone; the rest of an id becomes hyphens, and a number tells equal ones apart. */
export function makeIds(ids: readonly string[]): Map<string, string> {
  const used = new Set<string>()
  const made = new Map<string, string>()
  for (const id of [...ids].sort(compareText)) {
    const base = `SPDXRef-${id
      .replace(/^pkg:/, '')
      .replace(/[^A-Za-z0-9.]+/g, '-')
      .slice(0, 200)}`
    let [name, number] = [base, 2]
    while (used.has(name)) name = `${base}.${number++}`
    used.add(name)
    made.set(id, name)
  }
  return made
}

/** An expression of SPDX, or a reference to a name that is none: it is quoted, and never guessed. */
function licenseOf(text: string | undefined, extracted: Map<string, string>): string {
  if (text === undefined) return NONE
  if (isSupportedSpdxId(text) || isExpression(text)) return text
  const known = extracted.get(text) ?? `LicenseRef-${extracted.size + 1}`
  extracted.set(text, known)
  return known
}

export function formatTime(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z')
}
