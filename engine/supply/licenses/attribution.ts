import type { Component } from '../inventory/component.ts'
import { listLicenses, readLicense } from './expression.ts'
import type { LicenseFile } from './local/disk.ts'
import type { FindLocal } from './local/find.ts'
import type { LicenseRecord } from './report.ts'
import { loadLicenseTexts } from './texts.ts'

/** An attribution file, and the dependencies of which it has less than their licenses ask for. */
export interface Attribution {
  text: string
  /** `name@version` of those without a license file of their own: the text is SPDX's, without the copyright line. */
  withoutFile: string[]
  /** Those whose license is not known: nothing of theirs is there. */
  unknown: string[]
}

/**
 * An attribution file: each production dependency with its license, and the texts of license and notice files, each once. Where the package is not
 * installed, the text is that of SPDX's list, and the file says so: it has no copyright line.
 */
export function makeAttribution(
  records: readonly LicenseRecord[],
  components: readonly Component[],
  findLocal: FindLocal,
): Attribution {
  const byId = new Map(components.map(component => [component.id, component]))
  const counted = records
    .filter(({ scope }) => scope !== 'development' && scope !== 'test')
    .sort((a, b) => (a.component < b.component ? -1 : a.component > b.component ? 1 : 0))
  const texts = new Map<string, string[]>()
  const notices = new Map<string, string[]>()
  const withoutFile: string[] = []
  const unknown: string[] = []
  const add = (to: Map<string, string[]>, text: string, name: string) => {
    const folded = text.replace(/\r\n/g, '\n').trim()
    to.set(folded, [...(to.get(folded) ?? []), name])
  }
  const list = counted.map(record => {
    const name = `${record.package}${record.version === undefined ? '' : ` ${record.version}`}`
    const component = byId.get(record.component)
    const files: LicenseFile[] = (component && findLocal(component)?.readFiles()) ?? []
    const own = files.filter(({ isNotice }) => !isNotice)
    for (const { text, isNotice } of files) add(isNotice ? notices : texts, text, name)
    if (own.length === 0) {
      if (record.license === undefined) unknown.push(name)
      else {
        withoutFile.push(name)
        for (const text of listTexts(record.license)) add(texts, text, name)
      }
    }
    return `- ${name} (${record.ecosystem}): ${record.license ?? record.declared ?? 'license unknown'}`
  })
  const parts = [
    'THIRD-PARTY NOTICES',
    `This product contains ${counted.length} third-party packages. Their licenses follow the list.`,
    list.join('\n'),
    ...[...notices].map(([text, names]) => section(names, text)),
    ...[...texts].map(([text, names]) => section(names, text)),
    ...(withoutFile.length > 0
      ? [
          `The texts of these packages are those of SPDX's list, without their copyright lines:\n${withoutFile.map(one => `- ${one}`).join('\n')}`,
        ]
      : []),
    ...(unknown.length > 0
      ? [`The licenses of these packages are not known:\n${unknown.map(one => `- ${one}`).join('\n')}`]
      : []),
  ]
  return { text: `${parts.join('\n\n')}\n`, withoutFile, unknown }
}

function section(names: readonly string[], text: string): string {
  return `${'-'.repeat(80)}\n${[...new Set(names)].join(', ')}\n\n${text}`
}

function listTexts(expression: string): string[] {
  const read = readLicense(expression)
  if (!('tree' in read)) return []
  const known = loadLicenseTexts()
  return listLicenses(read.tree).flatMap(({ license }) => known.get(license.replace(/\+$/, ''))?.text ?? [])
}
