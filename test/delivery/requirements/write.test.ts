import { expect, it } from 'vitest'
import { makeRecord, toRecord } from '../../../engine/delivery/requirements/model.ts'
import { writeRequirements } from '../../../engine/delivery/requirements/write.ts'
import { readRequirementsYaml } from '../../../engine/delivery/requirements/yaml.ts'
import fc from '../../made/property.ts'
import { apply, change } from './record.ts'

const source = fc.array(change, { maxLength: 10 })
const read = async (text: string) => (await readRequirementsYaml(text, 'requirements.yaml')).requirements.map(toRecord)
// The schema is stricter than the merge: controls are framework:control, dates are dates.
const valid = (records: ReturnType<typeof apply>) =>
  records.map(record => ({
    ...record,
    controls: record.controls.map(each => `soc2:${each}`),
    ...(record.confirmed && { confirmed: { ...record.confirmed, at: '2026-01-02' } }),
  }))

it('reads back what it writes, over any file that it wrote before', async () => {
  await fc.assert(
    fc.asyncProperty(source, source, async (first, second) => {
      const [before, now] = [valid(apply([], first)), valid(apply([], second))]
      const text = await writeRequirements(before)
      expect(await read(text)).toEqual(before)
      expect(await read(await writeRequirements(now, text))).toEqual(now)
    }),
    { numRuns: 100 },
  )
})

it('leaves comments and unchanged values as they are written', async () => {
  const text = '# Ours.\nrequirements:\n  # The door.\n  - id: REQ-1\n    title: "Log in" # twice\n    tests: [a.ts]\n'
  const [record] = await read(text)
  expect(await writeRequirements([record!], text)).toBe(text)
  const written = await writeRequirements(
    [{ ...record!, tests: ['b.ts'] }, makeRecord({ id: 'REQ-2', title: 'x' })],
    text,
  )
  expect(written).toContain('# The door.\n  - id: REQ-1\n    title: "Log in" # twice')
  expect(written).toContain('b.ts')
})
