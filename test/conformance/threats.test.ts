import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { exportThreats } from '../../engine/review/threats/export.ts'
import { importThreats } from '../../engine/review/threats/import.ts'
import { threatDocument } from '../review/threats/document.ts'

const DATA = fileURLToPath(new URL('../../../shared/data/schemas/threat', import.meta.url))
const isThere = existsSync(DATA)
if (!isThere) console.warn('Threat models were not validated by the official schemas: ../shared/data is not there.')

const read = (name: string) => readFileSync(`${DATA}/${name}`, 'utf8')
const faults = (schema: string, text: string) => {
  const ajv = new Ajv({ strict: false, allErrors: true })
  const validate = ajv.compile(JSON.parse(read(schema)) as object)
  return validate(JSON.parse(text)) ? [] : validate.errors
}

const HOSTILE = '<script>alert(1)</script>"\u202e\n]]>'

describe.skipIf(!isThere)('a written threat model', () => {
  it.each(['shop', HOSTILE])('of %j is valid Threat Dragon 2', name => {
    expect(faults('threat-dragon-v2.schema.json', exportThreats(threatDocument(name), 'threat-dragon'))).toEqual([])
  })

  it.each(['shop', HOSTILE])('of %j is valid Open Threat Model 0.2', name => {
    expect(faults('otm_schema.json', exportThreats(threatDocument(name), 'otm'))).toEqual([])
  })

  it('the schemas refuse what they must', () => {
    expect(faults('threat-dragon-v2.schema.json', '{"version":"2"}')).not.toEqual([])
    expect(faults('otm_schema.json', '{"otmVersion":"0.2.0"}')).not.toEqual([])
  })
})

it.skipIf(!isThere)('the threats of the example of Open Threat Model are imported', () => {
  const document = threatDocument()
  const imported = importThreats(read('otm-example.json'), 'otm-example.json', document, 'now')
  // Its one threat is that of a component and of a data flow.
  expect(imported).toMatchObject({ format: 'otm', added: 2, updated: 0, skipped: 0 })
  const threats = imported.document.threats.filter(({ source }) => source === 'import')
  expect(threats.map(({ component, title, stride, status }) => [component, title, stride, status])).toEqual([
    ['Web Service', 'Threat 1', 'spoofing', 'pending'],
    ['Dataflow between webservice and mongo.', 'Threat 1', 'spoofing', 'pending'],
  ])
})
