import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { renewBaseline } from '../../engine/findings/renew.ts'
import { writeCacheFile } from '../../engine/scan/cache-file.ts'
import { CACHE_FOLDER } from '../../engine/scan/cache-folder.ts'
import { CacheTable } from '../../engine/scan/cache-table.ts'
import { computeChecksum, readMemory, writeMemory } from '../../engine/scan/listing-memory.ts'
import { perform } from '../../engine/scan/perform.ts'
import { persist } from '../../engine/scan/persist.ts'
import { openSeal } from '../../engine/sources/state/cache-seal.ts'
import { surface } from '../made/call.ts'
import { write } from '../made/folder.ts'
import { project } from '../made/project.ts'
import fc from '../made/property.ts'
import { OWN_RULES, policy, wordRule } from '../made/rules.ts'
import { expectSame } from '../made/same.ts'

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root, stdio: 'pipe' })

/** A scan that is stored, as `svc scan` does it: what it came to, id and times aside, the files as they are stored, and how many were not listed one by one. */
async function stored(root: string, cache = true, env = OWN_RULES) {
  const { context } = surface(root, { env })
  const performed = await perform({ repo_path: '.', cache }, context)
  await persist(performed, context)
  const { id, started_at: _s, finished_at: _f, duration_ms: _d, follows: _o, cache: counts, ...record } = performed.run
  const parquet = readFileSync(join(root, 'out/history', id, 'files.parquet')).toString('base64')
  // Of a cache that was not used, only the scan that would have used it speaks.
  record.notices = record.notices.filter(({ kind }) => kind !== 'cache_refused')
  const { findings, files, kept, listed } = performed
  const paths = listed().map(({ path }) => path)
  const { tool, taxonomies } = JSON.parse(readFileSync(join(root, 'out/report.sarif'), 'utf8')).runs[0]
  tool.driver.notifications = tool.driver.notifications?.filter(({ id }: { id: string }) => id !== 'cache_refused')
  const told = { tool, taxonomies, packs: JSON.parse(readFileSync(join(root, 'out/packs.json'), 'utf8')).packs }
  return { outcome: { record, findings, files: files.all(), paths, parquet, told }, kept: kept?.count, counts }
}

/** Fails where what is kept makes a difference. */
async function agrees(root: string) {
  const warm = await stored(root)
  expectSame(warm.outcome, (await stored(root, false)).outcome)
  return warm
}

const sources = {
  ...wordRule('frobnicate'),
  ...policy('local-license', 'required_file: LICENSE', 'other', 'LICENSE'),
  ...policy('local-dump', 'forbidden_file: true', 'a.dump', 'a.txt', "files: ['**/*.dump']"),
  'a.txt': 'frobnicate\n',
  'b.py': 'x = 1\n',
  'dir/c.txt': 'clean\n',
  'dir/d.js': 'f(1)\n',
  'empty.txt': '',
  'e.bin': new Uint8Array([0, 1, 2, 0]),
}
const scanned = async (more: Record<string, string> = {}, env = OWN_RULES) => {
  const root = project({ ...sources, ...more })
  await stored(root, true, env)
  return root
}

