import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../engine/base/records/finding.ts'
import { countFindings, listBearing, summarizeStride } from '../../../engine/review/threats/bearing.ts'
import { deriveThreats, type Knowledge } from '../../../engine/review/threats/derive.ts'
import type { DataFlowModel, ModelElement, Threat } from '../../../engine/review/threats/model.ts'
import { listCategories, listWeaknesses } from '../../../engine/review/threats/stride-weaknesses.ts'
import { loadBuiltinRules } from '../../../engine/sources/packs/load.ts'

const finding = (fingerprint: string, file: string, cwe: string[], severity = 'high') =>
  ({ ...{ fingerprint, file, cwe, severity, rule_id: 'r', title: 't', line: 3 } }) as Finding

const program = (directory: string): ModelElement => ({
  ...{
    id: `process:${directory || 'root'}`,
    kind: 'process',
    name: directory,
    zone: 'application',
    directory,
    source: 'rule',
  },
  ...{ places: [{ file: `${directory}/app.js`, line: 1, what: 'GET /' }], entry_points: [], facts: ['http'] },
})
const model: DataFlowModel = { name: 'x', elements: [program('api'), program('')], flows: [], zones: ['application'] }

describe('weaknesses', () => {
  it('of every rule that comes with svc bear on a category, but those of quality alone', () => {
    const known = new Set(loadBuiltinRules().flatMap(({ cwe }) => cwe))
    const without = [...known].filter(cwe => listCategories([cwe]).length === 0)
    // Too much code in one place, and code that never runs.
    expect(without.sort()).toEqual(['CWE-1075', 'CWE-561'])
  })

  it('are listed by category, and a weakness may have several', () => {
    expect(listCategories(['CWE-89', 'CWE-778'])).toEqual(['tampering', 'repudiation'])
    expect(listCategories(['CWE-798'])).toEqual(['spoofing', 'information_disclosure'])
    expect(listWeaknesses('repudiation')).toContain('CWE-778')
  })
})

describe('a finding', () => {
  const findings = [
    finding('near', 'api/lib/page.js', ['CWE-79']),
    finding('other', 'tools.js', ['CWE-79'], 'critical'),
    finding('quality', 'api/app.js', ['CWE-561']),
  ]
  const knowledge: Knowledge = {
    rulesOf: () => [],
    findingsOf: (cwe, isOf) =>
      findings.flatMap(({ fingerprint, file, cwe: own }) =>
        own!.some(each => cwe.includes(each)) && (isOf === undefined || isOf(file)) ? [fingerprint] : [],
      ),
  }
  const threats = deriveThreats(model, knowledge).map((each, index) => ({ ...each, id: `TM-${index}` }) as Threat)

  it('bears on the threats of the program whose directory has its file, and on those of no other', () => {
    const byProgram = (element: string) =>
      new Set(threats.filter(each => each.element === element).flatMap(each => each.findings))
    expect([...byProgram('process:api')]).toEqual(['near'])
    expect([...byProgram('process:root')]).toEqual(['other'])
  })

  it('is listed with its categories and threats, the most severe first, and is counted', () => {
    const listed = listBearing(findings, threats)
    expect(listed.map(({ fingerprint }) => fingerprint)).toEqual(['other', 'near'])
    for (const { threats: own, stride } of listed) {
      expect(stride).toContain('tampering')
      expect(own.length).toBeGreaterThan(0)
    }
    expect(listBearing([finding('far', 'x', ['CWE-89'])], [])[0]!.threats).toEqual([])
    expect(countFindings(findings)).toMatchObject({ tampering: 2, spoofing: 0 })
  })

  it('is unknown without a scan, not none', () => {
    expect(summarizeStride(threats, undefined).map(each => each.findings)).toEqual(Array(6).fill(null))
    expect(summarizeStride([], countFindings([]))[0]).toMatchObject({ threats: 0, pending: 0, findings: 0 })
  })
})
