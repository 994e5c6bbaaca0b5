import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { describe, expect, it } from 'vitest'
import type { Run } from '../../../engine/base/records/run.ts'
import { type Bounds, type Entry, readEntries } from '../../../engine/detect/archive/entries.ts'
import { type ArchiveKind, isArchive } from '../../../engine/detect/archive/kind.ts'
import { sample } from '../../../engine/detect/secrets/sample.ts'
import scanRun from '../../../engine/ops/scan/run.ts'
import secrets from '../../../engine/ops/secrets/scan.ts'
import { surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { git } from '../../made/git.ts'
import { project } from '../../made/project.ts'
import fc from '../../made/property.ts'
import { zip } from './zip.ts'

const TOKEN = sample('ghp_{base62:30}{crc32}', 'archive')
const LINE = `# first\ntoken = "${TOKEN}"\n`
const BOUNDS: Bounds = { entries: 100, bytes: 4 << 20, entry_bytes: 1 << 20, ratio: 100, time_ms: 60_000 }

async function tar(files: Record<string, string>): Promise<Buffer> {
  const out = pack()
  for (const [name, content] of Object.entries(files)) out.entry({ name }, content)
  out.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of out) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks)
}

async function look(root: string, more: object = {}) {
  const input = { repo_path: '.', staged: false, history: false, stdin: false, baseline: false, verify: false }
  return secrets.run({ ...input, explain: false, ...more }, surface(root).context)
}

async function unpack(kind: ArchiveKind, bytes: Uint8Array, bounds: Partial<Bounds> = {}) {
  const entries: Entry[] = []
  const left = await readEntries(bytes, { kind, name: 'a/x.log.gz' }, { ...BOUNDS, ...bounds }, entry =>
    entries.push(entry),
  )
  return { paths: entries.map(({ path }) => path), left }
}

describe('svc secrets', () => {
  it('finds what is in archives of every kind, as one secret, at the path in the archive and its line', async () => {
    const root = project({
      'a.zip': zip({ 'deep/a.py': LINE }),
      'b.jar': zip({ 'conf/b.properties': LINE }),
      'c.tar': await tar({ './c.py': LINE }),
      'd.tgz': gzipSync(await tar({ 'd/d.py': LINE })),
      'e.log.gz': gzipSync(LINE),
    })
    const { secrets: list, partly } = await look(root)
    expect(list).toHaveLength(1)
    expect(list[0]!.places.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'a.zip!deep/a.py:2',
      'b.jar!conf/b.properties:2',
      'c.tar!c.py:2',
      'd.tgz!d/d.py:2',
      'e.log.gz!e.log:2',
    ])
    expect(partly.map(({ reason }) => reason)).toEqual(Array(5).fill('archive'))
  })

  it('says of every archive that was not looked through which and why', async () => {
    const whole = zip({ 'a.py': LINE })
    const root = project({
      'bomb.zip': zip({ 'a.py': LINE, 'zeros.txt': Buffer.alloc(4 << 20, 48) }),
      'cut.zip': whole.subarray(0, whole.length / 2),
      'locked.zip': zip({ 'a.py': LINE }, 1),
      'nested.zip': zip({ 'lib/a.zip': whole }),
    })
    const { secrets: list, partly } = await look(root)
    expect(list[0]!.places.map(({ file }) => file)).toEqual(['bomb.zip!a.py'])
    expect(partly.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      'bomb.zip archive_part',
      'cut.zip archive_damaged',
      'locked.zip archive_part',
      'nested.zip archive_part',
    ])
    expect(partly[0]!.detail).toContain('200 times')
    expect(partly[3]!.detail).toContain('1 archive within it')
  })

  it('judges a staged archive by what is new in it', async () => {
    const other = sample('ghp_{base62:30}{crc32}', 'other')
    const root = project({ 'a.zip': zip({ 'a.py': LINE }) })
    write(root, { 'a.zip': zip({ 'a.py': LINE, 'b.py': `token = "${other}"\n` }) })
    git(root, 'add', '-A')
    const open = (await look(root, { staged: true })).secrets.filter(({ status }) => status === 'open')
    expect(open.flatMap(({ places }) => places.map(({ file }) => file))).toEqual(['a.zip!b.py'])
  })

  it('tells of an archive in the history which commit brought it', async () => {
    const root = project({ 'a.zip': zip({ 'a.py': LINE }) })
    git(root, 'rm', '-q', 'a.zip')
    git(root, 'commit', '-qm', 'gone')
    const [secret] = (await look(root, { history: true })).secrets
    expect(secret).toMatchObject({ at_head: false, places: [{ file: 'a.zip!a.py', line: 2 }] })
    expect(secret!.places[0]!.commit).toBe(git(root, 'rev-parse', 'HEAD~1').toString().trim())
  })

  it('takes a suppression of the archive for all that is in it', async () => {
    const root = project({
      'a.zip': zip({ 'a.py': LINE }),
      '.svc/suppressions.yaml': '- rule: secret-github-token\n  file: a.zip\n  reason: a sample\n',
    })
    expect((await look(root)).secrets.map(({ status }) => status)).toEqual(['suppressed'])
  })
})

