import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHere } from '../../made/command-line.ts'
import { folder } from '../../made/folder.ts'
import { commit, git } from '../../made/git.ts'
import { project } from '../../made/project.ts'
import { makeGitBackend } from '../../made/providers/git-backend.ts'
import { startGithub } from '../../made/providers/github.ts'
import { osvRecord } from '../../supply/osv-server.ts'
import { configOf, environmentOf, TOKEN } from '../providers/opened.ts'

const MANIFEST = '{\n  "name": "app",\n  "version": "1.0.0",\n  "dependencies": { "a": "1.0.0", "c": "2.0.0" }\n}\n'
const LOCK = JSON.stringify({
  ...{ name: 'app', version: '1.0.0', lockfileVersion: 3 },
  packages: {
    '': { name: 'app', version: '1.0.0', dependencies: { a: '1.0.0', c: '2.0.0' } },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/c': { version: '2.0.0' },
  },
})

/** A vulnerable project, its bare remote behind git-http-backend, and GitHub's stand-in at the same address. */
async function ground() {
  const github = await startGithub()
  const top = folder({})
  const bare = join(top, 'acme/shop.git')
  mkdirSync(join(top, 'acme'))
  execFileSync('git', ['init', '-q', '--bare', bare])
  execFileSync('git', ['config', 'http.receivepack', 'true'], { cwd: bare })
  const requests: string[] = []
  const authorization = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`
  github.other = makeGitBackend(top, authorization, requests)
  const root = project({
    '.svc/config.yaml': configOf(github),
    '.gitignore': 'out/\n',
    'package.json': MANIFEST,
    'package-lock.json': LOCK,
  })
  git(root, 'branch', '-M', 'main')
  git(root, 'push', '-q', bare, 'main')
  const database = folder({
    'a.json': JSON.stringify(osvRecord('GHSA-a', 'npm', 'a', '1.2.0')),
    'c.json': JSON.stringify(osvRecord('GHSA-c', 'npm', 'c', '2.0.1')),
  })
  const env = { PATH: process.env.PATH!, HOME: folder({}), ...environmentOf(github) }
  const propose = async () => {
    const { code, out, err } = await runHere(['vulns', '--fix', '--create-pr', '--database', database, '--json'], {
      cwd: root,
      env,
    })
    return { code, out, err, pulls: out.startsWith('{') ? JSON.parse(out).pull_requests : undefined }
  }
  const branches = () =>
    execFileSync('git', ['for-each-ref', '--format=%(refname:short)'], { cwd: bare, encoding: 'utf8' })
      .trim()
      .split('\n')
  return { github, bare, root, requests, propose, branches }
}

it('opens one pull request for each fix, on a branch with that change alone, and leaves the work tree', async () => {
  const { github, bare, root, propose, branches } = await ground()
  const { pulls, err } = await propose()
  expect(pulls, err).toMatchObject([
    { package: 'a', to: '1.2.0', branch: 'svc/fix/npm-a-1.2.0', state: 'created' },
    { package: 'c', to: '2.0.1', branch: 'svc/fix/npm-c-2.0.1', state: 'created' },
  ])
  expect(branches()).toEqual(['main', 'svc/fix/npm-a-1.2.0', 'svc/fix/npm-c-2.0.1'])
  const changed = execFileSync('git', ['show', 'svc/fix/npm-a-1.2.0:package.json'], { cwd: bare, encoding: 'utf8' })
  expect(changed).toBe(MANIFEST.replace('"a": "1.0.0"', '"a": "1.2.0"'))
  expect(
    execFileSync('git', ['diff', '--name-only', 'main', 'svc/fix/npm-a-1.2.0'], { cwd: bare, encoding: 'utf8' }),
  ).toBe('package.json\n')
  expect(readFileSync(join(root, 'package.json'), 'utf8')).toBe(MANIFEST)
  expect(git(root, 'status', '--porcelain')).toBe('')
  expect(github.state.pulls[0]).toMatchObject({ title: 'Update a to 1.2.0', base: 'main' })
  expect(github.state.pulls[0]!.body).toContain('(https://osv.dev/vulnerability/GHSA-a)')
}, 60_000)

it('never opens a second one: unchanged, then updated on a new base, and not again once it was closed', async () => {
  const { github, root, propose } = await ground()
  await propose()
  expect((await propose()).pulls.map(({ state }: { state: string }) => state)).toEqual(['unchanged', 'unchanged'])
  writeFileSync(join(root, 'more.txt'), 'more\n')
  commit(root)
  expect((await propose()).pulls.map(({ state }: { state: string }) => state)).toEqual(['updated', 'updated'])
  github.state.pulls[0]!.state = 'closed'
  const { pulls } = await propose()
  expect(pulls).toMatchObject([{ state: 'skipped', reason: 'its pull request was closed' }, { state: 'unchanged' }])
  expect(github.state.pulls).toHaveLength(2)
}, 60_000)

it('leaves a branch alone that somebody else has committed to', async () => {
  const { bare, root, propose } = await ground()
  await propose()
  const clone = folder({})
  git(clone, 'clone', '-q', '-b', 'svc/fix/npm-a-1.2.0', bare, 'c')
  const work = join(clone, 'c')
  writeFileSync(join(work, 'hand.txt'), 'by hand\n')
  commit(work)
  git(work, 'push', '-q')
  writeFileSync(join(root, 'more.txt'), 'more\n')
  commit(root)
  expect((await propose()).pulls[0]).toMatchObject({
    state: 'skipped',
    reason: expect.stringContaining('somebody else'),
  })
  expect(execFileSync('git', ['show', 'svc/fix/npm-a-1.2.0:hand.txt'], { cwd: bare, encoding: 'utf8' })).toBe(
    'by hand\n',
  )
}, 60_000)

it('opens one although the answer to its creation was lost', async () => {
  const { github, propose } = await ground()
  let cut = 0
  github.fail = ({ method, path }) =>
    method === 'POST' && path.endsWith('/pulls') && cut++ === 0 ? { cut: 'after' } : undefined
  const { pulls } = await propose()
  expect(pulls.map(({ state }: { state: string }) => state)).toEqual(['created', 'created'])
  expect(github.state.pulls).toHaveLength(2)
}, 60_000)

it('skips a manifest with changes that are not committed, and says which', async () => {
  const { root, propose } = await ground()
  writeFileSync(join(root, 'package.json'), MANIFEST.replace('app', 'app2'))
  expect((await propose()).pulls[0]).toMatchObject({
    state: 'skipped',
    reason: 'package.json has changes that are not committed',
  })
}, 60_000)

it('a refused push is named without the token', async () => {
  const { github, propose } = await ground()
  github.other = (_, outgoing) => {
    if (!_.url?.includes('.git/')) return false
    outgoing.writeHead(403).end(`refused: ${_.headers.authorization}`)
    return true
  }
  const { out, err, pulls } = await propose()
  expect(pulls[0]).toMatchObject({ state: 'failed', reason: expect.stringContaining('could not be pushed') })
  const secrets = [TOKEN, Buffer.from(`x-access-token:${TOKEN}`).toString('base64')]
  for (const secret of secrets) expect(out + err).not.toContain(secret)
}, 60_000)
