import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CACHE_FOLDER } from '../../engine/scan/cache-folder.ts'
import { perform } from '../../engine/scan/perform.ts'
import { persist } from '../../engine/scan/persist.ts'
import { surface } from '../made/call.ts'
import { project } from '../made/project.ts'
import { wordRule } from '../made/rules.ts'

test('a kept file of the cache that was changed is made anew, and that is said once', async () => {
  const root = project({ ...wordRule('frobnicate'), 'a.txt': 'frobnicate\n', 'b.txt': 'fine\n' })
  const home = mkdtempSync(join(tmpdir(), 'svc-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const scan = async () => {
    const { context, notices } = surface(root, { env: { HOME: home } })
    await persist(await perform({ repo_path: '.' }, context), context)
    return notices.filter(text => text.includes('was modified since'))
  }
  await scan()
  expect(await scan()).toEqual([])
  const kept = readdirSync(join(root, CACHE_FOLDER)).filter(name => /\.kept$|^files\.parquet$/.test(name))
  expect(kept).toContain('files.parquet')
  expect(kept.some(name => name.endsWith('.kept'))).toBe(true)
  for (const name of kept) {
    appendFileSync(join(root, CACHE_FOLDER, name), 'x')
    const said = await scan()
    expect([name, said.length]).toEqual([name, 1])
    expect(said[0]).toContain(`${CACHE_FOLDER}/${name}`)
    for (let more = await scan(), left = 2; more.length > 0; more = await scan()) expect(left--).toBeGreaterThan(0)
  }
})
