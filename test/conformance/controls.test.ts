import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parsePack } from '../../engine/sources/packs/parse.ts'
import { ROOT } from '../root.ts'

const CATALOGUES = new URL('../../../shared/data/controls/', import.meta.url)
const NIST = new URL('nist-800-53/NIST_SP-800-53_rev5_HIGH-baseline-resolved-profile_catalog-min.json', CATALOGUES)
const ASVS = new URL('asvs/OWASP_Application_Security_Verification_Standard_5.0.0_en.flat.json', CATALOGUES)
const isThere = existsSync(NIST) && existsSync(ASVS)
if (!isThere) console.warn('Control catalogues were not compared: ../shared/data/controls is not there.')

const json = (url: URL) => JSON.parse(readFileSync(url, 'utf8')) as unknown
const packOf = (id: string) => parsePack(readFileSync(join(ROOT, 'packs', id, 'pack.yaml')), id)

interface CatalogControl {
  id: string
  title: string
  controls?: CatalogControl[]
}

/** Titles by id as people write it: `sc-8.1` is SC-8(1). */
function nistTitles(): Map<string, string> {
  const { catalog } = json(NIST) as { catalog: { groups: { controls: CatalogControl[] }[] } }
  const flat = (controls: CatalogControl[]): CatalogControl[] =>
    controls.flatMap(control => [control, ...flat(control.controls ?? [])])
  return new Map(
    catalog.groups
      .flatMap(({ controls }) => flat(controls))
      .map(({ id, title }) => [id.toUpperCase().replace(/\.(\d+)$/, '($1)'), title]),
  )
}

describe.runIf(isThere)('control catalogues', () => {
  test('every control of the NIST 800-53 pack is in the high baseline under the same title', async () => {
    const titles = nistTitles()
    const { controls } = await packOf('nist-800-53-r5')
    expect(controls.length).toBeGreaterThan(40)
    for (const { id, title } of controls) expect(titles.get(id), id).toBe(title)
  })

  test('every control of the ASVS pack is a requirement of 5.0.0, and the pack says how many there are', async () => {
    const { requirements } = json(ASVS) as { requirements: { req_id: string }[] }
    const ids = new Set(requirements.map(({ req_id }) => req_id))
    const { controls, framework } = await packOf('owasp-asvs-5-0')
    expect(controls.filter(({ id }) => !ids.has(id)).map(({ id }) => id)).toEqual([])
    expect(framework!.controls_total).toBe(requirements.length)
  })

  test('what the NIST pack says of the high baseline is so', async () => {
    const { description } = await packOf('nist-800-53-r5')
    expect(description).toContain(`${nistTitles().size} are in its high baseline`)
  })
})
