import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { attributeCommits, attributeFindings, sumContributions } from '../../../engine/assure/attribution/attribute.ts'
import { refusal } from '../../made/call.ts'
import { folder, write } from '../../made/folder.ts'

const signal = new AbortController().signal

function repository() {
  const root = folder()
  const git = (env: Record<string, string>, ...args: string[]) =>
    execFileSync('git', args, { cwd: root, env: { ...process.env, ...env }, stdio: 'pipe' })
  git({}, 'init', '-q', '-b', 'main')
  const commit = (
    file: string,
    text: string,
    message: string,
    name = 'Kim',
    email = 'kim@example.org',
    date = '2026-01-01T12:00:00Z',
  ) => {
    write(root, { [file]: text })
    git({}, 'add', '.')
    const who = {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    }
    git(who, 'commit', '-q', '-m', message)
  }
  return { root, commit }
}

it('commits are attributed by session, author and trailer, each with its confidence', async () => {
  const { root, commit } = repository()
  commit('a.py', 'a\nb\n', 'by hand')
  commit('b.py', 'a\n', 'with help\n\nCo-authored-by: Claude <noreply@anthropic.com>')
  commit('c.py', 'a\nb\nc\n', 'alone', 'Cursor Agent', 'cursoragent@cursor.com')
  commit('d.py', 'a\n', 'in a session', 'Kim', 'kim@example.org', '2026-02-01T10:00:00Z')
  commit('e.py', 'a\n', 'by the bot', 'Bot', 'BOT@example.org')
  commit('f.py', 'a\n', 'a person\n\nCo-authored-by: Claudette <claudette@example.org>')
  const sessions = [
    { agent: 'codex', created_at: '2026-02-01T09:00:00.000Z', ended_at: '2026-02-01T11:00:00.000Z', files: ['d.py'] },
  ]
  const own = new Map([['bot@example.org', 'build-bot']])
  const commits = await attributeCommits(root, 'HEAD', { own, sessions, signal })
  expect(commits.map(({ agent, basis, confidence, added }) => [agent, basis, confidence, added])).toEqual([
    [null, 'none', 'low', 1],
    ['build-bot', 'author', 'high', 1],
    ['codex', 'task_session', 'high', 1],
    ['cursor', 'author', 'high', 3],
    ['claude-code', 'trailer', 'medium', 1],
    [null, 'none', 'low', 2],
  ])
  const { counts, outside } = await attributeFindings(
    root,
    [
      { file: 'c.py', line: 2 },
      { file: 'a.py', line: 1 },
      { file: 'gone.py', line: 1 },
    ],
    commits,
    signal,
  )
  expect([[...counts], outside]).toEqual([
    [
      ['cursor', 1],
      ['human', 1],
    ],
    1,
  ])
  expect(sumContributions(commits, counts).slice(0, 2)).toEqual([
    { who: 'human', commits: 2, added: 3, deleted: 0, by_confidence: { high: 0, medium: 0, low: 2 }, findings: 1 },
    { who: 'cursor', commits: 1, added: 3, deleted: 0, by_confidence: { high: 1, medium: 0, low: 0 }, findings: 1 },
  ])
  expect(await attributeCommits(root, 'HEAD~1..HEAD', { own, sessions, signal })).toHaveLength(1)
  expect((await refusal(() => attributeCommits(root, '--output=x', { own, sessions, signal }))).code).toBe('NOT_FOUND')
})
