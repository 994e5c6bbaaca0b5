import { spawn } from 'node:child_process'
import { lstatSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { demand, demandFailed, type Ground, PROGRAM, type Try, WEAK, WEAK_RULE } from '../ground.ts'

/** As long as `WEAK`, and harmless. */
const FINE = `${'#'.repeat(WEAK.length - 1)}\n`

/** The project with the harmless file, scanned twice, so that the cache knows it. */
async function remembered(ground: Ground): Promise<void> {
  ground.write({ 'app.py': FINE, '.gitignore': 'out/\n.svc/\n' })
  ground.commit('fine')
  for (let time = 0; time < 2; time++) {
    const ran = await ground.svc(['gate'])
    demand(ran.code === 0, 'the gate fails on a harmless file', ran)
  }
}

/** Writes the weak content and gives the file another time of its last change. */
function swap(ground: Ground, time: (before: Date) => Date): void {
  const { atime, mtime } = lstatSync(ground.at('app.py'))
  writeFileSync(ground.at('app.py'), WEAK)
  utimesSync(ground.at('app.py'), atime, time(mtime))
}

const notebook = (lines: readonly string[]): string =>
  `${JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { language_info: { name: 'python' } },
    cells: [
      {
        cell_type: 'code',
        id: 'a',
        metadata: {},
        outputs: [],
        execution_count: null,
        source: lines.map(line => `${line}\n`),
      },
    ],
  })}\n`

const DAY = 86_400_000
const [IMPORT = '', CALL = ''] = WEAK.split('\n')

export const times: Try[] = [
  {
    name: 'a file changed to one of the same size, its time of change set back',
    holds: 'git and the cache know a file by its content and its inode, and not by a time that anybody sets',
    attack: async ground => {
      await remembered(ground)
      swap(ground, before => before)
      demandFailed(await ground.svc(['gate']), 'app.py')
    },
  },
  {
    name: 'a changed file whose time of change lies in the future',
    holds: 'no time decides whether a file is read',
    attack: async ground => {
      await remembered(ground)
      swap(ground, before => new Date(before.getTime() + 3650 * DAY))
      demandFailed(await ground.svc(['gate']), 'app.py')
    },
  },
  {
    name: 'a suppression that expired long ago',
    holds: 'an expired suppression covers nothing',
    attack: async ground => {
      ground.write({
        'app.py': WEAK,
        '.svc/suppressions.yaml': `- rule: ${WEAK_RULE}\n  reason: fine\n  approved_by: kim\n  expires: 2001-01-01\n`,
      })
      ground.commit('expired')
      demandFailed(await ground.svc(['gate']), 'app.py')
    },
  },
  {
    name: 'a change that moves the expiry of a suppression far away',
    holds: 'a longer suppression is a weaker one, and the change is judged by its base',
    attack: async ground => {
      const entry = (expires: string) =>
        `- rule: ${WEAK_RULE}\n  reason: fine\n  approved_by: kim\n  expires: ${expires}\n`
      ground.write({ '.svc/suppressions.yaml': entry('2001-01-01') })
      ground.commit('adopt')
      ground.write({ 'app.py': WEAK, '.svc/suppressions.yaml': entry('9999-12-31') })
      demandFailed(await ground.svc(['gate']), 'suppressions.yaml')
      ground.commit('change')
      demandFailed(await ground.svc(['gate', '--git-range', 'HEAD~1..HEAD']), 'suppressions.yaml', 'app.py')
    },
  },
  {
    name: 'a file that is replaced again and again while it is scanned',
    holds:
      'a result is kept under the digest of the bytes that were read, so that the next scan reads what stands there',
    attack: async ground => {
      await remembered(ground)
      writeFileSync(ground.beside('weak'), WEAK)
      const running = spawn(process.execPath, [PROGRAM, 'gate'], { cwd: ground.root, env: ground.env, stdio: 'ignore' })
      const ended = new Promise<void>(resolve => running.once('exit', () => resolve()))
      let isRunning = true
      void ended.then(() => {
        isRunning = false
      })
      for (let turn = 0; isRunning; turn++) {
        writeFileSync(ground.beside('next'), turn % 2 === 0 ? WEAK : FINE)
        renameSync(ground.beside('next'), ground.at('app.py'))
        await new Promise(resolve => setTimeout(resolve, 1))
      }
      renameSync(ground.beside('weak'), ground.at('app.py'))
      demandFailed(await ground.svc(['gate']), 'app.py')
    },
  },
  {
    name: 'a notebook whose cell suppresses its own weak line',
    holds: 'a suppression that comes with the change is a finding, in cells of notebooks too',
    attack: async ground => {
      ground.write({ '.svc/config.yaml': 'gate:\n  fail_on: [critical, high]\n' })
      ground.commit('adopt')
      ground.write({ 'a.ipynb': notebook([IMPORT, `${CALL}  # svc-ignore: ${WEAK_RULE} -- fine`]) })
      ground.commit('change')
      demandFailed(await ground.svc(['gate', '--git-range', 'HEAD~1..HEAD']), 'a.ipynb')
    },
  },
  {
    name: 'a notebook that suppresses in the text beside the code',
    holds: 'only a comment on the line, or above it, in the code itself suppresses',
    attack: async ground => {
      const text = JSON.parse(notebook([IMPORT, CALL]))
      text.metadata.note = `svc-ignore: ${WEAK_RULE} -- fine`
      text.cells.unshift({
        cell_type: 'markdown',
        id: 'b',
        metadata: {},
        source: [`# svc-ignore: ${WEAK_RULE} -- fine\n`],
      })
      ground.write({ 'a.ipynb': `${JSON.stringify(text)}\n` })
      ground.commit('change')
      demandFailed(await ground.svc(['gate']), 'a.ipynb')
    },
  },
]
