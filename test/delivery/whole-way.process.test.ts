import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHere } from '../made/command-line.ts'
import { folder } from '../made/folder.ts'
import { commit, git } from '../made/git.ts'
import { makeGitBackend } from '../made/providers/git-backend.ts'
import { startGithub } from '../made/providers/github.ts'
import { configOf, environmentOf, TOKEN } from './providers/opened.ts'

const SAFE = "const app = require('express')()\n"
const CODE = `${SAFE}app.get('/', (req, res) => eval(req.query.code))\n`

it('a branch is pushed, judged and decorated; after a pushed fix the comment changes and the check turns green', async () => {
  const github = await startGithub()
  const top = folder({})
  const bare = join(top, 'acme/shop.git')
  mkdirSync(join(top, 'acme'))
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', bare])
  execFileSync('git', ['config', 'http.receivepack', 'true'], { cwd: bare })
  const credentials = Buffer.from(`x-access-token:${TOKEN}`).toString('base64')
  github.other = makeGitBackend(top, `Basic ${credentials}`, [])
  const remote = `${github.url}/acme/shop.git`
  const run = (cwd: string, ...args: string[]) =>
    // Beside this process's own server: git must not block it.
    new Promise<string>((resolve, reject) => {
      import('node:child_process').then(({ execFile }) =>
        execFile(
          'git',
          ['-c', `http.extraHeader=Authorization: Basic ${credentials}`, ...args],
          { cwd },
          (error, out, err) => (error ? reject(new Error(err)) : resolve(out)),
        ),
      )
    })

  // Somebody works: main, then a branch with a defect.
  const work = folder({ '.svc/config.yaml': configOf(github), '.gitignore': 'out/\n', 'app.js': SAFE })
  git(work, 'init', '-q', '-b', 'main')
  commit(work)
  await run(work, 'push', '-q', remote, 'main')
  git(work, 'checkout', '-q', '-b', 'feature')
  writeFileSync(join(work, 'app.js'), CODE)
  commit(work)
  await run(work, 'push', '-q', remote, 'feature')

  // The build of the pull request, as GitHub Actions sets it up: a clone over HTTP, an event, a token.
  const build = async () => {
    const top = folder({})
    await run(top, 'clone', '-q', '-b', 'feature', remote, 'build')
    const clone = join(top, 'build')
    const sha = git(clone, 'rev-parse', 'HEAD')
    const [pull] = github.state.pulls
    if (pull) pull.head_sha = sha
    else
      github.state.pulls.push({
        number: 7,
        title: 'Feature',
        body: '',
        state: 'open',
        head: 'feature',
        head_sha: sha,
        base: 'main',
      })
    const patch = git(clone, 'diff', 'origin/main', 'HEAD', '--', 'app.js')
    github.state.files =
      patch === '' ? [] : [{ number: 7, filename: 'app.js', patch: patch.slice(patch.indexOf('@@')) }]
    const event = join(top, 'event.json')
    const head = { sha, ref: 'feature', repo: { fork: false } }
    writeFileSync(event, JSON.stringify({ pull_request: { number: 7, head, base: { ref: 'main' } } }))
    const env = {
      ...{
        PATH: process.env.PATH!,
        HOME: top,
        ...environmentOf(github),
        GITHUB_ACTIONS: 'true',
        GITHUB_EVENT_PATH: event,
      },
      ...{
        GITHUB_REPOSITORY: 'acme/shop',
        GITHUB_API_URL: github.url,
        GITHUB_SHA: 'f'.repeat(40),
        GITHUB_REF: 'refs/pull/7/merge',
      },
    }
    const args = ['gate', '--git-range', 'origin/main...HEAD', '--decorate-pr', '--status-check']
    return { ...(await runHere(args, { cwd: clone, env })), sha }
  }

  const failed = await build()
  expect(failed.code, failed.err + failed.out).toBe(1)
  expect(github.state.comments).toMatchObject([{ body: expect.stringContaining('Gate failed') }])
  expect(github.state.reviews).toMatchObject([{ path: 'app.js', line: 2, resolved: false }])
  expect(github.state.checks).toMatchObject([{ head_sha: failed.sha, conclusion: 'failure' }])

  writeFileSync(join(work, 'app.js'), `${SAFE}app.get('/', (req, res) => res.end())\n`)
  commit(work)
  await run(work, 'push', '-q', remote, 'feature')
  const passed = await build()
  expect(passed.code, passed.err + passed.out).toBe(0)
  expect(github.state.comments).toMatchObject([{ body: expect.stringContaining('Gate passed') }])
  expect(github.state.reviews).toMatchObject([{ resolved: true }])
  expect(github.state.checks.at(-1)).toMatchObject({ head_sha: passed.sha, conclusion: 'success' })
}, 90_000)
