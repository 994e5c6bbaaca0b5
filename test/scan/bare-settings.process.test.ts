import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { renewBaseline } from '../../engine/findings/renew.ts'
import { decideOn } from '../../engine/gate/verdict.ts'
import { perform, type ScanInput } from '../../engine/scan/perform.ts'
import { surface } from '../made/call.ts'
import { write } from '../made/folder.ts'
import { commit } from '../made/git.ts'
import { project } from '../made/project.ts'
import { wordRule } from '../made/rules.ts'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true })
})

/** A bare clone of a repository with these files in its HEAD. */
function bareClone(root: string): string {
  const bare = `${root}-bare`
  execFileSync('git', ['clone', '-q', '--bare', root, bare], { stdio: 'pipe' })
  made.push(bare)
  return bare
}

/** What a scan of the bare repository finds with the rule of HEAD, and what it says. */
async function scanned(bare: string, input: Partial<ScanInput> = {}) {
  const told = surface(bare)
  const performed = await perform({ repo_path: '.', ...input }, told.context)
  const local = performed.findings.filter(({ file, pack_id }) => file.endsWith('.py') && pack_id !== 'supply')
  return { performed, found: local.map(({ file, status }) => `${file} ${status}`), notices: told.notices }
}

const FILES = { ...wordRule('frobnicate'), 'a.py': 'frobnicate()\n', 'legacy/b.py': 'frobnicate()\n' }

describe('a scan of a bare repository', () => {
  test('excludes what the configuration in HEAD excludes', async () => {
    const root = project({ ...FILES, '.svc/config.yaml': 'scan_exclude: [legacy]\n' })
    expect((await scanned(bareClone(root))).found).toEqual(['a.py open'])
  })

  test('applies the configuration of a directory', async () => {
    const root = project({ ...FILES, 'legacy/.svc/config.yaml': 'scan_exclude: [b.py]\n' })
    expect((await scanned(bareClone(root))).found).toEqual(['a.py open'])
  })

  test('applies the suppressions of HEAD', async () => {
    const suppression = '- { rule: local-frobnicate, file: legacy/**, reason: replaced in autumn }\n'
    const root = project({ ...FILES, '.svc/suppressions.yaml': suppression })
    expect((await scanned(bareClone(root))).found).toEqual(['a.py open', 'legacy/b.py suppressed'])
  })

  test('accepts a comment that suppresses, which no change has added', async () => {
    const root = project({
      ...wordRule('frobnicate'),
      'a.py': '# svc-ignore: local-frobnicate -- the name of a machine\nfrobnicate()\n',
    })
    const { performed, found } = await scanned(bareClone(root), { is_gate: true })
    expect(new Set(found)).toEqual(new Set(['a.py suppressed']))
    expect(decideOn(performed).reasons).toEqual([])
  })

  test('passes the gate where the baseline of HEAD has the findings', async () => {
    const root = project(FILES)
    renewBaseline(await perform({ repo_path: '.', update_baseline: true }, surface(root).context))
    commit(root)
    const { performed, found } = await scanned(bareClone(root), { is_gate: true })
    expect(found).toEqual(['a.py baseline', 'legacy/b.py baseline'])
    expect(decideOn(performed).passed).toBe(true)
  })

  test('rejects an invalid configuration in HEAD', async () => {
    const root = project({ ...FILES, '.svc/config.yaml': 'scan_exlude: [legacy]\n' })
    await expect(scanned(bareClone(root))).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  test('says that settings beside the objects are ignored', async () => {
    const bare = bareClone(project(FILES))
    write(bare, { '.svc/config.yaml': 'scan_exclude: [legacy]\n' })
    const { found, notices } = await scanned(bare)
    expect(found).toEqual(['a.py open', 'legacy/b.py open'])
    expect(notices.join('\n')).toContain('.svc/config.yaml')
  })

  test('uses a configuration that is named', async () => {
    const bare = bareClone(project(FILES))
    const config = join(bare, '..', `${bare.split('/').at(-1)}.yaml`)
    writeFileSync(config, 'scan_exclude: [legacy]\n')
    made.push(config)
    expect((await scanned(bare, { config })).found).toEqual(['a.py open'])
  })

  test('refuses to update a baseline that no commit would get', async () => {
    const bare = bareClone(project(FILES))
    await expect(scanned(bare, { update_baseline: true })).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  })
})
