import { EngineError } from '../../base/errors.ts'
import { asFields, asText, listOf, textsOf } from './read-osv.ts'
import { readCsaf } from './vex-csaf.ts'

/** What a VEX document says of one vulnerability in some products (OpenVEX's words; those of CycloneDX are translated). */
export interface VexStatement {
  /** Ids of the vulnerability: any of them is enough. */
  ids: string[]
  status: 'not_affected' | 'affected' | 'fixed' | 'under_investigation'
  /** Package URLs or other ids of products; empty for every product of the document's subject. */
  products: string[]
  /** Package URLs of the components in which the vulnerability is, where the products contain them. */
  subcomponents: string[]
  /** Why it is not affected. */
  justification: string
  /** When it was said: the latest statement holds. ISO 8601. */
  timestamp: string
  file: string
}

type Fields = Record<string, unknown>

const STATUSES = ['not_affected', 'affected', 'fixed', 'under_investigation'] as const

/** CycloneDX's states of an analysis. */
const STATES: ReadonlyMap<string, VexStatement['status']> = new Map(
  Object.entries({
    resolved: 'fixed',
    resolved_with_pedigree: 'fixed',
    exploitable: 'affected',
    in_triage: 'under_investigation',
    false_positive: 'not_affected',
    not_affected: 'not_affected',
  } as const),
)

/**
 * Reads an OpenVEX (0.0.1 to 0.2.0), a CycloneDX (1.4 or newer) or a CSAF document (2.0) in JSON. INPUT_INVALID where it is none, or a statement of it
 * has no vulnerability or no known status: a statement that is not understood must not be taken for none.
 */
export function readVex(text: string, file: string): VexStatement[] {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw refuse(file, `The file is no JSON: ${(error as Error).message}`)
  }
  const fields = asFields(document)
  if (asText(fields?.bomFormat) === 'CycloneDX') return readCycloneDx(fields!, file)
  if (Array.isArray(fields?.statements)) return readOpenVex(fields!, file)
  if (asText(asFields(fields?.document)?.csaf_version) !== undefined) return readCsaf(fields!, file, refuse)
  throw refuse(file, 'The file is no OpenVEX, CycloneDX or CSAF document.')
}

function readOpenVex(document: Fields, file: string): VexStatement[] {
  return listOf(document.statements).flatMap((value, index) => {
    const fields = asFields(value)
    const vulnerability = asFields(fields?.vulnerability)
    const name = asText(fields?.vulnerability) ?? asText(vulnerability?.name)
    const ids = [name, lastPart(asText(vulnerability?.['@id'])), ...textsOf(vulnerability?.aliases)]
    const status = STATUSES.find(one => one === fields?.status)
    if (!ids.some(Boolean)) throw refuse(file, `Statement ${index + 1} names no vulnerability.`)
    if (!status) throw refuse(file, `Statement ${index + 1} has no known status; known: ${STATUSES.join(', ')}.`)
    // Subcomponents are of their own product: those of another say nothing of it.
    return listOf(fields?.products).map(product => ({
      ids: ids.flatMap(id => id ?? []),
      status,
      products: idsOf(product),
      subcomponents: listOf(asFields(product)?.subcomponents).flatMap(idsOf),
      justification: [fields?.justification, fields?.impact_statement, fields?.status_notes]
        .flatMap(one => asText(one) ?? [])
        .join(': '),
      timestamp: asText(fields?.last_updated) ?? asText(fields?.timestamp) ?? asText(document.timestamp) ?? '',
      file,
    }))
  })
}

/** Ids of a product or a subcomponent: its own and its package URL. A product may also be a mere string. */
function idsOf(value: unknown): string[] {
  const fields = asFields(value)
  const own = asText(value) ?? asText(fields?.['@id'])
  return [own, asText(asFields(fields?.identifiers)?.purl)].flatMap(one => one ?? [])
}

