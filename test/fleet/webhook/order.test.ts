import { describe, expect, test } from 'vitest'
import { comparePushes } from '../../../engine/fleet/queue/job.ts'
import { readEvent } from '../../../engine/fleet/webhook/events.ts'
import { isOutdated } from '../../../engine/fleet/webhook/submit.ts'

const [A, B, C, D] = ['a', 'b', 'c', 'd'].map(digit => digit.repeat(40)) as [string, string, string, string]

describe('a push', () => {
  test.each([
    ['of a branch of which none is known is newer', { commit: A }, undefined, 'newer'],
    ['that says that the branch was at the known commit is newer', { commit: B, before: A }, { commit: A }, 'newer'],
    ['whose commit the known one came after is older', { commit: A }, { commit: B, before: A }, 'older'],
    ['that resets the branch is newer', { commit: A, before: B }, { commit: B, before: A }, 'newer'],
    ['of a later number is newer', { commit: D, before: C, number: 9 }, { commit: B, before: A, number: 7 }, 'newer'],
    [
      'of an earlier number is older',
      { commit: B, before: A, number: 7 },
      { commit: D, before: C, number: 9 },
      'older',
    ],
    ['at the same time is of unknown age', { commit: B, number: 7 }, { commit: D, number: 7 }, 'unknown'],
    ['that nothing is said of is of unknown age', { commit: D, before: C }, { commit: B, before: A }, 'unknown'],
  ])('%s', (_, push, known, age) => {
    expect(comparePushes(push, known)).toBe(age)
  })

  test('of unknown age is outdated where the branch still is at the known commit', async () => {
    const [push, known] = [{ commit: A }, { commit: C, before: B }]
    expect(await isOutdated(push, known, async () => C)).toBe(true)
    for (const head of [A, D, undefined]) expect(await isOutdated(push, known, async () => head)).toBe(false)
    const refuse = async () => {
      throw new Error('the server is asked though the delivery tells')
    }
    // Also an older one, unless the branch is at it: anybody who knows the secret can forge the known one.
    for (const head of [C, D, undefined]) expect(await isOutdated({ commit: B }, known, async () => head)).toBe(true)
    expect(await isOutdated({ commit: B }, known, async () => B)).toBe(false)
    expect(await isOutdated({ commit: D, before: C }, known, refuse)).toBe(false)
  })
})

test('deliveries say where their push stands among those of the branch', () => {
  const main = { default_branch: 'main' }
  const push = { ref: 'refs/heads/main', before: A, after: B }
  const github = {
    ...push,
    repository: { ...main, clone_url: 'https://github.com/acme/shop.git', pushed_at: 1700000000 },
  }
  expect(readEvent('github', { 'x-github-event': 'push' }, github).scans).toMatchObject([
    { push: { before: A, number: 1700000000 } },
  ])
  const gitlab = {
    ...push,
    object_kind: 'push',
    project: { ...main, git_http_url: 'https://gitlab.com/acme/shop.git' },
  }
  expect(readEvent('gitlab', {}, gitlab).scans).toMatchObject([{ push: { before: A } }])
  const resource = {
    ...{ pushId: 14, refUpdates: [{ name: 'refs/heads/main', oldObjectId: '0'.repeat(40), newObjectId: B }] },
    repository: { remoteUrl: 'https://dev.azure.com/acme/p/_git/shop', defaultBranch: 'refs/heads/main' },
  }
  // A branch that is new was at no commit before.
  expect(readEvent('azure', {}, { eventType: 'git.push', resource }).scans).toMatchObject([{ push: { number: 14 } }])
})
