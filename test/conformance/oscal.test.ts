import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { default as ajvModule } from 'ajv'
import { default as formats } from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { makeComponentDefinition } from '../../engine/assure/oscal/component.ts'
import { describeControlIds, nameControl } from '../../engine/assure/oscal/control-ids.ts'
import { renderAssessmentResults } from '../../engine/assure/oscal/results.ts'
import { loadBuiltinPacks } from '../../engine/sources/packs/load.ts'
import { hostileAssessment } from '../assure/documents/assessment.ts'

const SCHEMAS = fileURLToPath(new URL('../../../shared/data/schemas/oscal', import.meta.url))
const isThere = existsSync(SCHEMAS)
if (!isThere) console.warn('OSCAL documents were not held against the official schemas: ../shared/data is not there.')

function validator(name: string) {
  const ajv = new ajvModule.default({ strict: false, unicodeRegExp: true })
  formats.default(ajv)
  return ajv.compile(JSON.parse(readFileSync(join(SCHEMAS, name), 'utf8')))
}

/** Over every framework that there is. */
const assessment = (frameworks = loadBuiltinPacks().filter(pack => pack.framework)) => hostileAssessment(frameworks)

const makeAssessmentResults = (of: ReturnType<typeof assessment>) =>
  JSON.parse([...renderAssessmentResults(of)].join(''))

describe.skipIf(!isThere)("NIST's JSON schemas of OSCAL 1.2.1", () => {
  it('accept assessment results of every framework, with hostile names', { timeout: 60_000 }, () => {
    const validate = validator('oscal_assessment-results_schema.json')
    const document = makeAssessmentResults(assessment())
    expect([validate(document), validate.errors]).toEqual([true, null])
    const broken = JSON.parse(JSON.stringify(document))
    delete broken['assessment-results'].results[0].start
    expect(validate(broken)).toBe(false)
  })

  it('accept assessment results of one framework, and there are none without a framework', { timeout: 60_000 }, () => {
    const validate = validator('oscal_assessment-results_schema.json')
    const one = loadBuiltinPacks().filter(({ id }) => id === 'hipaa-security-rule')
    expect([validate(makeAssessmentResults(assessment(one))), validate.errors]).toEqual([true, null])
    expect(() => makeAssessmentResults(assessment([]))).toThrow('No framework was on')
  })

  it('accept component definitions of every framework and of none', { timeout: 60_000 }, () => {
    const validate = validator('oscal_component_schema.json')
    for (const subject of [assessment(), assessment([])])
      expect([validate(makeComponentDefinition(subject)), validate.errors]).toEqual([true, null])
  })
})

const CATALOG = fileURLToPath(
  new URL(
    '../../../shared/data/controls/nist-800-53/NIST_SP-800-53_rev5_HIGH-baseline-resolved-profile_catalog-min.json',
    import.meta.url,
  ),
)

describe('control ids', () => {
  it.runIf(existsSync(CATALOG))('of NIST SP 800-53 are those of its catalog, with their statements', () => {
    const text = readFileSync(CATALOG, 'utf8')
    const pack = loadBuiltinPacks().find(({ id }) => id === 'nist-800-53-r5')!
    expect(pack.controls.length).toBeGreaterThan(40)
    for (const control of pack.controls) {
      const { id, target } = nameControl('nist-800-53-r5', control.id)
      expect(text.includes(`"id":"${id}"`), id).toBe(true)
      expect(text.includes(`"id":"${target['target-id']}"`), target['target-id']).toBe(true)
    }
  })

  it('follow the catalogs that NIST publishes, and are ours where there is none', () => {
    expect(nameControl('nist-800-53-r5', 'AC-17(2)')).toEqual({
      id: 'ac-17.2',
      target: { type: 'statement-id', 'target-id': 'ac-17.2_smt' },
    })
    expect(nameControl('nist-csf-2-0', 'PR.PS-06').target['target-id']).toBe('PR.PS-06_statement')
    expect(nameControl('nist-ssdf-1-1', 'PW.9.1').target['target-id']).toBe('statement_PW.9.1')
    expect(nameControl('hipaa-security-rule', '164.308(a)(1)').id).toBe('_164.308_a__1_')
    expect([describeControlIds('nist-csf-2-0'), describeControlIds('gdpr')]).toEqual([
      expect.stringContaining('usnistgov/oscal-content'),
      'svc',
    ])
  })
})
