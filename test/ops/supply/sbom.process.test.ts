import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import sbom from '../../../engine/ops/supply/sbom.ts'
import { makeOut } from '../../../engine/sources/store/layout.ts'
import { context, refusal, view } from '../../made/call.ts'
import { project } from '../../made/project.ts'

const DEFAULTS = { format: 'cyclonedx', encoding: 'json', list: false } as const
const LOCK =
  '{"lockfileVersion":3,"packages":{"":{"name":"x","dependencies":{"a":"1"}},"node_modules/a":{"version":"1.0.0"}}}'

describe('svc sbom', () => {
  it('writes out/sbom.json, and the same bytes again', async () => {
    const root = project({ 'package-lock.json': LOCK })
    const env = { SOURCE_DATE_EPOCH: '1700000000' }
    const read = async () => {
      await sbom.run({ ...DEFAULTS }, context(root, { env }))
      return readFileSync(join(root, 'out/sbom.json'), 'utf8')
    }
    const first = await read()
    expect(await read()).toBe(first)
    expect(JSON.parse(first)).toMatchObject({
      ...{ specVersion: '1.6', metadata: { timestamp: '2023-11-14T22:13:20.000Z', component: { name: 'x' } } },
      components: [{ name: 'a', version: '1.0.0', purl: 'pkg:npm/a@1.0.0', scope: 'required' }],
    })
  })

  it('makes an output directory that later commands take for their own', async () => {
    const root = project({ 'package-lock.json': LOCK })
    await sbom.run({ ...DEFAULTS }, context(root))
    expect(() => makeOut(join(root, 'out'))).not.toThrow()
  })

  it('exits with 1 and names the file where a lock file cannot be read', async () => {
    const root = project({
      'package-lock.json': LOCK.slice(0, 60),
      'go.mod': 'module m\nrequire example.org/a v1.0.0\n',
    })
    const output = await sbom.run({ ...DEFAULTS }, context(root))
    expect(sbom.exit!(output)).toBe(1)
    expect(output).toMatchObject({ complete: false, components: 1 })
    expect(sbom.text(output, view)).toContain('package-lock.json:1')
  })

  it('passes its own check, and fails a document whose dependencies lead nowhere', async () => {
    const root = project({ 'package-lock.json': LOCK })
    await sbom.run({ ...DEFAULTS, output: 'a.json' }, context(root))
    expect(sbom.exit!(await sbom.run({ ...DEFAULTS, check: 'a.json' }, context(root)))).toBe(0)
    const document = JSON.parse(readFileSync(join(root, 'a.json'), 'utf8'))
    document.components = []
    const changed = project({ 'b.json': JSON.stringify(document) })
    const judged = await sbom.run({ ...DEFAULTS, check: 'b.json' }, context(changed))
    expect(sbom.exit!(judged)).toBe(1)
    expect(judged.faults).toContainEqual(expect.objectContaining({ kind: 'reference', at: 'pkg:npm/a@1.0.0' }))
  })

  it('refuses a version that a format has not, and a file that is no JSON', async () => {
    const root = project({ 'a.txt': 'x' })
    expect((await refusal(() => sbom.run({ ...DEFAULTS, spec_version: '9' }, context(root)))).code).toBe(
      'INPUT_INVALID',
    )
    expect((await refusal(() => sbom.run({ ...DEFAULTS, check: 'a.txt' }, context(root)))).code).toBe('INPUT_INVALID')
    expect((await refusal(() => sbom.run({ ...DEFAULTS, check: 'missing' }, context(root)))).code).toBe('NOT_FOUND')
  })
})
