import { existsSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import watch from '../../../engine/ops/scan/watch.ts'
import { watchChanges } from '../../../engine/scan/watch/changes.ts'
import { type PeriodicWork, watchRepository } from '../../../engine/scan/watch/watch.ts'
import { context, refusal } from '../../made/call.ts'
import { folder, write } from '../../made/folder.ts'
import { git } from '../../made/git.ts'
import { project } from '../../made/project.ts'
import { OWN_RULES, wordRule } from '../../made/rules.ts'
import { osvRecord } from '../../supply/osv-server.ts'

/** No answer takes this long, however much else runs. */
const LONGEST_MS = 50_000

/** A watch of a project that runs until the test is over, with what it said; `until` waits for a line that matches. */
function startWatch(root: string, more: Partial<Parameters<typeof watch.run>[0]> = {}, work?: PeriodicWork) {
  const controller = new AbortController()
  const said: string[] = []
  let onSaid = () => {}
  const say = (kind: string) => (text: string) => {
    said.push(`${kind}: ${text}`)
    onSaid()
  }
  const own = {
    env: { ...OWN_RULES, XDG_CACHE_HOME: folder({}) },
    signal: controller.signal,
    print: say('print'),
    status: say('status'),
    notice: say('notice'),
  }
  const input = { interval: 1, vulns: false, vuln_interval: 3600, fix: false, create_pr: false, ...more }
  const ended = refusal(() =>
    work ? watchRepository(input, context(root, own), work) : watch.run(input, context(root, own)),
  )
  ended.catch(() => {})
  onTestFinished(async () => {
    controller.abort()
    await ended.catch(() => {})
  })
  let seen = 0
  /** The next line that matches, behind the one that was waited for before. */
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      // Without this a watch that ended would be waited for until the test times out.
      ended.then(error => reject(error), reject)
      const late = () => reject(new Error(`nothing like ${pattern} was said:\n${said.slice(-12).join('\n')}`))
      setTimeout(LONGEST_MS, undefined, { ref: false }).then(late)
      onSaid = () => {
        while (seen < said.length) {
          const line = said[seen++]!
          if (!pattern.test(line)) continue
          onSaid = () => {}
          return resolve(line)
        }
      }
      onSaid()
    })
  return { until, said, ended, controller }
}

const RULE = wordRule('forbidden')

