import { describe, expect, test } from 'vitest'
import type { Vulnerability, VulnerabilityReport } from '../../engine/supply/advisories/vulnerability.ts'
import { makeIsKnown } from '../../engine/supply/advisories/watch.ts'

const gone = { component: 'npm/a@1.0.0', locations: [{ file: 'package-lock.json' }] } as Vulnerability
const known = (report: object = {}, unknown: string[] = []) =>
  makeIsKnown({
    report: { unread_manifests: [], source: { faults: [] }, ...report } as unknown as VulnerabilityReport,
    unknown: new Set(unknown),
  })(gone)

describe('a vulnerability that a check no longer lists', () => {
  test('is gone where its manifests were read and its package was looked up', () => {
    expect(known()).toBe(true)
    expect(known({ unread_manifests: [{ file: 'other/pom.xml', state: 'failed', detail: '' }] }, ['npm/b@1'])).toBe(
      true,
    )
  })

  test('is not known to be gone where a manifest, its package or a record of the database could not be read', () => {
    expect(known({ unread_manifests: [{ file: 'package-lock.json', state: 'failed', detail: '' }] })).toBe(false)
    expect(known({}, ['npm/a@1.0.0'])).toBe(false)
    expect(known({ source: { faults: ['a.json: no JSON'] } })).toBe(false)
  })
})
