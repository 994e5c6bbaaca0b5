import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseAddress } from '../../../engine/fleet/source/address.ts'
import { makeAuthorize } from '../../../engine/fleet/source/credentials.ts'
import { MirrorCache } from '../../../engine/fleet/source/mirror.ts'
import { want } from '../../../engine/fleet/source/repositories.ts'
import { resolveCommits } from '../../../engine/fleet/source/resolve.ts'
import type { Authorize, Limits } from '../../../engine/fleet/source/transfer.ts'
import { assignShard } from '../../../engine/scan/assign-shard.ts'
import { loadConfig } from '../../../engine/sources/config/load.ts'
import { folder } from '../../made/folder.ts'
import { commit, git, repository } from '../../made/git.ts'

const { signal } = new AbortController()
const env = { PATH: process.env.PATH }
const nobody: Authorize = async () => undefined

function open(root: string, more: Partial<Limits> & { most?: number; authorize?: Authorize } = {}): MirrorCache {
  const { most = 1e10, authorize = nobody, ...limits } = more
  return new MirrorCache(root, { env, authorize, most, limits: { bytes: 1e9, milliseconds: 60_000, ...limits } })
}

const head = (path: string) => git(path, 'rev-parse', 'HEAD')

describe('the mirrors of a worker', () => {
  it('give a checkout of the commit on its branch, and leave nothing of it behind', async () => {
    const [root, path] = [folder(), repository(join(folder(), 'shop'), { 'a.txt': 'one\n', 'd/b.txt': 'two\n' })]
    const wanted = { address: parseAddress(path, '/'), commit: head(path), ref: 'refs/heads/main' }
    const seen = await open(root).withCommit(wanted, signal, async tree => ({
      ...{ folder: tree.folder, files: tree.files, text: readFileSync(join(tree.folder, 'd/b.txt'), 'utf8') },
      ...{ branch: git(tree.folder, 'symbolic-ref', 'HEAD'), status: git(tree.folder, 'status', '--porcelain') },
    }))
    expect(seen).toMatchObject({ files: 2, text: 'two\n', branch: 'refs/heads/main', status: '' })
    expect(seen.folder.endsWith('/shop')).toBe(true)
    expect(readdirSync(join(root, 'work'))).toEqual([])
  })

  it('open where a program of a worker that was killed still writes into its checkout', async () => {
    const root = folder()
    const left = join(root, 'work/5c80e722-1/tree/shop')
    mkdirSync(left, { recursive: true })
    for (let at = 0; at < 3000; at++) writeFileSync(join(left, `a${at}`), '')
    const writing = spawn('sh', ['-c', 'while :; do mkdir -p "$0"; : > "$0/b$((at += 1))"; done', left], {
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    onTestFinished(() => void writing.kill('SIGKILL'))
    await expect.poll(() => existsSync(join(left, 'b1'))).toBe(true)
    const path = repository(join(folder(), 'shop'), { 'a.txt': 'one\n' })
    const wanted = { address: parseAddress(path, '/'), commit: head(path) }
    expect(await open(root).withCommit(wanted, signal, async ({ files }) => files)).toBe(1)
  })

  it('fetch a commit once, and then what came since', async () => {
    const [root, path] = [folder(), repository(join(folder(), 'r'), { 'a.txt': 'one\n' })]
    const mirrors = open(root)
    const [address, old] = [parseAddress(path, '/'), head(path)]
    const use = (id: string) => mirrors.withCommit({ address, commit: id }, signal, async ({ files }) => files)
    await use(old)
    writeFileSync(join(path, 'b.txt'), 'two\n')
    commit(path)
    expect(await use(head(path))).toBe(2)
    // What is there needs no server.
    rmSync(path, { recursive: true })
    expect(await use(old)).toBe(1)
  })

  it('are made again where a killed worker left one broken', async () => {
    const [root, path] = [folder(), repository(join(folder(), 'r'), { 'a.txt': 'one\n' })]
    const address = parseAddress(path, '/')
    const use = (mirrors: MirrorCache) =>
      mirrors.withCommit({ address, commit: head(path) }, signal, async ({ files }) => files)
    await use(open(root))
    const [mirror] = readdirSync(join(root, 'mirrors'))
    rmSync(join(root, 'mirrors', mirror!, 'objects'), { recursive: true })
    mkdirSync(join(root, 'work/left'), { recursive: true })
    expect(await use(open(root))).toBe(1)
    expect(existsSync(join(root, 'work/left'))).toBe(false)
    // Killed before it knew where the repository is.
    writeFileSync(join(path, 'b.txt'), 'two\n')
    commit(path)
    writeFileSync(join(root, 'mirrors', mirror!, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n')
    expect(await use(open(root))).toBe(2)
  })

  it('refuse a repository that is too large, and a commit that is gone, for good', async () => {
    const path = repository(join(folder(), 'r'), { 'a.bin': new Uint8Array(200_000).map((_, at) => (at * 7919) % 251) })
    const use = (mirrors: MirrorCache, id: string) =>
      mirrors.withCommit({ address: parseAddress(path, '/'), commit: id }, signal, async () => {})
    await expect(use(open(folder(), { bytes: 100 }), head(path))).rejects.toMatchObject({
      ...{ isFinal: true, message: expect.stringContaining('larger than') },
    })
    await expect(use(open(folder()), 'a'.repeat(40))).rejects.toMatchObject({ isFinal: true })
  })

  it('refuse a commit of a few trees that stand for more files than any memory holds', async () => {
    const path = repository(join(folder(), 'r'), { 'a.txt': '1\n' })
    let [entry, mode] = [`blob ${git(path, 'rev-parse', 'HEAD:a.txt')}`, '100644']
    for (let level = 0; level < 10; level++) {
      const list = Array.from({ length: 10 }, (_, at) => `${mode} ${entry}\tf${at}\n`).join('')
      const tree = execFileSync('git', ['mktree'], { cwd: path, input: list, encoding: 'utf8' }).trim()
      ;[entry, mode] = [`tree ${tree}`, '040000']
    }
    const bomb = git(path, 'commit-tree', '-m', 'x', entry.slice('tree '.length))
    git(path, 'update-ref', 'refs/heads/main', bomb)
    const use = open(folder(), { files: 100_000 }).withCommit(
      { address: parseAddress(path, '/'), commit: bomb },
      signal,
      async () => {},
    )
    await expect(use).rejects.toMatchObject({ isFinal: true, message: 'the repository has more than 100000 files' })
  })

  it('say by the history which of two commits came first, and nothing of those that have none in common', async () => {
    const path = repository(join(folder(), 'r'), { 'a.txt': 'one\n' })
    const first = head(path)
    writeFileSync(join(path, 'a.txt'), 'two\n')
    commit(path)
    const second = head(path)
    git(path, 'checkout', '-q', '-b', 'reset', first)
    writeFileSync(join(path, 'a.txt'), 'three\n')
    commit(path)
    const mirrors = open(folder())
    const address = parseAddress(path, '/')
    const compare = (one: string, other: string) =>
      mirrors.compare({ address, ref: 'refs/heads/main', commit: one, other }, signal)
    expect(await compare(first, second)).toBe('older')
    expect(await compare(second, first)).toBe('newer')
    expect(await compare(second, head(path))).toBe('unknown')
    expect(await compare(second, 'a'.repeat(40))).toBe('unknown')
    // Nor where the server does not answer.
    rmSync(path, { recursive: true })
    expect(await compare(first, 'b'.repeat(40))).toBe('unknown')
    expect(await compare(first, second)).toBe('older')
  })

  it('begin nothing where the disk is nearly full', async () => {
    const path = repository(join(folder(), 'r'), { 'a.txt': '1\n' })
    const use = open(folder(), { free: 1e18 }).withCommit(
      { address: parseAddress(path, '/'), commit: head(path) },
      signal,
      async () => {},
    )
    await expect(use).rejects.toMatchObject({ isFinal: false, message: expect.stringContaining('disk') })
  })

  it('let go of the least recently used, and not of one in use', async () => {
    const root = folder()
    const mirrors = open(root, { most: 1 })
    const paths = ['a', 'b'].map(name => repository(join(folder(), name), { 'a.txt': name }))
    for (const path of paths)
      await mirrors.withCommit({ address: parseAddress(path, '/'), commit: head(path) }, signal, async () => {})
    expect(readdirSync(join(root, 'mirrors'))).toHaveLength(1)
  })
})

describe('the checkout of a shard', () => {
  const part = { index: 1, count: 2 }
  const files = {
    ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`src/f${at}.js`, `module.exports = ${at}\n`])),
    ...{ '.svc/config.yaml': '{}\n', 'lib/.svc/config.yaml': '{}\n', 'lib/a.js': '1\n' },
  }

  it('has settings on disk, and no contents but those of the shard are fetched', async () => {
    const [root, path] = [folder(), repository(join(folder(), 'r'), files)]
    const wanted = { address: parseAddress(path, '/'), commit: head(path), ref: 'refs/heads/main', part }
    const mirrors = open(root)
    const seen = await mirrors.withCommit(wanted, signal, async ({ folder: tree, files, isSparse }) => {
      const has = (name: string) => spawnSync('git', ['cat-file', '-e', `HEAD:${name}`], { cwd: tree }).status === 0
      const [own, others] = [[] as string[], [] as string[]]
      for (let at = 0; at < 20; at++) (assignShard(`src/f${at}.js`, 2) === 1 ? own : others).push(`src/f${at}.js`)
      return {
        ...{ files, isSparse, own: own.filter(has).length === own.length, others: others.filter(has) },
        paths: git(tree, 'ls-files', '-t')
          .split('\n')
          .filter(line => line.startsWith('H')),
        status: git(tree, 'status', '--porcelain'),
      }
    })
    expect(seen).toEqual({
      ...{ files: 23, isSparse: true, own: true, others: [], status: '' },
      paths: ['H .svc/config.yaml', 'H lib/.svc/config.yaml'],
    })
    // The rest comes with the next checkout.
    const whole = await mirrors.withCommit({ ...wanted, part: undefined }, signal, async tree => ({
      ...{ isSparse: tree.isSparse, text: readFileSync(join(tree.folder, 'src/f7.js'), 'utf8') },
    }))
    expect(whole).toEqual({ isSparse: false, text: 'module.exports = 7\n' })
  })

  it.each(['*.js text eol=crlf', '*.bin filter=lfs diff=lfs', '*.js ident', '*.txt working-tree-encoding=UTF-16'])(
    'has all files where git would convert some: %s',
    async line => {
      const path = repository(join(folder(), 'r'), { ...files, 'lib/.gitattributes': `${line}\n` })
      const wanted = { address: parseAddress(path, '/'), commit: head(path), part }
      const seen = await open(folder()).withCommit(wanted, signal, async tree => ({
        ...{ isSparse: tree.isSparse, status: git(tree.folder, 'status', '--porcelain') },
        there: existsSync(join(tree.folder, 'src/f0.js')) && existsSync(join(tree.folder, 'src/f1.js')),
      }))
      expect(seen).toEqual({ isSparse: false, status: '', there: true })
    },
  )
})

describe('a hostile repository', () => {
  it('starts no program and reaches no other place by submodules, filters, hooks and links', async () => {
    const [outside, path] = [folder(), repository(join(folder(), 'r'), { 'a.js': 'eval(x)\n' })]
    const run = `touch ${join(outside, 'ran')}`
    writeFileSync(join(outside, 'secret'), 'of another repository\n')
    const modules = ['ext::sh -c "touch /nowhere"', `file://${outside}`, '--upload-pack=touch']
    const files = {
      '.gitmodules': modules
        .map((url, at) => `[submodule "m${at}"]\n\tpath = m${at}\n\turl = ${url}\n\tupdate = !${run}\n`)
        .join(''),
      '.gitattributes': 'a.js filter=evil diff=evil merge=evil\n*.bin filter=lfs\n',
      'big.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n',
      '.lfsconfig': `[lfs]\n\turl = file://${outside}\n`,
      'hooks/post-checkout': `#!/bin/sh\n${run}\n`,
      '.githooks/post-checkout': `#!/bin/sh\n${run}\n`,
      '.gitconfig': `[filter "evil"]\n\tsmudge = ${run}\n[core]\n\tfsmonitor = ${run}\n`,
    }
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(path, name, '..'), { recursive: true })
      writeFileSync(join(path, name), text, { mode: 0o755 })
    }
    symlinkSync(outside, join(path, 'link'))
    symlinkSync('.git/config', join(path, '.svc'))
    git(path, 'add', '-A')
    for (const at of [0, 1, 2]) git(path, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},m${at}`)
    git(path, 'commit', '-q', '-m', 'x')
    // What the directory itself is set up with is not the worker's either.
    for (const key of ['filter.evil.smudge', 'core.fsmonitor', 'uploadpack.packObjectsHook', 'core.sshCommand'])
      git(path, 'config', key, run)
    writeFileSync(join(path, '.git/hooks/post-checkout'), `#!/bin/sh\n${run}\n`, { mode: 0o755 })
    for (const part of [undefined, { index: 1, count: 2 }]) {
      const wanted = { address: parseAddress(path, '/'), commit: head(path), ref: 'refs/heads/main', part }
      const seen = await open(folder()).withCommit(wanted, signal, async tree => ({
        ...{ modules: readdirSync(tree.folder).includes('m0') && readdirSync(join(tree.folder, 'm0')) },
        ...{
          pointer: readFileSync(join(tree.folder, 'big.bin'), 'utf8'),
          link: readlinkSync(join(tree.folder, 'link')),
        },
      }))
      expect(seen).toEqual({ modules: [], pointer: files['big.bin'], link: outside })
    }
    expect(readdirSync(outside)).toEqual(['secret'])
  })

  it('cannot have a worker read more attributes, or a longer path, than a checkout may have', async () => {
    const attributes = Object.fromEntries(
      Array.from({ length: 1001 }, (_, at) => [`d${at}/.gitattributes`, '*.x text\n']),
    )
    const many = repository(join(folder(), 'r'), attributes)
    const part = { index: 1, count: 2 }
    const use = (path: string) =>
      open(folder()).withCommit(
        { address: parseAddress(path, '/'), commit: head(path), part },
        signal,
        async tree => tree.isSparse,
      )
    expect(await use(many)).toBe(false)
    const large = repository(join(folder(), 'r'), { '.gitattributes': '*.x text\n'.repeat(200_000) })
    expect(await use(large)).toBe(false)
    const long = repository(join(folder(), 'r'), { 'a.txt': '1\n' })
    const entry = `100644 blob ${git(long, 'rev-parse', 'HEAD:a.txt')}\t${'n'.repeat(300_000)}\n`
    const tree = execFileSync('git', ['mktree'], { cwd: long, input: entry, encoding: 'utf8' }).trim()
    git(long, 'update-ref', 'refs/heads/main', git(long, 'commit-tree', '-m', 'x', tree))
    await expect(use(long)).rejects.toMatchObject({ isFinal: true, message: expect.stringContaining('too long') })
  })
})