describe('svc watch', () => {
  test('prints new and resolved findings of a change, a new directory and a switched branch, until it is interrupted', async () => {
    const root = project({ ...RULE, 'a.txt': 'nothing\n', '.gitignore': 'out/\nbuild/\n' })
    git(root, 'checkout', '-q', '-b', 'other')
    git(root, 'checkout', '-q', '-')
    const { until, said, ended, controller } = startWatch(root)
    expect(await until(/watching/)).toBe('status: 0 open findings; watching for changes')
    write(root, { 'a.txt': 'the forbidden\n' })
    expect(await until(/^print/)).toMatch(/^print: new {7}high .*a\.txt:1 .*local-forbidden/)
    await until(/1 open finding; watching/)
    write(root, { 'new/deep/b.txt': 'the forbidden\n' })
    expect(await until(/^print/)).toMatch(/new .*new\/deep\/b\.txt:1/)
    await until(/watching/)
    rmSync(join(root, 'new'), { recursive: true })
    expect(await until(/^print/)).toMatch(/resolved .*new\/deep\/b\.txt:1/)
    await until(/watching/)
    git(root, 'commit', '-qam', 'word')
    git(root, 'checkout', '-q', 'other')
    expect(await until(/^print/)).toMatch(/resolved .*a\.txt:1/)
    controller.abort()
    expect((await ended).row.exit).toBe(130)
    expect(said.filter(line => line.startsWith('notice'))).toEqual([])
    expect(existsSync(join(root, 'out/run.json'))).toBe(true)
  })

  test('waits while git holds the index or rebases, and says so', async () => {
    const root = project({ ...RULE, 'a.txt': 'nothing\n' })
    const { until, said } = startWatch(root)
    await until(/watching/)
    const lock = join(root, '.git/index.lock')
    writeFileSync(lock, '')
    write(root, { 'a.txt': 'the forbidden\n' })
    expect(await until(/Waiting/)).toBe('status: Waiting for another git command to end')
    expect(said.at(-1)).toMatch(/Waiting/)
    mkdirSync(join(root, '.git/rebase-merge'))
    unlinkSync(lock)
    rmSync(join(root, '.git/rebase-merge'), { recursive: true })
    expect(await until(/^print/)).toMatch(/new .*a\.txt:1/)
  })

  test('prints nothing as resolved in a file that it cannot search, and what is gone once it can', async () => {
    const root = project({ ...RULE, 'a.txt': 'nothing\n', '.gitignore': 'out/\n' })
    const { until, said } = startWatch(root)
    await until(/watching/)
    write(root, { 'a.txt': 'the forbidden\n' })
    await until(/^print: new/)
    await until(/watching/)
    const encoded = { '.gitattributes': 'a.txt working-tree-encoding=none-such\n' }
    write(root, { ...encoded, 'a.txt': Buffer.from('the \xfcber\n', 'latin1') })
    expect(await until(/watching/)).toMatch(/1 open finding; watching/)
    expect(JSON.parse(readFileSync(join(root, 'out/run.json'), 'utf8')).skipped).toMatchObject([{ path: 'a.txt' }])
    write(root, { '.gitattributes': '', 'a.txt': 'the forbidden\n' })
    await until(/watching/)
    expect(said.filter(line => line.startsWith('print'))).toHaveLength(1)
    write(root, { 'a.txt': 'nothing\n' })
    expect(await until(/^print/)).toMatch(/resolved .*a\.txt:1/)
  })

  test('prints that a scan failed, also with --quiet, and scans again after the next change', async () => {
    const root = project({ ...RULE, 'a.txt': 'nothing\n' })
    const { until } = startWatch(root)
    await until(/watching/)
    write(root, { '.svc/config.yaml': 'gaet: 1\n' })
    expect(await until(/^print/)).toMatch(/failed {4}The scan failed: \.svc\/config\.yaml:1: gaet is not a known key/)
    write(root, { '.svc/config.yaml': '{}\n', 'a.txt': 'the forbidden\n' })
    expect(await until(/^print/)).toMatch(/new .*a\.txt:1/)
  })

  test('ends with an error where the directory is removed', async () => {
    const root = project({ ...RULE, 'a.txt': 'nothing\n' })
    const { until, ended } = startWatch(root)
    await until(/watching/)
    rmSync(root, { recursive: true, force: true })
    expect(await ended).toMatchObject({ code: 'REPO_NOT_FOUND', message: 'The directory that is watched was removed.' })
  })

  test('scans a change beside work that is due again as soon as it is done', async () => {
    const root = project({ ...RULE, 'a.txt': 'nothing\n', '.gitignore': 'out/\n' })
    const check = () => setTimeout(5)
    const { until } = startWatch(root, {}, { dueIn: () => 0, check, describe: () => 'always due' })
    await until(/always due; watching/)
    write(root, { 'a.txt': 'the forbidden\n' })
    expect(await until(/^print/)).toMatch(/new .*a\.txt:1/)
  })

  // Waited in vain twice among many tests on a loaded machine, for a reason that is not known; what was said before is in the error.
  test('prints vulnerabilities that appear and disappear, each time the interval has passed', {
    retry: 2,
  }, async () => {
    const advisory = (fixed: string) => ({ 'a.json': JSON.stringify(osvRecord('GHSA-a', 'PyPI', 'a', fixed)) })
    const database = folder(advisory('1.2.0'))
    const root = project({
      ...{ ...RULE, 'a.txt': 'nothing\n', '.gitignore': 'out/\n', 'requirements.txt': 'a==1.0\n' },
      '.svc/config.yaml': `vulns:\n  database: ${database}\n  in_scan: false\n`,
    })
    const { until } = startWatch(root, { vulns: true, vuln_interval: 1 })
    expect(await until(/^print/)).toMatch(
      /new {7}unknown {3}a@1\.0 {2}GHSA-a {2}fixed in 1\.2\.0 {2}requirements\.txt:1/,
    )
    expect(await until(/watching/)).toMatch(
      /0 open findings, 1 known vulnerability(, \d+ dependenc(y|ies) not evaluated)?; watching/,
    )
    write(root, { 'a.txt': 'the forbidden\n' })
    expect(await until(/^print/)).toMatch(/new .*a\.txt:1/)
    write(root, { 'requirements.txt': 'a==1.2.0\n' })
    expect(await until(/^print/)).toMatch(/resolved .*GHSA-a/)
    expect(existsSync(join(root, 'out/vulnerabilities.json'))).toBe(true)
  })

  // Timed out once among many tests at a time, for a reason that is not known; alone it takes six seconds.
  test('changes manifests with --fix', { retry: 2, timeout: 60_000 }, async () => {
    const database = folder({ 'a.json': JSON.stringify(osvRecord('GHSA-a', 'PyPI', 'a', '1.2.0')) })
    const root = project({
      ...{ ...RULE, '.gitignore': 'out/\n', 'requirements.txt': '# why\na==1.0\n' },
      '.svc/config.yaml': `vulns:\n  database: ${database}\n  in_scan: false\n`,
    })
    const { until } = startWatch(root, { vulns: true, vuln_interval: 1, fix: true })
    expect(await until(/print: changed/)).toMatch(
      /requirements\.txt:2 {2}a {2}==1\.0 → ==1\.2\.0; then run: pip install/,
    )
    expect(readFileSync(join(root, 'requirements.txt'), 'utf8')).toBe('# why\na==1.2.0\n')
    expect(await until(/print: resolved/)).toMatch(/GHSA-a/)
  })

  test('prints no vulnerability as resolved while its lock file cannot be read', { retry: 2 }, async () => {
    const database = folder({ 'a.json': JSON.stringify(osvRecord('GHSA-a', 'npm', 'a', '1.2.0')) })
    const lock = (version: string) =>
      JSON.stringify({
        name: 'b',
        lockfileVersion: 3,
        packages: { '': { name: 'b', dependencies: { a: '^1.0.0' } }, 'node_modules/a': { version } },
      })
    const root = project({
      ...{ ...RULE, '.gitignore': 'out/\n', 'package-lock.json': lock('1.0.0') },
      'package.json': '{ "name": "b", "dependencies": { "a": "^1.0.0" } }\n',
      '.svc/config.yaml': `vulns:\n  database: ${database}\n  in_scan: false\n`,
    })
    const { until, said } = startWatch(root, { vulns: true, vuln_interval: 1 })
    await until(/^print: new .*a@1\.0\.0 {2}GHSA-a/)
    write(root, { 'package-lock.json': lock('1.0.0').slice(0, 60) })
    expect(await until(/^print/)).toMatch(/^print: failed {4}Not evaluated: .*1 manifest that cannot be read/)
    expect(await until(/watching/)).toMatch(/1 known vulnerability/)
    write(root, { 'package-lock.json': lock('1.2.0') })
    expect(await until(/^print: (new|resolved)/)).toMatch(/resolved .*a@1\.0\.0 {2}GHSA-a/)
    expect(said.filter(line => /^print: (new|resolved)/.test(line))).toHaveLength(2)
  })

  test('prints that vulnerabilities were not checked, also with --quiet, and goes on', async () => {
    const root = project({
      ...{ ...RULE, '.gitignore': 'out/\n', 'requirements.txt': 'a==1.0\n', 'a.txt': 'nothing\n' },
      '.svc/config.yaml': 'vulns:\n  database: nowhere\n',
    })
    const { until } = startWatch(root, { vulns: true, vuln_interval: 3600 })
    expect(await until(/^print/)).toMatch(/failed {4}Vulnerabilities were not checked: .*nowhere does not exist/)
    expect(await until(/watching/)).toMatch(/vulnerabilities not known/)
    write(root, { 'a.txt': 'the forbidden\n' })
    expect(await until(/^print/)).toMatch(/new .*a\.txt:1/)
  })

  test('refuses options whose prerequisite is missing', async () => {
    const root = project({ ...RULE, 'a.txt': 'nothing\n' })
    for (const [options, exit] of [
      [{ fix: true }, 64],
      [{ create_pr: true }, 64],
      [{ vulns: true, create_pr: true }, 64],
      [{ vulns: true, fix: true, create_pr: true }, 64],
    ] as const)
      expect((await startWatch(root, options).ended).row.exit).toBe(exit)
  })
})

test('without file events changes are found by looking', async () => {
  const root = project({ 'a.txt': 'x\n' })
  const { signal } = new AbortController()
  const notices: string[] = []
  const fails = () => Promise.reject(new Error('inotify_add_watch on a failed: No space left on device'))
  const options = { root, own: [], exclude: [], interval: 1, signal, notice: (text: string) => void notices.push(text) }
  const changes = await watchChanges(options, async () => ({ subscribe: fails }))
  expect(changes.mode).toBe('polling')
  expect(notices).toEqual([
    'The limit of watched directories is reached (fs.inotify.max_user_watches). The repository is looked at every 1 s instead (--interval).',
  ])
  write(root, { 'b.txt': 'y\n' })
  await changes.next()
})
