import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, place, refused, register, type Who } from './governed.ts'

const AGENT: Who = { marker: 'CLAUDECODE' }
/** What weakens the judgement of changes, with an input that does. */
const WEAKENING: [string, object][] = [
  ['packs.manage', { action: 'disable', pack_id: 'javascript-typescript' }],
  ['packs.remove', { id: 'javascript-typescript' }],
  ['packs.override', { id: 'secrets', overrides: {} }],
  ['config.exclude', { paths: ['src'] }],
  ['config.init', { force: true }],
  ['config.update', { set: { scan_exclude: ['src'] } }],
  ['findings.suppress', { rule: 'js-dom-code-from-page', reason: 'known' }],
  ['scan.run', { update_baseline: true }],
  ['scan.merge', { folders: ['x'], update_baseline: true }],
  ['packs.import', { file: 'x.yaml', overwrite: true }],
  ['packs.delete', { id: 'ours' }],
  ['specs.import', { file: 'api.yaml', overwrite: true }],
  ['hook.uninstall', {}],
]

const configOf = (root: string) => {
  const file = join(root, '.svc/config.yaml')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

describe('where nothing is governed', () => {
  it.each(WEAKENING)('%s is refused to a coding agent, and nothing is written', async (id, input) => {
    const where = place()
    const error = await refused(where, AGENT, id, input)
    expect([error.code, error.hint]).toEqual(['FORBIDDEN', 'Ask a user to run it at a terminal.'])
    expect([configOf(where.root), existsSync(join(where.root, '.svc'))]).toEqual([undefined, false])
  })

  it('the MCP tool is refused whatever the environment says, and what strengthens is not', async () => {
    const where = place()
    const mcp = { surface: 'mcp' as const }
    const disable = call(where, 'nobody', 'packs.manage', { action: 'disable', pack_id: 'python' }, mcp)
    await expect(disable).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const enabled = await call(where, 'nobody', 'packs.manage', { action: 'enable', pack_id: 'python' }, mcp)
    expect(enabled.output.enabled).toBe(true)
  })

  it('a person and a script do it', async () => {
    const where = place()
    for (const who of ['person', 'nobody'] as const) await call(where, who, 'config.exclude', { paths: ['doc'] })
    expect(configOf(where.root)).toContain('doc')
  })
})

describe('where it is governed', () => {
  it('an agent of trust admin needs an approval, which is recorded, and a person needs none', async () => {
    const where = place('agent_defaults: { trust_by_agent: { builder: admin } }\n')
    const agent = await register(where, 'builder')
    const input = { action: 'disable', pack_id: 'javascript-typescript' }
    expect((await refused(where, agent, 'packs.manage', input)).code).toBe('APPROVAL_NEEDED')
    expect(configOf(where.root)).not.toContain('disable')
    const { output } = await call(where, 'person', 'audit.list', {})
    expect(JSON.stringify(output)).toContain('packs.manage')
    await call(where, 'person', 'packs.remove', { id: 'javascript-typescript' })
    expect(configOf(where.root)).toContain('disable')
  })
})