describe('a server over HTTP', () => {
  it('gets the token in a header, no command line has it, and old contents are not fetched', async () => {
    const top = folder()
    const path = repository(join(top, 'group/shop'), { 'a.txt': 'old\n'.repeat(1000) })
    const before = git(path, 'rev-parse', 'HEAD:a.txt')
    writeFileSync(join(path, 'a.txt'), 'new\n')
    commit(path)
    git(path, 'config', 'uploadpack.allowFilter', 'true')
    git(path, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
    const token = ['glpat', 'of', 'nobody'].join('-')
    const { host, requests, lines } = await serve(top, token)
    const cwd = folder()
    writeFileSync(join(cwd, '.gitkeep'), '')
    mkdirSync(join(cwd, '.svc'))
    writeFileSync(join(cwd, '.svc/config.yaml'), `providers: {gitlab: {base_url: http://${host}/api/v4}}\n`)
    const own = { ...env, GUARD_GITLAB_TOKEN: token, GUARD_PROVIDER_HOSTS: host }
    const authorize = makeAuthorize(await loadConfig(cwd, { env: own }), { env: own, signal })
    const { resolved, unresolved } = await resolveCommits([want(`http://${host}/group/shop`, {}, cwd)], {
      ...{ env, signal, authorize },
    })
    expect(unresolved).toEqual([])
    expect(resolved).toMatchObject([{ commit: head(path), ref: 'refs/heads/main' }])
    const root = folder()
    const mirrors = open(root, { authorize })
    const { address, commit: id } = resolved[0]!
    const text = await mirrors.withCommit({ address, commit: id, ref: 'refs/heads/main' }, signal, async tree =>
      readFileSync(join(tree.folder, 'a.txt'), 'utf8'),
    )
    expect(text).toBe('new\n')
    expect(requests.every(one => one === `Basic ${Buffer.from(`oauth2:${token}`).toString('base64')}`)).toBe(true)
    expect(requests.length).toBeGreaterThan(2)
    expect(lines.join('\n')).toContain('git')
    for (const secret of [token, Buffer.from(`oauth2:${token}`).toString('base64')])
      expect(lines.join('\n')).not.toContain(secret)
    const mirror = join(root, 'mirrors', readdirSync(join(root, 'mirrors'))[0]!)
    expect(() => git(mirror, '--git-dir', mirror, 'cat-file', '-e', before)).toThrow()
  })

  it('that refuses is said in words without the token or the address', async () => {
    const { host } = await serve(folder(), 'x')
    const { unresolved } = await resolveCommits([want(`http://${host}/group/shop`, {}, '/')], {
      ...{ env, signal, authorize: async () => 'Basic d3Jvbmc=' },
    })
    expect(unresolved).toHaveLength(1)
    expect(unresolved[0]!.reason).not.toMatch(/d3Jvbmc|127\.0\.0\.1/)
  })
})

/** git's own server behind HTTP, for those who have the token; keeps the headers, and the command lines of all processes at each request. */
async function serve(root: string, token: string) {
  const requests: string[] = []
  const lines: string[] = []
  const expected = `Basic ${Buffer.from(`oauth2:${token}`).toString('base64')}`
  const server = createServer((request, response) => {
    const given = String(request.headers.authorization)
    for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name)))
      try {
        lines.push(readFileSync(`/proc/${pid}/cmdline`, 'latin1'))
      } catch {
        // It has ended.
      }
    requests.push(given)
    if (given !== expected) return response.writeHead(403).end('no')
    const url = new URL(request.url!, 'http://here')
    const backend = spawn('git', ['http-backend'], {
      env: {
        ...{ PATH: process.env.PATH, GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', PATH_INFO: url.pathname },
        ...{ REQUEST_METHOD: request.method, QUERY_STRING: url.search.slice(1), GIT_CONFIG_COUNT: '1' },
        ...{ GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' },
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        ...(request.headers['content-length'] && { CONTENT_LENGTH: request.headers['content-length'] }),
        ...(request.headers['content-encoding'] && {
          HTTP_CONTENT_ENCODING: request.headers['content-encoding'] as string,
        }),
        ...(request.headers['git-protocol'] && { GIT_PROTOCOL: String(request.headers['git-protocol']) }),
      },
    })
    request.pipe(backend.stdin)
    const out: Buffer[] = []
    backend.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    backend.on('close', () => {
      const all = Buffer.concat(out)
      const end = all.indexOf('\r\n\r\n')
      for (const line of all.toString('latin1', 0, Math.max(0, end)).split('\r\n')) {
        const at = line.indexOf(':')
        if (line.startsWith('Status:')) response.statusCode = Number(line.slice(8, 11))
        else response.setHeader(line.slice(0, at), line.slice(at + 1).trim())
      }
      response.end(all.subarray(end + 4))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, requests, lines }
}