/** What is done between two scans, beside changes of files. */
const CHANGES: Record<string, (root: string) => void> = {
  'a file that is gone': root => rmSync(join(root, 'dir/c.txt')),
  'the only file of its language gone': root => rmSync(join(root, 'b.py')),
  'a link in place of a file': root => {
    rmSync(join(root, 'dir/c.txt'))
    symlinkSync('../a.txt', join(root, 'dir/c.txt'))
  },
  'an untracked link to a kept file': root => symlinkSync('dir', join(root, 'to-dir')),
  'a folder in place of a file': root => {
    rmSync(join(root, 'a.txt'))
    write(root, { 'a.txt/x.txt': 'frobnicate\n' })
  },
  'a file that is no longer empty': root => write(root, { 'empty.txt': 'x\n' }),
  'a file of another language by its first line': root => write(root, { run: '#!/usr/bin/env python3\n' }),
  'a rule': root => write(root, wordRule('frobnicate', 'severity: low')),
  'what a rule says': root => write(root, wordRule('frobnicate', 'references: [https://example.com/words]')),
  'the severity of a rule that comes with svc': root =>
    write(root, { '.svc/config.yaml': 'packs: { overrides: { js-angular-trust-bypass: { severity: info } } }\n' }),
  'another rule': root => write(root, wordRule('clean')),
  'a file that a rule wants, and one that it does not': root => write(root, { LICENSE: 'x\n', 'core.dump': 'x\n' }),
  'the limits': root => write(root, { '.svc/config.yaml': 'scan: { max_file_bytes: 8 }\n' }),
  'an excluded path': root => write(root, { '.svc/config.yaml': 'scan_exclude: [a.txt]\n' }),
  'another framework': root => write(root, { '.svc/config.yaml': 'packs: { enable: [hipaa-security-rule] }\n' }),
  'the configuration of a folder': root => write(root, { 'dir/.svc/config.yaml': 'scan_exclude: [dir/c.txt]\n' }),
  'a suppression': root =>
    write(root, { '.svc/suppressions.yaml': '- rule: local-frobnicate\n  file: a.txt\n  reason: a brand\n' }),
  'a mark': root => write(root, { '.gitattributes': 'a.txt linguist-vendored\n' }),
  'a mark that is not for sharing': root => write(root, { '.git/info/attributes': 'a.txt linguist-generated\n' }),
  'an ignored file': root => write(root, { '.gitignore': 'a.txt\nnew*\n', 'new.txt': 'frobnicate\n' }),
  'a file that git is told not to look at': root => {
    git(root, 'update-index', '--assume-unchanged', 'dir/c.txt')
    write(root, { 'dir/c.txt': 'frobnicate\n' })
  },
  'a file that is staged': root => {
    write(root, { 'dir/c.txt': 'frobnicate\n' })
    git(root, 'add', '-A')
  },
  'a repository within': root => {
    mkdirSync(join(root, 'inner'))
    git(join(root, 'inner'), 'init', '-q')
    write(root, { 'inner/x.txt': 'frobnicate\n' })
  },
  'another branch': root => git(root, 'checkout', '-q', '-b', 'other'),
  'no branch': root => git(root, 'checkout', '-q', '--detach'),
}

