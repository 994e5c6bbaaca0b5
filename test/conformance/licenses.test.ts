import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { listLicenses, readLicense } from '../../engine/supply/licenses/expression.ts'
import { identifyLicenses } from '../../engine/supply/licenses/identify.ts'

const DATA = new URL('../../../shared/data/licenses/', import.meta.url)
const isThere = existsSync(DATA)
if (!isThere)
  console.warn(
    'Licenses were not identified in the texts of SPDX and of scancode: ../shared/data/licenses is not there.',
  )

/** Ids that an expression names, without exceptions: those of SPDX in their current spelling. */
const idsOf = (expression: string) => {
  const read = readLicense(expression)
  return 'tree' in read ? listLicenses(read.tree).map(({ license }) => license) : []
}

describe.runIf(isThere)('licenses in texts', () => {
  it("identifies at least .95 of the texts of SPDX's list, or a license with the same text", {
    timeout: 120_000,
  }, () => {
    const folder = new URL('spdx-license-list/texts/', DATA)
    const names = readdirSync(folder)
    expect(names.length).toBeGreaterThan(700)
    const found = names.filter(name => {
      const id = name.replace(/\.txt$/, '')
      const { evidence } = identifyLicenses(readFileSync(new URL(name, folder), 'utf8'))
      const all = evidence.flatMap(({ expression, alternatives = [] }) => [...idsOf(expression), ...alternatives])
      return [...idsOf(id), id].some(one => all.includes(one))
    })
    expect(found.length / names.length).toBeGreaterThanOrEqual(0.95)
  })

  it('identifies every license of SPDX in at least .85 of the labeled files, and none in files without', {
    timeout: 120_000,
  }, () => {
    const folder = new URL('scancode-datadriven/', DATA)
    const labels = readFileSync(new URL('labels.jsonl', folder), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { file: string; spdx: string[]; hasLicense: boolean })
    let [files, whole] = [0, 0]
    for (const { file, spdx, hasLicense } of labels) {
      const { evidence } = identifyLicenses(readFileSync(new URL(`files/${file}`, folder), 'utf8'))
      const found = new Set(evidence.flatMap(({ expression }) => idsOf(expression)))
      if (!hasLicense) expect([file, ...found]).toEqual([file])
      const wanted = spdx.flatMap(idsOf).filter(id => !id.startsWith('LicenseRef-'))
      if (wanted.length === 0) continue
      files++
      if (wanted.every(id => found.has(id))) whole++
    }
    expect(files).toBeGreaterThan(200)
    expect(whole / files).toBeGreaterThanOrEqual(0.85)
  })
})
