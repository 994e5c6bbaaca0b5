import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { configOf, environmentOf, TOKEN } from '../../delivery/providers/opened.ts'
import { runHere } from '../../made/command-line.ts'
import { commit, git } from '../../made/git.ts'
import { project } from '../../made/project.ts'
import { startGithub } from '../../made/providers/github.ts'
import type { GithubState } from '../../made/providers/github-state.ts'
import type { StandIn } from '../../made/providers/server.ts'

const CODE = "const app = require('express')()\napp.get('/', (req, res) => eval(req.query.code))\n"
const PATCH = `@@ -0,0 +1,2 @@\n${CODE.trimEnd()
  .split('\n')
  .map(line => `+${line}`)
  .join('\n')}`

async function started(): Promise<{
  root: string
  github: StandIn & { state: GithubState }
  env: Record<string, string>
}> {
  const github = await startGithub()
  const root = project({ '.svc/config.yaml': configOf(github), 'app.js': CODE })
  const head_sha = git(root, 'rev-parse', 'HEAD')
  github.state.pulls.push({ number: 7, title: 't', body: '', state: 'open', head: 'work', head_sha, base: 'main' })
  github.state.files.push({ number: 7, filename: 'app.js', patch: PATCH })
  const env = {
    PATH: process.env.PATH!,
    HOME: root,
    ...environmentOf(github),
    JENKINS_URL: 'https://ci',
    CHANGE_ID: '7',
    GIT_COMMIT: head_sha,
  }
  return { root, github, env }
}

const gate = (root: string, env: Record<string, string>, ...more: string[]) =>
  runHere(['gate', '--decorate-pr', '--status-check', ...more], { cwd: root, env })

it('a failed gate is one comment, a comment on the line and a failed check; after the fix all are green', async () => {
  const { root, github, env } = await started()
  const failed = await gate(root, env)
  expect(failed.code, failed.err).toBe(1)
  expect(failed.out).toContain('Comment on pull request 7 created.')
  expect(github.state.comments[0]!.body).toContain('Gate failed')
  expect(github.state.reviews[0]).toMatchObject({ path: 'app.js', line: 2, resolved: false })
  expect(github.state.checks[0]).toMatchObject({ status: 'completed', conclusion: 'failure' })

  const { writeFileSync } = await import('node:fs')
  writeFileSync(join(root, 'app.js'), "const app = require('express')()\n")
  commit(root)
  const head_sha = git(root, 'rev-parse', 'HEAD')
  github.state.pulls[0]!.head_sha = head_sha
  const passed = await gate(root, { ...env, GIT_COMMIT: head_sha })
  expect(passed.code, passed.out).toBe(0)
  expect(github.state.comments).toHaveLength(1)
  expect(github.state.comments[0]!.body).toContain('Gate passed')
  expect(github.state.reviews[0]!.resolved).toBe(true)
  expect(github.state.checks.at(-1)).toMatchObject({ head_sha, conclusion: 'success' })
}, 60_000)

it('a provider that is down changes no exit code, and the summary is a file', async () => {
  const { root, github, env } = await started()
  github.fail = () => ({ status: 503 })
  const { code, out } = await gate(root, env)
  expect(code).toBe(1)
  expect(out).toContain('Not posted: GitHub took no comment')
  expect(readFileSync(join(root, 'out/decoration.md'), 'utf8')).toContain('Gate failed')
}, 60_000)

it('without a pull request it is refused before the scan', async () => {
  const { root, env } = await started()
  const { CHANGE_ID: _, JENKINS_URL: __, ...rest } = env
  const { code, err } = await gate(root, rest as Record<string, string>)
  expect(code).toBe(64)
  expect(err).toContain('no open pull request')
})

it('the token is in no output, file, entry or error, whatever the provider answers', async () => {
  const { root, github, env } = await started()
  const answers = [401, 403, 404, 409, 422, 429, 500]
  const texts: string[] = []
  for (const status of answers) {
    // A provider, or a proxy before it, may repeat what it was sent.
    github.fail = ({ headers }) => ({ status, body: { message: `refused: ${headers.authorization}` } })
    const { out, err } = await gate(root, env, '--verbose')
    texts.push(out, err)
    const tested = await runHere(['test-connection', '--json'], { cwd: root, env })
    texts.push(tested.out, tested.err)
  }
  github.fail = () => undefined
  const { out, err } = await gate(root, env, '--json')
  for (const text of [...texts, out, err]) expect(text).not.toContain(TOKEN)
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' }))
    if (statSync(join(root, file)).isFile()) expect(readFileSync(join(root, file), 'latin1'), file).not.toContain(TOKEN)
  expect(JSON.stringify(github.seen.map(({ body }) => body))).not.toContain(TOKEN)
}, 120_000)
