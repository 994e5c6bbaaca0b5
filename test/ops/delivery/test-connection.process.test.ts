import { expect, it } from 'vitest'
import { configOf, environmentOf } from '../../delivery/providers/opened.ts'
import { runHere } from '../../made/command-line.ts'
import { project } from '../../made/project.ts'
import { startGithub } from '../../made/providers/github.ts'
import type { GithubState } from '../../made/providers/github-state.ts'

async function tested(given: Partial<GithubState>, fail?: number) {
  const github = await startGithub(given)
  if (fail) github.fail = () => ({ status: fail })
  const root = project({ '.svc/config.yaml': configOf(github) })
  const { code, out, err } = await runHere(['test-connection', '--json'], {
    cwd: root,
    env: { PATH: process.env.PATH!, ...environmentOf(github) },
  })
  return { code, err, ...(out && { answer: JSON.parse(out) }) }
}

it('says what a personal token with all scopes may do, and that it writes no check runs', async () => {
  const { code, answer } = await tested({ token: { kind: 'person', scopes: 'repo, workflow' } })
  expect(code).toBe(0)
  expect(answer).toMatchObject({
    connected: true,
    provider: 'github',
    kind: 'devops_a',
    account: 'kim',
    scopes: ['repo', 'workflow'],
    token_source: 'GUARD_GITHUB_TOKEN',
  })
  expect(answer.abilities).toMatchObject({ comment: 'yes', push: 'yes', write_checks: 'no' })
})

it('says that a token without the scope may not write', async () => {
  const { answer } = await tested({ token: { kind: 'person', scopes: 'read:org' } })
  expect(answer.abilities).toMatchObject({ read_repository: 'yes', comment: 'no', push: 'no' })
})

it('calls unknown what an app’s token does not tell', async () => {
  const { answer } = await tested({ token: { kind: 'app' } })
  expect(answer.abilities).toMatchObject({ push: 'unknown', write_checks: 'unknown' })
})

it('is not connected with a refused token: exit 69', async () => {
  const { code, answer } = await tested({}, 401)
  expect([code, answer.connected, answer.problem]).toEqual([
    69,
    false,
    expect.stringContaining('does not know the token'),
  ])
})