describe('the scan after a scan', () => {
  test('lists only what has changed since, and comes to the same', async () => {
    const root = await scanned()
    write(root, { 'dir/c.txt': 'frobnicate now\n' })
    const { kept, counts } = await agrees(root)
    expect(kept).toBe(8)
    expect(counts).toEqual({ hits: 8, misses: 1 })
  })

  test('lists what was changed and is no longer, and what comes and goes untracked', async () => {
    const root = await scanned()
    const before = readFileSync(join(root, 'b.py'))
    write(root, { 'b.py': '# frobnicate\n', 'dir/a-new.txt': 'frobnicate\n', 'zz.js': 'x\n' })
    expect((await agrees(root)).kept).toBe(8)
    writeFileSync(join(root, 'b.py'), before)
    rmSync(join(root, 'zz.js'))
    expect((await agrees(root)).kept).toBeGreaterThanOrEqual(8)
  })

  test('looks into a file again whose size and times are as they were', async () => {
    const root = await scanned({ ...wordRule('wibblesome'), 'b.py': '# frobnicate\n' })
    const { atime, mtime } = statSync(join(root, 'b.py'))
    write(root, { 'b.py': '# wibblesome\n' })
    utimesSync(join(root, 'b.py'), atime, mtime)
    const { outcome } = await agrees(root)
    const found = outcome.findings.filter(({ file }) => file === 'b.py')
    expect(found.map(({ rule_id }) => rule_id)).toEqual(['local-wibblesome'])
  })

  test('goes on from what is kept for several scans, and from a commit lists everything once', async () => {
    const root = await scanned()
    for (const n of [1, 2, 3]) {
      write(root, { 'a.txt': `frobnicate ${n}\n` })
      expect((await agrees(root)).kept).toBe(8)
    }
    git(root, 'commit', '-qam', 'second')
    expect((await agrees(root)).kept).toBeUndefined()
    expect((await agrees(root)).kept).toBe(9)
  })

  test.each(Object.entries(CHANGES))('sees %s', async (what, change) => {
    const env = /svc|framework/.test(what) ? {} : OWN_RULES
    const root = await scanned({}, env)
    change(root)
    const warm = await stored(root, true, env)
    expectSame(warm.outcome, (await stored(root, false, env)).outcome)
    expectSame((await stored(root, true, env)).outcome, warm.outcome, 'once more')
  })

  test.each(['LICENSE', 'core.dump', 'dir/c.txt', 'SECURITY.md'])(
    'misses what is wanted, or shows that a rule has files, where the one kept file that did is gone: %s',
    async gone => {
      const root = await scanned({ LICENSE: 'x\n', 'core.dump': 'x\n', 'SECURITY.md': '# x\n' })
      rmSync(join(root, gone))
      expect((await agrees(root)).kept).toBe(11)
    },
  )

  test('holds findings by the baseline as before, and tells of its entries', async () => {
    const root = await scanned()
    const { context } = surface(root, { env: OWN_RULES })
    renewBaseline(await perform({ repo_path: '.', update_baseline: true }, context))
    git(root, 'add', '-A')
    git(root, 'commit', '-qm', 'held')
    await stored(root)
    write(root, { 'b.py': '# frobnicate\n', 'a.txt': 'no more\n' })
    const { kept, outcome } = await agrees(root)
    expect(kept).toBeGreaterThan(0)
    expect(outcome.record.notices.map(({ kind }) => kind)).toContain('baseline_stale')
    expect(outcome.findings.map(({ file, status }) => [file, status])).toEqual([
      ['LICENSE', 'baseline'],
      ['b.py', 'open'],
    ])
  })

  test('writes what reports say of the rules anew where what was kept of it is damaged or gone', async () => {
    // With the rules that come with svc too, of which there are the most texts.
    const root = await scanned({}, {})
    const { outcome } = await stored(root, true, {})
    const paths = ['sarif-rules.kept', 'rule-traces.kept'].map(name => join(root, CACHE_FOLDER, name))
    const whole = paths.map(path => readFileSync(path))
    const damages: ((bytes: Buffer) => Buffer | string | undefined)[] = [
      bytes => bytes.subarray(0, -9),
      bytes => bytes.toString().replace('high', 'info!'),
      () => '',
      () => undefined,
    ]
    for (const damage of damages) {
      paths.forEach((path, index) => {
        const left = damage(whole[index]!)
        if (left === undefined) rmSync(path)
        else writeFileSync(path, left)
      })
      expectSame((await stored(root, true, {})).outcome.told, outcome.told)
      expectSame(
        paths.map(path => readFileSync(path)),
        whole,
      )
    }
  })

  test('takes what is kept of the rules from no cache that a repository may have brought', async () => {
    const root = await scanned()
    const { outcome } = await stored(root)
    for (const name of ['sarif-rules.kept', 'rule-traces.kept']) {
      const path = join(root, CACHE_FOLDER, name)
      const [head, text] = readFileSync(path, 'utf8').split('\n') as [string, string]
      const forged = text.replace('"high"', '"info"')
      writeFileSync(path, `${head.split(' ')[0]} ${computeChecksum(forged)}\n${forged}`)
      rmSync(join(root, CACHE_FOLDER, 'listing.json'))
      expectSame((await stored(root)).outcome.told, outcome.told)
      expect(readFileSync(path, 'utf8')).toBe(`${head}\n${text}`)
    }
  })

  test('lists everything where what is kept was damaged, and leaves it whole again', async () => {
    const damages: [name: string, damage: (bytes: Buffer) => Buffer | string][] = [
      ['listing.json', bytes => bytes.subarray(0, bytes.length / 2)],
      ['listing.json', bytes => bytes.toString().replace('"loose":[]', '"loose":[1]')],
      ['listing.json', () => ''],
      ['scan.cache', bytes => bytes.subarray(0, bytes.length - 40)],
    ]
    for (const [name, damage] of damages) {
      const root = await scanned()
      const path = join(root, CACHE_FOLDER, name)
      writeFileSync(path, damage(readFileSync(path)))
      expect((await agrees(root)).kept).toBeUndefined()
      expect((await agrees(root)).kept).toBe(9)
    }
  })

  test('looks again at the size of a file that was not read because of it: git had seen another one', async () => {
    const root = await scanned()
    const path = join(root, CACHE_FOLDER, 'scan.cache')
    const { program, limits } = JSON.parse(readFileSync(path, 'utf8').split('\n', 1)[0]!)
    const seal = openSeal(process.env)!
    const table = CacheTable.read(path, program, seal)
    const rows = Array.from({ length: table.size }, (_, row) => table.row(row))
    const large = { size: 9_000_000, extra: { skip: { reason: 'too_large', detail: 'for a moment' } } }
    Object.assign(rows.find(row => row.path === 'a.txt')!, large)
    const memory = readMemory(root, table.digest, seal)!
    writeMemory(root, { ...memory, table: writeCacheFile(path, { program, limits }, rows, seal)! }, seal)
    const { kept, outcome } = await agrees(root)
    expect([kept, outcome.findings.map(({ file }) => file)]).toEqual([8, ['LICENSE', 'a.txt']])
    rmSync(join(root, CACHE_FOLDER, 'listing.json'))
    await agrees(root)
  })

  test('stores every file where the kept ones are missing from the disk or are others', async () => {
    for (const damage of [(path: string) => rmSync(path), (path: string) => writeFileSync(path, 'PAR1 other PAR1')]) {
      const root = await scanned()
      damage(join(root, CACHE_FOLDER, 'files.parquet'))
      write(root, { 'dir/c.txt': 'x\n' })
      expect((await agrees(root)).kept).toBe(8)
    }
  })
})

