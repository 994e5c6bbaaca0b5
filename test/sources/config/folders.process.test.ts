import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makePathRelative } from '../../../engine/sources/config/inherit.ts'
import { loadConfig } from '../../../engine/sources/config/load.ts'
import { compileExcludes } from '../../../engine/sources/repository/exclude.ts'
import { refusal } from '../../made/call.ts'
import { repository } from '../../made/project.ts'
import fc from '../../made/property.ts'

const ROOT = 'gate: { fail_on: [critical] }\nscan_exclude: [gen]\npacks: { enable: [a], disable: [b] }\n'

describe('a folder of a monorepo', () => {
  const files = {
    '.svc/config.yaml': ROOT,
    'services/pay/.svc/config.yaml':
      'gate: { fail_on: [medium, high] }\nscan_exclude: [/mocks, "*.gen.ts"]\npacks: { enable: [c] }\n',
    'services/pay/core/.svc/config.yaml': 'severity_rescoring_enabled: true\nscan_exclude: [tmp]\n',
  }
  const load = () => loadConfig(repository(files), { files: Object.keys(files) })

  test('inherits from the root: maps merge and lists replace', async () => {
    const pay = (await load()).for('services/pay/src/a.ts')
    expect(pay.packs).toEqual({ detect: true, enable: ['c'], disable: ['b'], canary: false, overrides: {} })
    expect(pay.scan.max_file_bytes).toBe(5_242_880)
  })

  test('adds to scan_exclude, with its entries starting at the folder', async () => {
    const config = await load()
    expect(config.for('services/pay/src/a.ts').scan_exclude).toEqual([
      'gen',
      'services/pay/mocks',
      'services/pay/*.gen.ts',
    ])
    expect(config.for('services/pay/core/x.ts').scan_exclude.at(-1)).toBe('services/pay/core/tmp')
    expect(config.scan_exclude).toEqual(['gen'])
  })

  test('can make the gate sterner, never milder', async () => {
    const config = await load()
    expect(config.for('services/pay/src/a.ts').gate.fail_on).toEqual(['critical', 'high', 'medium'])
    expect(config.for('services/other.ts').gate.fail_on).toEqual(['critical'])
  })

  test('passes on to the folders within it what it says', async () => {
    const core = (await load()).for('services/pay/core/deep/er/x.ts')
    expect(core.severity_rescoring_enabled).toBe(true)
    expect(core.packs.enable).toEqual(['c'])
    expect(core.gate.fail_on).toEqual(['critical', 'high', 'medium'])
  })

  test('concerns no sibling whose name begins alike', async () => {
    expect((await load()).for('services/payments/a.ts').packs.enable).toEqual(['a'])
  })

  test('is found from a start within it, without any list of files', async () => {
    const root = repository(files)
    const config = await loadConfig(join(root, 'services/pay/core'))
    expect(config.sources).toEqual(Object.keys(files))
    expect(config.for('services/pay/core/x.ts').severity_rescoring_enabled).toBe(true)
  })

  test('cannot touch governance or the limits of the scan, and each attempt is named with its place', async () => {
    const path = 'a/.svc/config.yaml'
    const text =
      'governance:\n  profile: permissive\n  agent_defaults:\n    trust_by_agent:\n      bot: admin\nscan:\n  jobs: 9\nhistory: {}\n'
    const error = await refusal(() => loadConfig(repository({ [path]: text }), { files: [path] }))
    expect(error.code).toBe('CONFIG_INVALID')
    expect(error.faults.map(({ message, place }) => [message.split(' ')[0], place?.file, place?.line])).toEqual([
      ['governance.profile', path, 2],
      ['governance.agent_defaults.trust_by_agent.bot', path, 5],
      ['scan.jobs', path, 7],
    ])
  })

  test('whatever the folder is called, its entries match in it and nowhere else', () => {
    const name = fc.stringMatching(/^[a-z0-9 ()[\]{}!+@*?$^.,=-]{1,12}$/).filter(text => !/^\.+$|^!|^ | $/.test(text))
    fc.assert(
      fc.property(name, name, (folder, other) => {
        fc.pre(folder !== other)
        const plain = compileExcludes([makePathRelative(folder, 'gen')])
        const glob = compileExcludes([makePathRelative(folder, '**/*.min.js')])
        expect(plain(`${folder}/gen/a.ts`)).toBe(true)
        expect(plain(`${folder}/src/a.ts`)).toBe(false)
        expect(plain(`${other}/gen/a.ts`)).toBe(false)
        expect(glob(`${folder}/x/y.min.js`)).toBe(true)
        expect(glob(`${other}/x/y.min.js`)).toBe(false)
      }),
    )
  })
})
