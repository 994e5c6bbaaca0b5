import { describe, expect, test } from 'vitest'
import { EngineError } from '../../../engine/base/errors.ts'
import { loadPacks } from '../../../engine/sources/packs/load.ts'
import { folder } from '../../made/folder.ts'
import { wordRule } from '../../made/rules.ts'

/** A rule with an id of its own, in one of the places where a repository keeps rules. */
function rule(id: string, place = '.svc/rules'): Record<string, string> {
  const text = wordRule('frobnicate')['.svc/rules/local-frobnicate.yaml']!
  return { [`${place}/${id}.yaml`]: text.replace('id: local-frobnicate', `id: ${id}`) }
}
const pack = (id: string) => ({
  [`.svc/packs/${id}/pack.yaml`]: `id: ${id}\nversion: 1.0.0\nname: House\ndescription: Rules of the house.\ntier: open\n`,
})

/** What is wrong with the packs of a repository with these files; nothing where they load. */
async function faultsOf(files: Record<string, string>): Promise<string[]> {
  try {
    await loadPacks(folder(files))
    return []
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'PACK_INVALID') throw error
    return error.faults.map(({ message, place }) => `${place?.file}: ${message}`)
  }
}

describe("a repository's own rule", () => {
  test.each([
    ['python-sql-injection', 'the key of a form'],
    ['sql-injection', 'a rule by weakness'],
    ['js-eval-dynamic', 'a rule that comes with svc'],
  ])('cannot have the id %s, which is that of %s', async id => {
    expect(await faultsOf(rule(id))).toEqual([
      `.svc/rules/${id}.yaml: the rule ${id} is in svc already; choose another id`,
    ])
  })

  test('cannot have the id of another one of its own', async () => {
    const twice = {
      ...pack('house'),
      ...rule('house-frobnicate', '.svc/packs/house/rules'),
      ...rule('house-frobnicate'),
    }
    expect(await faultsOf(twice)).toEqual([
      '.svc/rules/house-frobnicate.yaml: the rule house-frobnicate is in house already; choose another id',
    ])
  })

  test('may have an id that is new', async () => {
    expect(
      await faultsOf({ ...pack('house'), ...rule('house-frobnicate', '.svc/packs/house/rules'), ...rule('local-b') }),
    ).toEqual([])
  })
})

test("a repository's own pack cannot have the id of one that comes with svc, or that of the rules in .svc/rules", async () => {
  expect(await faultsOf(pack('java'))).toEqual([
    '.svc/packs/java/pack.yaml: there is a pack java already; choose another id',
  ])
  expect(await faultsOf({ ...pack('local'), ...rule('local-b') })).toHaveLength(1)
})