describe('svc scan', () => {
  it('finds the same from the cache and on threads as the first time', async () => {
    const root = project({ 'a.zip': zip({ 'a.py': LINE }), 'b.zip': zip({ 'none.txt': 'x\n' }), 'c.py': 'x = 1\n' })
    const input = { repo_path: '.', staged: false, actionable_only: false, update_baseline: false, dry_run: false }
    const places = async (more: object) => {
      const output = await scanRun.run({ ...input, cache: true, ...more }, surface(root).context)
      return JSON.stringify([
        output.findings.map(({ id, file, line }) => [id, file, line]),
        (output.run as Run).partly,
        (output.run as Run).ledger,
      ])
    }
    const first = await places({})
    expect(first).toContain('a.zip!a.py')
    expect(first).toContain('"reason":"archive"')
    expect(await places({})).toBe(first)
    expect(await places({ cache: false, jobs: 2 })).toBe(first)
  })
})

describe('an archive', () => {
  it.each([
    ['files', { entries: 1 }, 'more than 1 files'],
    ['bytes', { bytes: 10 }, 'more than 10 bytes'],
    ['time', { time_ms: -1 }, 'timed out after'],
  ])('is read no further than the bound on %s', async (_, bounds, why) => {
    for (const [kind, bytes] of [
      ['zip', zip({ 'a.txt': 'some text', 'b.txt': 'more text' })],
      ['tar', await tar({ 'a.txt': 'some text', 'b.txt': 'more text' })],
      ['tar.gz', gzipSync(await tar({ 'a.txt': 'some text', 'b.txt': 'more text' }))],
    ] as const)
      expect((await unpack(kind, bytes, bounds)).left.stopped).toContain(why)
  })

  it('is damaged, and not waited for, where an entry without content says that it has some', async () => {
    const bytes = await tar({ 'a.txt': 'some text', 'dir/': '' })
    const directory = bytes.subarray(1024, 1536)
    directory.write('5', 156, 'latin1')
    directory.write('00000000005', 124, 'latin1')
    // POSIX ustar: the sum of the header's bytes, with blanks where it stands itself.
    directory.fill(' ', 148, 156)
    const sum = directory.reduce((total, byte) => total + byte, 0)
    directory.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    await expect(unpack('tar', bytes)).rejects.toThrow('longer than the archive')
    await expect(unpack('tar.gz', gzipSync(bytes))).rejects.toThrow('longer than the archive')
  })

  it('that unpacks out of proportion is stopped while it does', async () => {
    expect((await unpack('gz', gzipSync(Buffer.alloc(32 << 20)))).left.stopped).toContain('100 times')
    expect((await unpack('tar.gz', gzipSync(Buffer.alloc(32 << 20)))).left.stopped).toContain('100 times')
  })

  it.each(['zip', 'tar', 'tar.gz', 'gz'] as const)('is none where a file called %s is too short to be one', kind => {
    const bytes = Buffer.from('PK\x1f\x8b')
    for (let length = 0; length <= bytes.length; length++)
      expect(isArchive(kind, Uint8Array.from(bytes.subarray(0, length)))).toBe(kind === 'zip' && length >= 2)
  })

  it('is not unpacked for files that are never text, or are too large', async () => {
    const { paths, left } = await unpack('zip', zip({ 'A.class': 'x', 'b.txt': 'y', 'c.txt': 'z'.repeat(50) }), {
      entry_bytes: 40,
    })
    expect([paths, left.large]).toEqual([['b.txt'], 1])
  })

  it('has paths that are shown and never followed', async () => {
    expect((await unpack('zip', zip({ '../../etc/x': 'a', '/abs': 'b', 'c\\d\u001b': 'e' }))).paths).toEqual([
      '../../etc/x',
      'abs',
      'c/d\uFFFD',
    ])
  })

  it('of any bytes ends, with an error or without', async () => {
    const sound = {
      zip: zip({ 'a.txt': LINE, 'b.txt': LINE }),
      'tar.gz': gzipSync(await tar({ a: LINE })),
      tar: await tar({ a: LINE }),
      gz: gzipSync(LINE),
    }
    const change = fc.tuple(fc.nat(), fc.nat(255))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...(Object.keys(sound) as ArchiveKind[])),
        fc.array(change, { maxLength: 6 }),
        fc.nat(),
        async (kind, changes, cut) => {
          const bytes = Buffer.from(sound[kind])
          for (const [at, byte] of changes) bytes[at % bytes.length] = byte
          const outcome = await unpack(kind, cut % 3 === 0 ? bytes.subarray(0, cut % bytes.length) : bytes).catch(
            error => error,
          )
          expect(outcome instanceof Error || Array.isArray(outcome.paths)).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })
})
