import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { default as ajvModule } from 'ajv'
import { default as formats } from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { makeComponentDefinition } from '../../engine/assure/oscal/component.ts'
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
