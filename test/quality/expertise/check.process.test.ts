import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import expertise from '../../../engine/ops/quality/expertise.ts'
import { context, refusal, view } from '../../made/call.ts'
import { folder, write } from '../../made/folder.ts'
import { git } from '../../made/git.ts'

const DEFAULTS = { profile: false, staged: false, threshold: 0.2, hash_authors: false }
type Input = Partial<Parameters<typeof expertise.run>[0]>
const run = (root: string, input: Input = {}, env: Record<string, string> = {}) => {
  const given = context(root, { env })
  return Promise.resolve(expertise.run({ ...DEFAULTS, ...input } as never, given)).then(answer => ({
    ...answer,
    notices: given.notices,
  }))
}
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString()

/** Commits all that is there, as somebody else, some days ago. */
function commitAs(root: string, author: string, ago: number, files: Record<string, string> = {}): void {
  write(root, files)
  git(root, 'add', '-A')
  const date = day(ago)
  const identity = ['-c', `user.name=${author}`, '-c', `user.email=${author}@example.org`]
  // The committer's time is what `--since` goes by; git takes it from the environment alone.
  const before = process.env.GIT_COMMITTER_DATE
  process.env.GIT_COMMITTER_DATE = date
  try {
    git(root, ...identity, 'commit', '-q', '--allow-empty', '--date', date, '-m', 'work')
  } finally {
    if (before === undefined) delete process.env.GIT_COMMITTER_DATE
    else process.env.GIT_COMMITTER_DATE = before
  }
}

function history(): string {
  const root = folder()
  git(root, 'init', '-q', '-b', 'main')
  git(root, 'config', 'user.name', 'kim')
  git(root, 'config', 'user.email', 'kim@example.org')
  commitAs(root, 'old', 200, { 'src/old.rs': 'old\n' })
  for (let at = 0; at < 3; at++) commitAs(root, 'lee', 20 - at, { 'src/a.rs': `${at}\n` })
  commitAs(root, 'kim', 5, { 'web/a.ts': 'a\n', '.gitignore': 'out/\n' })
  return root
}

describe('svc check-expertise', () => {
  test('flags staged changes where others work and the author does not', async () => {
    const root = history()
    write(root, { 'src/b.rs': 'b\n', 'web/b.ts': 'b\n' })
    git(root, 'add', 'src/b.rs')
    const staged = await run(root, { staged: true })
    expect(staged.scope).toBe('staged')
    expect(staged.gaps).toMatchObject([
      { author: 'kim <kim@example.org>', kind: 'directory', name: 'src', severity: 'warning', gap: 1, area_commits: 3 },
      { kind: 'language', name: 'rust', severity: 'warning' },
    ])
    expect(expertise.exit?.(staged)).toBe(1)
    expect(expertise.text?.(staged, view)).toContain('no commit in src/ in the last 180 days, of 3 in all')
    // Beside a file that the author knows, half of the change is left.
    expect((await run(root)).gaps.map(({ gap }) => gap)).toEqual([0.5, 0.5])
    expect(expertise.exit?.(await run(root, { threshold: 0.6 }))).toBe(0)
  })

  test('checks the commits of a range by their authors, and by the history before them', async () => {
    const root = history()
    commitAs(root, 'kim', 1, { 'src/c.rs': 'c\n' })
    const { gaps, scope } = await run(root, { git_range: 'HEAD~1..HEAD' })
    expect(scope).toBe('range HEAD~1..HEAD')
    expect(gaps.map(({ author, name }) => `${author} ${name}`)).toEqual([
      'kim <kim@example.org> src',
      'kim <kim@example.org> rust',
    ])
  })

  test('checks a named range beside the profiles, too', async () => {
    const root = history()
    commitAs(root, 'kim', 1, { 'src/c.rs': 'c\n' })
    const answer = await run(root, { profile: true, git_range: 'HEAD~1..HEAD' })
    expect(answer.gaps.map(({ name }) => name)).toEqual(['src', 'rust'])
    expect(expertise.exit?.(answer)).toBe(1)
    const text = expertise.text!(answer, view)
    expect(text).toContain('Written to out/developer_profiles.json.')
    expect(text).toContain('2 expertise gaps of 0.2 or more in range HEAD~1..HEAD.')
  })

  test('takes two names of one author together, as .mailmap says', async () => {
    const root = history()
    write(root, { '.mailmap': 'kim <kim@example.org> <lee@example.org>\n', 'src/b.rs': 'b\n' })
    expect((await run(root)).gaps.filter(({ kind }) => kind === 'language')).toEqual([])
  })

  test('writes the profiles of the last 180 days', async () => {
    const root = history()
    const { file, profile } = await run(root, { profile: true })
    expect(file).toBe('out/developer_profiles.json')
    const record = JSON.parse(readFileSync(join(root, file!), 'utf8'))
    expect(record).toMatchObject({ version: 1, lookback_days: 180, commits: 4, shallow: false })
    expect(record.authors).toEqual(profile!.authors)
    expect(profile!.authors.map(({ author }) => author)).toEqual(['lee <lee@example.org>', 'kim <kim@example.org>'])
    expect(profile!.languages.rust).toEqual({ commits: 3, authors: 1 })
  })

  test('hashes authors with a key, the same one each time only where it is set', async () => {
    const root = history()
    const hashed = async (env = {}) => (await run(root, { profile: true, hash_authors: true }, env)).profile!.authors
    const [one, two] = [await hashed({ SVC_AUTHORS_KEY: 'k' }), await hashed({ SVC_AUTHORS_KEY: 'k' })]
    expect(one).toEqual(two)
    expect(await hashed()).not.toEqual(await hashed())
    expect(readFileSync(join(root, 'out/developer_profiles.json'), 'utf8')).not.toMatch(/kim|lee|example/)
  })

  test('says that a shallow clone knows less, and gives nobody the files of its last commit', async () => {
    const root = folder()
    git(root, 'clone', '-q', '--depth', '2', `file://${history()}`, '.')
    const { shallow, profile, notices } = await run(root, { profile: true })
    expect(shallow).toBe(true)
    expect(notices.join()).toContain('git fetch --unshallow')
    expect(profile!.commits).toBe(2)
    expect(profile!.languages.rust).toBeUndefined()
  })

  test('in a repository without a commit finds that nobody knows anything', async () => {
    const root = folder({ 'a.rs': 'x\n' })
    git(root, 'init', '-q')
    git(root, 'config', 'user.name', 'kim')
    git(root, 'config', 'user.email', 'kim@example.org')
    git(root, 'add', 'a.rs')
    expect((await run(root)).gaps.map(({ severity }) => severity)).toEqual(['info', 'info'])
  })

  test('ends with 66 outside of git and for an unknown revision, and with 64 for both kinds of change', async () => {
    expect((await refusal(() => run(folder({ 'a.rs': '' })))).row.exit).toBe(66)
    const root = history()
    expect((await refusal(() => run(root, { git_range: 'gone..HEAD' }))).row.exit).toBe(66)
    expect((await refusal(() => run(root, { git_range: 'HEAD~1', staged: true }))).row.exit).toBe(64)
  })
})
