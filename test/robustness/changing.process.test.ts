import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lastRun, start, svc } from '../../bench/soak/program.ts'
import { Random } from '../../bench/soak/random.ts'
import { project } from '../made/project.ts'

const FILES = 150
const name = (index: number) => `d${index % 10}/f${index}.py`
const CODE = 'yaml.load(input(), Loader=yaml.Loader)\n'

/** Changes a file as editors, builds and other people do, and worse. */
function disturb(root: string, random: Random): void {
  const path = join(root, name(random.below(FILES)))
  try {
    const what = random.below(7)
    // A pipe would make this process wait for a reader.
    const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
    if (what === 0) rmSync(path, { recursive: true, force: true })
    else if (what === 1 && isFile) writeFileSync(path, 'y = 2\n')
    else if (what === 2 && isFile) appendFileSync(path, CODE.repeat(2000))
    else if (what === 3) {
      writeFileSync(`${path}.new`, 'x = 1\n')
      renameSync(`${path}.new`, path)
    } else if (what === 4) {
      rmSync(path, { recursive: true, force: true })
      symlinkSync(path, path)
    } else if (what === 5) {
      rmSync(path, { recursive: true, force: true })
      mkdirSync(path)
    } else {
      rmSync(path, { recursive: true, force: true })
      execFileSync('mkfifo', [path])
    }
  } catch {
    // What does not go in this state is no change.
  }
}

test('scans of a tree that changes under them, two at once, come to their end, and what they keep is right when it is calm', async () => {
  const root = project(Object.fromEntries(Array.from({ length: FILES }, (_, index) => [name(index), CODE])))
  const random = new Random(7)
  for (let round = 0; round < 2; round++) {
    const timer = setInterval(() => disturb(root, random), 3)
    try {
      const scans = await Promise.all([start(root, ['scan', '--quiet']).ended, start(root, ['scan', '--quiet']).ended])
      for (const { code, stderr } of scans) expect(`${code} ${stderr}`).toBe('0 ')
    } finally {
      clearInterval(timer)
    }
    const { counts, skipped } = lastRun(root)
    // Each of the index is scanned or listed; a folder in a file's place may bring more.
    expect(counts.files + skipped.length).toBeGreaterThanOrEqual(FILES)
  }
  const findings = async (...more: string[]) => {
    const { code, stderr } = await svc(root, ['scan', '--quiet', ...more])
    expect(`${code} ${stderr}`).toBe('0 ')
    return readFileSync(join(root, 'out/findings.json'), 'utf8')
  }
  expect(await findings()).toBe(await findings('--no-cache'))
})

test('names that no person would give, links in a circle and a pipe hold nothing up, and what is found is in every report', async () => {
  const long = 'n'.repeat(250)
  const odd = [
    'new\nline.py',
    'tab\t.py',
    'quo"te.py',
    '-rf.py',
    `${long}.py`,
    ' lead.py',
    'ünï.py',
    '%41.py',
    'a\\b.py',
  ]
  const root = project(Object.fromEntries(odd.map(name => [name, CODE])))
  writeFileSync(Buffer.from(`${root}/bad-\xff\xfe.py`, 'latin1'), CODE)
  symlinkSync('round', join(root, 'round'))
  symlinkSync('..', join(root, 'up'))
  execFileSync('mkfifo', [join(root, 'pipe.py')])
  const { code, stderr } = await svc(root, ['scan', '--quiet'], 60_000)
  expect(`${code} ${stderr}`).toBe('0 ')
  const findings = JSON.parse(readFileSync(join(root, 'out/findings.json'), 'utf8')) as { file: string }[]
  expect(findings).toHaveLength(odd.length + 1)
  expect(findings.map(({ file }) => file)).toEqual(expect.arrayContaining(odd))
  const { skipped } = lastRun(root)
  // The pipe is nothing that git lists; it must only not be waited for.
  expect(skipped.map(({ path }) => path).sort()).toEqual(['round', 'up'])
  const sarif = JSON.parse(readFileSync(join(root, 'out/report.sarif'), 'utf8'))
  expect(sarif.runs[0].results).toHaveLength(odd.length + 1)
})
