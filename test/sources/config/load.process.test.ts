import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { computeConfigDigest } from '../../../engine/sources/config/digest.ts'
import { loadConfig } from '../../../engine/sources/config/load.ts'
import { refusal } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'
import { repository } from '../../made/project.ts'
import { ROOT } from '../../root.ts'

describe('where the configuration comes from', () => {
  test('without any file the defaults of the specification hold', async () => {
    const config = await loadConfig(repository())
    expect(config.sources).toEqual([])
    expect(config.gate.fail_on).toEqual(['critical', 'high'])
    expect(config.scan).toEqual({ max_file_bytes: 5_242_880, rule_deadline_ms: 10_000, file_deadline_ms: 100_000 })
    expect(config.history.keep).toBe(200)
    expect(config.governance.trust_chain.max_depth).toBe(4)
    expect(config.governance.agent_defaults.default_trust_level).toBe('fix:low')
    expect(config.governance.blast_radius).toEqual({ enabled: false, default_enforcement: 'warn' })
  })

  test('every governance layer is off until it is switched on', async () => {
    const { governance } = await loadConfig(repository())
    for (const layer of [
      'task_binding',
      'blast_radius',
      'trust_chain',
      'tool_grants',
      'rollback',
      'anomaly_detection',
    ] as const)
      expect(governance[layer].enabled, layer).toBe(false)
  })

  test('the YAML parser is loaded where there is a file, and only there', () => {
    const loaded = (root: string) => {
      const script = `import { loadConfig } from ${JSON.stringify(join(ROOT, 'engine/sources/config/load.ts'))}
import { createRequire } from 'node:module'
await loadConfig(${JSON.stringify(root)})
console.log(Object.keys(createRequire(import.meta.url).cache).some(path => path.includes('/node_modules/yaml/')))`
      writeFileSync(join(root, 'probe.mts'), script)
      const words = ['--import', import.meta.resolve('tsx'), join(root, 'probe.mts')]
      return execFileSync(process.execPath, words, { encoding: 'utf8' }).trim()
    }
    expect(loaded(repository())).toBe('false')
    expect(loaded(repository({ '.svc/config.yaml': '' }))).toBe('true')
  })

  test('a start below the root finds the file of the root, and nothing above the root', async () => {
    const outer = folder({ '.svc/config.yaml': 'gate: { fail_on: [info] }\n', 'inner/a/b/c.ts': '' })
    mkdirSync(join(outer, 'inner/.git'))
    expect((await loadConfig(join(outer, 'inner/a/b'))).gate.fail_on).toEqual(['critical', 'high'])
    mkdirSync(join(outer, '.git'))
    const nested = await loadConfig(join(outer, 'inner/a'))
    expect([nested.root, nested.gate.fail_on]).toEqual([join(outer, 'inner'), ['critical', 'high']])
    expect((await loadConfig(outer)).gate.fail_on).toEqual(['info'])
    mkdirSync(join(outer, 'other/deep'), { recursive: true })
    expect((await loadConfig(join(outer, 'other/deep'))).gate.fail_on).toEqual(['info'])
  })

  test('a folder outside any repository stands for itself', async () => {
    const outer = folder({ '.svc/config.yaml': 'history: { keep: 3 }\n', 'a/b.ts': '' })
    expect((await loadConfig(join(outer, 'a'))).history.keep).toBe(200)
    expect((await loadConfig(outer)).history.keep).toBe(3)
  })

  test('a start that is a symbolic link belongs to the repository it leads to', async () => {
    const root = repository({ '.svc/config.yaml': 'history: { keep: 3 }\n', 'a/b.ts': '' })
    const link = join(folder(), 'link')
    symlinkSync(join(root, 'a'), link)
    const config = await loadConfig(link)
    expect(config.root).toBe(root)
    expect(config.history.keep).toBe(3)
  })

  test('the legacy file is read with a notice, and passed over where the new one stands', async () => {
    const legacy = await loadConfig(repository({ '.guard.yaml': 'history: { keep: 3 }\n' }))
    expect(legacy.history.keep).toBe(3)
    expect(legacy.notices[0]).toContain('svc migrate')
    const both = await loadConfig(
      repository({ '.guard.yaml': 'history: { keep: 3 }\n', '.svc/config.yaml': 'history: { keep: 4 }\n' }),
    )
    expect(both.history.keep).toBe(4)
    expect(both.notices).toEqual([])
  })

  test('a file that is named takes the place of the root file, and must exist', async () => {
    const root = repository({ '.svc/config.yaml': 'history: { keep: 3 }\n', 'ci.yaml': 'gate: { fail_on: [low] }\n' })
    const config = await loadConfig(root, { path: 'ci.yaml' })
    expect([config.history.keep, config.gate.fail_on]).toEqual([200, ['low']])
    const error = await refusal(() => loadConfig(root, { path: 'absent.yaml' }))
    expect([error.code, error.row.exit]).toEqual(['NOT_FOUND', 66])
    expect(error.message).toContain('absent.yaml')
  })

  test('an empty file and sections that are all commented out are valid', async () => {
    for (const text of ['', '# nothing\n', 'gate:\n  # fail_on: [low]\nscan:\n'])
      expect((await loadConfig(repository({ '.svc/config.yaml': text }))).gate.fail_on).toEqual(['critical', 'high'])
  })
})

