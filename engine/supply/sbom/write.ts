import { EngineError } from '../../base/errors.ts'
import type { Bill } from './bill.ts'

export const SBOM_FORMATS = ['cyclonedx', 'spdx'] as const
export type SbomFormat = (typeof SBOM_FORMATS)[number]

/** Versions that each format is written in, the default first. */
const VERSIONS: Record<SbomFormat, readonly string[]> = {
  cyclonedx: ['1.6', '1.7', '1.5', '1.4'],
  spdx: ['2.3', '3.0.1'],
}

/** Writes a bill of materials in a format. INPUT_INVALID where the format has no such version, or no XML. */
export async function writeSbom(
  bill: Bill,
  { format, version, encoding }: { format: SbomFormat; version: string; encoding: 'json' | 'xml' },
): Promise<string> {
  if (format === 'spdx') {
    if (version === '3.0.1') return (await import('./spdx3.ts')).writeSpdx3(bill)
    return (await import('./spdx.ts')).writeSpdx(bill)
  }
  const { CYCLONEDX_VERSIONS, writeCyclonedx } = await import('./cyclonedx.ts')
  return writeCyclonedx(bill, CYCLONEDX_VERSIONS.find(each => each === version)!, encoding)
}

/** The version to write: the one that was named, or the format's default. */
export function chooseVersion(format: SbomFormat, named: string | undefined, encoding: 'json' | 'xml'): string {
  if (encoding === 'xml' && format === 'spdx')
    throw new EngineError('INPUT_INVALID', 'SPDX is written as JSON, not as XML.', {
      hint: 'Omit --encoding xml, or pass --format cyclonedx.',
    })
  const versions = VERSIONS[format]
  if (named === undefined) return versions[0]!
  if (versions.includes(named)) return named
  throw new EngineError('INPUT_INVALID', `${format} is not written in version ${JSON.stringify(named)}.`, {
    hint: `Versions of ${format}: ${versions.join(', ')}.`,
  })
}

/** Media types as registered, or as the specifications name them. */
export function mediaTypeOf(format: SbomFormat, encoding: 'json' | 'xml', version: string): string {
  if (format === 'cyclonedx') return `application/vnd.cyclonedx+${encoding}; version=${version}`
  return version === '2.3' ? 'application/spdx+json' : 'application/ld+json'
}
