import type { Advisory } from './advisory.ts'
import { AdvisoryFault, asFields, asText, listOf, readOsv, textsOf } from './read-osv.ts'

/** Reads an advisory in the form of OSV, of RustSec or of RubySec, told by its fields. Throws AdvisoryFault. */
export function readAdvisory(record: unknown): Advisory {
  const fields = asFields(record)
  if (fields && asText(fields.gem) !== undefined) return readRubySec(fields)
  if (fields && asText(fields.package) !== undefined) return readRustSec(fields)
  return readOsv(record)
}

/** rustsec/advisory-db: `patched` and `unaffected` are Cargo requirements, anything else is affected. */
function readRustSec(fields: Record<string, unknown>): Advisory {
  const id = readId(fields)
  const withdrawn = asText(fields.withdrawn)
  const informational = asText(fields.informational)
  const vector = asText(fields.cvss)
  const published = asText(fields.date)
  return {
    id,
    aliases: textsOf(fields.aliases),
    summary: asText(fields.summary) ?? asText(fields.title) ?? '',
    modified: published ?? '',
    ...(published !== undefined && { published }),
    ...(withdrawn !== undefined && { withdrawn }),
    ...(informational !== undefined && { informational }),
    severity:
      vector === undefined ? [] : [{ type: vector.startsWith('CVSS:4') ? 'CVSS_V4' : 'CVSS_V3', score: vector }],
    cwe: [],
    references: [`https://rustsec.org/advisories/${id}.html`],
    affected: [
      {
        ecosystem: 'crates.io',
        name: asText(fields.package)!,
        ranges: [
          { type: 'EXCEPT', fixed: readList(fields, 'patched', id), unaffected: readList(fields, 'unaffected', id) },
        ],
        versions: [],
      },
    ],
  }
}

/** rubysec/ruby-advisory-db: `patched_versions` and `unaffected_versions` are RubyGems requirements. */
function readRubySec(fields: Record<string, unknown>): Advisory {
  const id = readId(fields)
  const cve = asText(fields.cve)
  const ghsa = asText(fields.ghsa)
  const named = [...(cve ? [`CVE-${cve}`] : []), ...(ghsa ? [`GHSA-${ghsa}`] : [])]
  const withdrawn = asText(fields.withdrawn)
  const published = asText(fields.date)
  return {
    id,
    aliases: named.filter(name => name !== id),
    summary: asText(fields.title) ?? '',
    modified: published ?? '',
    ...(published !== undefined && { published }),
    ...(withdrawn !== undefined && { withdrawn }),
    severity: [],
    cwe: [],
    references: [asText(fields.url)].flatMap(url => url ?? []),
    affected: [
      {
        ecosystem: 'RubyGems',
        name: asText(fields.gem)!,
        ranges: [
          {
            type: 'EXCEPT',
            fixed: readList(fields, 'patched_versions', id),
            unaffected: readList(fields, 'unaffected_versions', id),
          },
        ],
        versions: [],
      },
    ],
  }
}

function readId(fields: Record<string, unknown>): string {
  const id = asText(fields.id)
  if (id === undefined) throw new AdvisoryFault('The record has no id')
  return id
}

function readList(fields: Record<string, unknown>, key: string, id: string): string[] {
  const value = fields[key]
  if (value === undefined || value === null) return []
  const texts = textsOf(value)
  if (!Array.isArray(value) || texts.length !== listOf(value).length)
    throw new AdvisoryFault(`${id}: "${key}" is no list of requirements`)
  return texts
}
