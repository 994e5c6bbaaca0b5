import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CACHE_FOLDER } from '../../engine/scan/cache-folder.ts'
import { perform } from '../../engine/scan/perform.ts'
import { persist } from '../../engine/scan/persist.ts'
import { openSeal } from '../../engine/sources/state/cache-seal.ts'
import { refusal, surface } from '../made/call.ts'
import { project } from '../made/project.ts'
import { OWN_RULES, wordRule } from '../made/rules.ts'

const KEY = 'k'.repeat(32)

/** A home of its own for a machine. */
function machine(): Record<string, string> {
  const home = mkdtempSync(join(tmpdir(), 'svc-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return { HOME: home }
}

async function scan(root: string, env: Record<string, string>, more: object = {}) {
  const { context } = surface(root, { env: OWN_RULES })
  const performed = await perform({ repo_path: '.', ...more }, { ...context, env })
  if (!('dry_run' in more)) await persist(performed, { ...context, env })
  const { run, findings } = performed
  return {
    hits: run.cache.hits,
    found: findings.map(({ file }) => file),
    notices: run.notices.map(({ kind }) => kind),
    detail: run.notices[0]?.detail ?? '',
  }
}

const files = () => project({ ...wordRule('frobnicate'), 'a.txt': 'frobnicate\n', 'b.txt': 'clean\n' })
const cacheFile = (root: string, name = 'scan.cache') => join(root, CACHE_FOLDER, name)

/** Empties the cache of what was found and computes every plain checksum again, as whoever reads the source of svc can. */
function empty(root: string): void {
  const bytes = readFileSync(cacheFile(root))
  const seal = bytes.subarray(-64)
  const text = bytes.subarray(0, -96).toString('latin1')
  const header = JSON.parse(text.slice(0, text.indexOf('\n')))
  const [paths, oids, extra, releases] = header.texts
  const end = text.length - releases
  const extras = text.slice(end - extra, end)
  const emptied = JSON.stringify((JSON.parse(extras) as [number, object][]).map(([row]) => [row, { matches: [] }]))
  const head = JSON.stringify({ ...header, texts: [paths, oids, emptied.length, releases] })
  const before = text.slice(text.indexOf('\n'), end - extra)
  const body = Buffer.from(`${head}${before}${emptied}${text.slice(end)}`, 'latin1')
  writeFileSync(cacheFile(root), Buffer.concat([body, createHash('sha256').update(body).digest(), seal]))
}

describe('a cache', () => {
  test('that was emptied of matches, its checksum computed again, is scanned anew, and that is said', async () => {
    const [root, env] = [files(), machine()]
    await scan(root, env)
    empty(root)
    const after = await scan(root, env)
    expect(after).toMatchObject({ hits: 0, found: ['a.txt'], notices: ['cache_refused'] })
    expect(after.detail).toMatch(/not sealed with the key of this user, or was changed since/)
    expect(await scan(root, env)).toMatchObject({ hits: 3, found: ['a.txt'], notices: [] })
  })

  test('whose memory of the listing was edited is not used for that, and it is said', async () => {
    const [root, env] = [files(), machine()]
    await scan(root, env)
    const path = cacheFile(root, 'listing.json')
    const [, text] = readFileSync(path, 'utf8').split('\n') as [string, string]
    const edited = text.replace('"loose":[', '"loose":[ ')
    writeFileSync(path, `${createHash('sha256').update(edited).digest('hex')}\n${edited}`)
    expect(await scan(root, env)).toMatchObject({ found: ['a.txt'], notices: ['cache_refused'] })
    expect((await scan(root, env)).notices).toEqual([])
  })

  test("of another user's key is not used, and one of a given key is on every machine that has it", async () => {
    const root = files()
    await scan(root, machine())
    expect(await scan(root, machine())).toMatchObject({ hits: 0, notices: ['cache_refused'] })
    await scan(root, { ...machine(), SVC_CACHE_KEY: KEY })
    expect(await scan(root, { ...machine(), SVC_CACHE_KEY: KEY })).toMatchObject({ hits: 3, notices: [] })
    const other = await scan(root, { ...machine(), SVC_CACHE_KEY: `${KEY}!` })
    expect([other.hits, other.detail]).toEqual([0, expect.stringContaining('SVC_CACHE_KEY')])
  })

  test('is neither written nor believed where no key can be made, and that is said', async () => {
    const root = files()
    const env = { HOME: '/nonexistent' }
    expect(await scan(root, env)).toMatchObject({ hits: 0, found: ['a.txt'], notices: ['cache_not_kept'] })
    expect(await scan(root, env)).toMatchObject({ hits: 0, found: ['a.txt'] })
    expect(() => statSync(cacheFile(root))).toThrow()
    expect(() => statSync('/nonexistent')).toThrow()
  })
})

describe('the key', () => {
  test('is made once, for its owner alone', () => {
    const env = machine()
    const first = openSeal(env)!
    expect(openSeal(env)!.key_id).toBe(first.key_id)
    expect(statSync(join(env.HOME!, '.local/state/svc/cache.key')).mode & 0o777).toBe(0o600)
  })

  test('is not made by what only reads', async () => {
    const env = machine()
    expect(openSeal(env, true)).toBeUndefined()
    expect((await scan(files(), env, { dry_run: true })).notices).toEqual([])
    expect(() => statSync(join(env.HOME!, '.local'))).toThrow()
  })

  test('is refused where it could be guessed', async () => {
    const error = await refusal(() => openSeal({ SVC_CACHE_KEY: 'short' }))
    expect([error.code, error.message]).toEqual(['CONFIG_INVALID', 'SVC_CACHE_KEY must have at least 16 characters.'])
  })

  test('signs each kind of content apart', () => {
    const seal = openSeal({ SVC_CACHE_KEY: KEY })!
    const signature = seal.sign('scan.cache', 'ab')
    expect(seal.verify('scan.cache', 'ab', signature)).toBe(true)
    expect(seal.verify('listing.json', 'ab', signature)).toBe(false)
    expect(seal.verify('scan.cache', 'ac', signature)).toBe(false)
    expect(seal.verify('scan.cache', 'ab', '')).toBe(false)
  })
})