function readCycloneDx(document: Fields, file: string): VexStatement[] {
  const purls = new Map<string, string>()
  const visit = (component: unknown) => {
    const fields = asFields(component)
    const [ref, purl] = [asText(fields?.['bom-ref']), asText(fields?.purl)]
    if (ref !== undefined && purl !== undefined) purls.set(ref, purl)
    for (const inner of listOf(fields?.components)) visit(inner)
  }
  const metadata = asFields(document.metadata)
  visit(metadata?.component)
  for (const component of listOf(document.components)) visit(component)
  return listOf(document.vulnerabilities).flatMap((value, index) => {
    const fields = asFields(value)
    const analysis = asFields(fields?.analysis)
    if (!analysis || analysis.state === undefined) return []
    const ids = [fields?.id, ...listOf(fields?.references).map(one => asFields(one)?.id)].flatMap(
      one => asText(one) ?? [],
    )
    const status = STATES.get(asText(analysis.state) ?? '')
    if (ids.length === 0) throw refuse(file, `Vulnerability ${index + 1} has no id.`)
    if (!status)
      throw refuse(file, `Vulnerability ${ids[0]} has no known state; known: ${[...STATES.keys()].join(', ')}.`)
    const refs = listOf(fields?.affects).flatMap(one => asText(asFields(one)?.ref) ?? [])
    return [
      {
        ids,
        status,
        // A BOM-Link ends with the reference that it means.
        products: refs.map(
          ref => purls.get(ref) ?? purls.get(decode(ref.split('#').at(-1)!)) ?? decode(ref.split('#').at(-1)!),
        ),
        subcomponents: [],
        justification: [analysis.justification, analysis.detail].flatMap(one => asText(one) ?? []).join(': '),
        timestamp: asText(fields?.updated) ?? asText(analysis.lastUpdated) ?? asText(metadata?.timestamp) ?? '',
        file,
      },
    ]
  })
}

/** A vulnerable package, as a statement may name it. */
export interface VexSubject {
  ids: readonly string[]
  purl: string | undefined
  /** Whether everything of the repository that needs the package needs it through a product: only then what is said of the product holds here. */
  isWithin(product: string): boolean
}

/** The statement that holds for a vulnerability in a package: the latest that names both; undefined where none does. */
export function findStatement(statements: readonly VexStatement[], subject: VexSubject): VexStatement | undefined {
  let latest: VexStatement | undefined
  for (const statement of statements)
    if (statement.ids.some(id => subject.ids.includes(id)) && isAbout(statement, subject))
      if (latest === undefined || statement.timestamp >= latest.timestamp) latest = statement
  return latest
}

/** A statement is about a package itself, or about a product of this repository that contains it. */
function isAbout({ products, subcomponents }: VexStatement, { purl, isWithin }: VexSubject): boolean {
  const isPackage = (id: string) => purl !== undefined && coversPurl(id, purl)
  if (subcomponents.length === 0 && products.some(isPackage)) return true
  if (subcomponents.length > 0 && !subcomponents.some(isPackage)) return false
  return products.some(isWithin)
}

/** Types of package URLs of what is built from a repository: it is known here by its name alone. */
const BUILT = /^pkg:(oci|docker|github|gitlab|bitbucket|generic)\//

/** Whether an id may be that of the repository or of a project in it, by the last part of its name: an image, a repository, an address. */
export function namesRepository(id: string, names: ReadonlySet<string>): boolean {
  if (id.startsWith('pkg:') && !BUILT.test(id)) return false
  const [base] = splitPurl(id)
  return names.has((base.split('/').at(-1) ?? '').toLowerCase())
}

/** Whether a package URL means a package: the same, or the same without a version. Qualifiers and subpath count only where they are given. */
export function coversPurl(stated: string, actual: string): boolean {
  if (stated === actual) return true
  const [statedBase, statedVersion] = splitPurl(stated)
  const [actualBase, actualVersion] = splitPurl(actual)
  if (statedBase !== actualBase) return false
  return statedVersion === undefined || statedVersion === actualVersion
}

function splitPurl(purl: string): [string, string | undefined] {
  const plain = decode(purl.split(/[?#]/, 1)[0]!)
  // The version follows the last @ of the last segment: a scope begins with one too.
  const at = plain.lastIndexOf('@')
  return at > plain.lastIndexOf('/') + 1 || (at > 0 && plain[at - 1] !== '/')
    ? [plain.slice(0, at), plain.slice(at + 1)]
    : [plain, undefined]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function lastPart(id: string | undefined): string | undefined {
  return id?.split(/[/#]/).at(-1)
}

function refuse(file: string, message: string): EngineError {
  return new EngineError('INPUT_INVALID', message, {
    place: { file },
    hint: 'Correct the VEX document, or leave it out.',
  })
}