describe('precedence', () => {
  const file = 'gate: { fail_on: [low] }\nscan: { jobs: 2 }\n'

  test('flags beat the environment, which beats the file, which beats the default', async () => {
    const root = repository({ '.svc/config.yaml': file })
    const env = { SVC_GATE_FAIL_ON: 'medium, high', SVC_JOBS: '3' }
    const config = await loadConfig(root, { env, overrides: { scan: { jobs: 4 } } })
    expect(config.scan.jobs).toBe(4)
    expect(config.gate.fail_on).toEqual(['medium', 'high'])
    expect((await loadConfig(root, { env })).scan.jobs).toBe(3)
    expect((await loadConfig(root)).scan.jobs).toBe(2)
    expect((await loadConfig(repository())).scan.jobs).toBeUndefined()
  })

  test('an empty variable counts as unset, and a bad one is named', async () => {
    const root = repository({ '.svc/config.yaml': file })
    expect((await loadConfig(root, { env: { SVC_JOBS: ' ' } })).scan.jobs).toBe(2)
    const error = await refusal(() => loadConfig(root, { env: { SVC_JOBS: 'many', SVC_PACKS_DETECT: 'maybe' } }))
    const messages = error.faults.map(({ message }) => message)
    expect(messages).toHaveLength(2)
    expect(messages.join()).toContain('SVC_JOBS (scan.jobs) must be a number of threads from 1 to 256, but was "many"')
    expect(messages.join()).toContain('SVC_PACKS_DETECT (packs.detect) must be true or false')
  })

  test('a flag holds in folders too', async () => {
    const root = repository({ '.svc/config.yaml': file, 'a/.svc/config.yaml': 'gate: { fail_on: [info] }\n' })
    const files = ['a/.svc/config.yaml']
    const config = await loadConfig(root, { files, overrides: { gate: { fail_on: ['critical'] } } })
    expect(config.for('a/x.ts').gate.fail_on).toEqual(['critical'])
  })

  test('governance can be loosened neither by a flag nor by a request', async () => {
    const error = await refusal(() =>
      loadConfig(repository(), { overrides: { governance: { profile: 'permissive' }, gate: { fial_on: [] } } }),
    )
    expect(error.faults.map(({ message }) => message).join()).toMatch(/governance cannot be overridden/)
    expect(error.faults).toHaveLength(2)
  })

  test('a profile sets the defaults of decisions, and a key that is written out beats it', async () => {
    const withProfile = async (text: string) => loadConfig(repository({ '.svc/config.yaml': text }))
    const strict = await withProfile('governance: { profile: strict }\n')
    expect(strict.gate.fail_on).toEqual(['critical', 'high', 'medium'])
    expect(strict.governance.human_review_required).toEqual({
      on_critical_finding: true,
      on_auto_patch_above: 'none',
      on_config_change: true,
      on_dependency_add: true,
    })
    const standard = await withProfile('governance: { profile: standard }\n')
    expect(standard.gate.fail_on).toEqual(['critical', 'high'])
    expect(standard.governance.human_review_required.on_critical_finding).toBe(true)
    expect(standard.governance.human_review_required.on_config_change).toBe(false)
    expect(standard.governance.human_review_required.on_auto_patch_above).toBe('low')
    const permissive = await withProfile('governance: { profile: permissive }\n')
    expect(permissive.gate.fail_on).toEqual(['critical'])
    expect(permissive.governance.human_review_required.on_critical_finding).toBe(false)
    expect(permissive.governance.human_review_required.on_auto_patch_above).toBe('medium')
    const explicit = await withProfile(
      'governance: { profile: permissive, human_review_required: { on_auto_patch_above: none } }\ngate: { fail_on: [info] }\n',
    )
    expect(explicit.gate.fail_on).toEqual(['info'])
    expect(explicit.governance.human_review_required.on_auto_patch_above).toBe('none')
  })
})

describe('the configuration as data', () => {
  test('it survives JSON and a structured clone, without what stands beside it', async () => {
    const config = await loadConfig(repository({ '.svc/config.yaml': 'scan: { jobs: 2 }\n' }))
    expect(JSON.parse(JSON.stringify(config))).toEqual(structuredClone(config))
    expect(Object.keys(config)).not.toContain('root')
    expect(structuredClone(config).scan.jobs).toBe(2)
  })

  test('the digest depends on what is said, not on the order or on defaults that are written out', async () => {
    const of = async (text: string, files: Record<string, string> = {}) =>
      computeConfigDigest(
        await loadConfig(repository({ '.svc/config.yaml': text, ...files }), { files: Object.keys(files) }),
      )
    const base = await of('scan: { jobs: 2 }\ngate: { fail_on: [low] }\n')
    expect(base).toMatch(/^[0-9a-f]{64}$/)
    expect(await of('gate: { fail_on: [low] }\nhistory: { keep: 200 }\nscan: { jobs: 2 }\n')).toBe(base)
    expect(await of('scan: { jobs: 3 }\ngate: { fail_on: [low] }\n')).not.toBe(base)
    const nested = await of('scan: { jobs: 2 }\ngate: { fail_on: [low] }\n', {
      'a/.svc/config.yaml': 'packs: { detect: false }\n',
    })
    expect(nested).not.toBe(base)
  })
})