test('after any history of edits, a scan that goes on from the last one is a scan from nothing', {
  timeout: 300_000,
}, async () => {
  const path = fc.constantFrom('a.txt', 'b.py', 'dir/c.txt', 'dir/d.js', 'e', 'zz/new.py')
  const text = fc.constantFrom('frobnicate\n', 'clean\n', '# svc-ignore: local-frobnicate -- ok\nfrobnicate\n', '')
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('write'), path, text }) },
    fc.record({ do: fc.constantFrom('remove', 'link', 'mark'), path }),
    { weight: 3, arbitrary: fc.record({ do: fc.constant('scan') }) },
    fc.record({ do: fc.constantFrom('add', 'commit', 'stash', 'exclude') }),
  )
  const run = (root: string, one: { do: string; path?: string; text?: string }) => {
    if (one.do === 'write') {
      rmSync(join(root, one.path!), { force: true })
      write(root, { [one.path!]: one.text! })
    } else if (one.do === 'remove') rmSync(join(root, one.path!), { force: true })
    else if (one.do === 'link') {
      rmSync(join(root, one.path!), { force: true })
      mkdirSync(join(root, one.path!, '..'), { recursive: true })
      symlinkSync('keep.txt', join(root, one.path!))
    } else if (one.do === 'mark') write(root, { '.gitattributes': `${one.path} linguist-generated\n` })
    else if (one.do === 'exclude') write(root, { '.svc/config.yaml': 'scan_exclude: [dir]\n' })
    else if (one.do === 'add') git(root, 'add', '-A')
    else if (one.do === 'commit') git(root, 'commit', '-qam', 'x', '--allow-empty')
    else if (one.do === 'stash') git(root, 'stash', '-u')
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async steps => {
      const root = await scanned({ 'keep.txt': 'x\n' })
      for (const one of steps) {
        if (one.do === 'scan') await agrees(root)
        else run(root, one)
      }
      await agrees(root)
    }),
    { numRuns: 8, interruptAfterTimeLimit: 280_000 },
  )
})
