import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Run } from '../../../engine/base/records/run.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { wordRule } from '../../made/rules.ts'
import { git, SMALL, withOwnRules } from '../../scan/shard-project.ts'

// What is refused, and why, is a matter of the shards and not of the rules.
const { merged, scanned, shards } = withOwnRules

describe('merging', () => {
  /** Two shards of a small repository, brought to a folder of the checkout that git does not ignore. */
  async function brought() {
    const root = project(SMALL)
    await shards(root, 2)
    renameSync(join(root, 'out'), join(root, 'brought'))
    rmSync(join(root, 'brought/.gitignore'))
    return root
  }

  test('takes a folder that holds the shards, and never scans it', async () => {
    const root = await brought()
    const answer = await merged(root, ['brought'])
    const run = answer.run as Run
    expect(run.counts.files).toBe(5)
    expect(JSON.stringify([answer.findings, run.skipped])).not.toContain('brought')
  })

  test('names what is missing, with the command that makes it', async () => {
    const root = await brought()
    await expect(merged(root, ['brought/shard-2-of-2'])).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Shard 1 of 2 is missing.',
      hint: expect.stringContaining('svc scan --shard 1/2'),
    })
    await expect(merged(root, ['nowhere'])).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('nowhere'),
    })
    mkdirSync(join(root, 'empty'))
    await expect(merged(root, ['empty'])).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(existsSync(join(root, 'out'))).toBe(false)
  })

  test('refuses a shard that is there twice, and shards of different numbers', async () => {
    const root = await brought()
    cpSync(join(root, 'brought/shard-1-of-2'), join(root, 'again'), { recursive: true })
    await expect(merged(root, ['brought', 'again'])).rejects.toThrow(
      'Shard 1 of 2 is present twice: brought/shard-1-of-2 and again.',
    )
    const [third] = await shards(root, 3)
    await expect(merged(root, ['brought/shard-1-of-2', third!])).rejects.toThrow('one of 3 shards')
  })

  test.each<[string, RegExp, (root: string) => void]>([
    [
      'commit',
      /another commit than .*: [0-9a-f]{12}, not [0-9a-f]{12}/,
      root => git(root, 'commit', '-q', '--allow-empty', '-m', 'more'),
    ],
    [
      'configuration',
      /another configuration/,
      root => write(root, { '.svc/config.yaml': 'severity_rescoring_enabled: true\n' }),
    ],
    ['rule', /other rules/, root => write(root, wordRule('frobnicate', 'severity: low'))],
  ])('refuses shards of different %ss, and shards of another one than the checkout', async (_, message, change) => {
    const root = project({ ...SMALL, '.svc/config.yaml': 'severity_rescoring_enabled: false\n' })
    const [first, second] = await shards(root, 2)
    renameSync(join(root, first!), join(root, 'out/kept'))
    change(root)
    await shards(root, 2)
    await expect(merged(root, ['out/kept', second!])).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(message),
    })

    const other = project({ ...SMALL, '.svc/config.yaml': 'severity_rescoring_enabled: false\n' })
    const folders = await shards(other, 2)
    change(other)
    await expect(merged(other, folders)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('checkout'),
    })
  })

  test('does not mind how many threads a shard had, nor how much history is kept', async () => {
    const root = project(SMALL)
    await scanned(root, { shard: '1/2' }, { SVC_JOBS: '1', SVC_HISTORY_KEEP: '3' })
    await scanned(root, { shard: '2/2' }, { SVC_JOBS: '2' })
    expect((await merged(root, ['out'])).total).toBe(1)
  })

  test.each<[string, RegExp, (root: string) => void]>([
    ['has a file more', /d\.py is in this checkout and in no shard/, root => write(root, { 'd.py': 'pass\n' })],
    ['has a file less', /b\.py is in .* and not in this checkout/, root => rmSync(join(root, 'b.py'))],
    ['has another file', /b\.py differs/, root => write(root, { 'b.py': 'frobnicate()\n' })],
  ])('refuses a checkout that %s, and names it', async (_, message, change) => {
    const root = project(SMALL)
    const folders = await shards(root, 2)
    change(root)
    await expect(merged(root, folders)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(message),
    })
  })

  test('refuses a damaged shard, and stores nothing', async () => {
    const root = await brought()
    const manifest = join(root, 'brought/shard-1-of-2/shard.json')
    const content = join(root, 'brought/shard-2-of-2/files.jsonl')
    const [manifestText, contentText] = [readFileSync(manifest, 'utf8'), readFileSync(content, 'utf8')]
    const damaged = { code: 'STORE_UNREADABLE', message: expect.stringContaining('brought/shard-') }
    writeFileSync(content, contentText.slice(0, -20))
    await expect(merged(root, ['brought'])).rejects.toMatchObject(damaged)
    rmSync(content)
    await expect(merged(root, ['brought'])).rejects.toMatchObject(damaged)
    writeFileSync(content, contentText)
    writeFileSync(manifest, manifestText.slice(0, 40))
    await expect(merged(root, ['brought'])).rejects.toMatchObject(damaged)
    writeFileSync(manifest, manifestText.replace(/"format": \d+/, '"format": 99'))
    await expect(merged(root, ['brought'])).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('version'),
    })
    expect(existsSync(join(root, 'out'))).toBe(false)
  })
})

describe('a shard that travelled', () => {
  const KEY = 'k'.repeat(32)
  const edit = (root: string, folder: string) => {
    const path = join(root, folder, 'files.jsonl')
    const lines = readFileSync(path, 'utf8').replace(/"matches":\[.*?\}\]/g, '"matches":[]')
    writeFileSync(path, lines)
    const manifest = join(root, folder, 'shard.json')
    const sha256 = createHash('sha256').update(lines).digest('hex')
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"sha256": "\w+"/, `"sha256": "${sha256}"`))
  }
  const unseal = (root: string, folder: string, key?: string) => {
    const path = join(root, folder, 'shard.json')
    const { seal, ...manifest } = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify(key ? { ...manifest, seal: { ...seal, key_id: key } } : manifest))
  }

  test('is refused where it was emptied on the way and its checksum computed again', async () => {
    const root = project(SMALL)
    const [first, second] = await shards(root, 2)
    for (const folder of [first!, second!]) edit(root, folder)
    await expect(merged(root, [first!, second!])).rejects.toThrow('it was modified since it was sealed')
  })

  test('is refused without the seal where the machines have a common key', async () => {
    const root = project(SMALL)
    for (const shard of ['1/2', '2/2']) await scanned(root, { shard }, { SVC_CACHE_KEY: KEY })
    const folders = ['out/shard-1-of-2', 'out/shard-2-of-2']
    const together = () => merged(root, folders, {}, { SVC_CACHE_KEY: KEY })
    expect((await together()).run).toMatchObject({ notices: [] })
    unseal(root, folders[0]!)
    await expect(together()).rejects.toThrow('out/shard-1-of-2 is not sealed with SVC_CACHE_KEY')
  })

  test('is merged where no common key can tell, and the run says that it is not authenticated', async () => {
    const root = project(SMALL)
    const [first, second] = await shards(root, 2)
    unseal(root, first!, '0123456789abcdef')
    const { run } = await merged(root, [first!, second!])
    expect((run as Run).notices).toMatchObject([{ kind: 'shards_not_authenticated', file: first }])
  })
})
