import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { demand, demandFailed, type Ground, TOKEN, type Try, WEAK } from '../ground.ts'

/** A word that no output may show: it stands for a token of the environment or a file of the system. */
const PRIVATE = 'do-not-print-me-4711'

/** Files that svc reads as settings. */
const SETTINGS = [
  '.svc/config.yaml',
  '.guard.yaml',
  '.svc/suppressions.yaml',
  '.svc/baseline.json',
  '.svc/rules/own.yaml',
  '.gitignore',
  '.gitattributes',
]

/** What stands in the place of such a file. */
const FORMS: Record<string, (ground: Ground, path: string) => void> = {
  'a link to an endless device': (ground, path) => symlinkSync('/dev/zero', ground.at(path)),
  'a link to the environment of the process': (ground, path) => symlinkSync('/proc/self/environ', ground.at(path)),
  'a pipe that nobody writes to': (ground, path) => {
    spawnSync('mkfifo', [ground.at(path)])
  },
  'a link to itself': (ground, path) => symlinkSync(ground.at(path), ground.at(path)),
}

/** The program ends by itself, with an answer or a clear refusal, and prints nothing of what the file led to. */
function demandAnswer(ground: Ground): void {
  const ran = ground.program(['gate'], { PRIVATE_TOKEN: PRIVATE })
  demand(ran.code !== null && ran.code !== 70, 'the program was ended, or failed inside', ran)
  demand(!`${ran.out}${ran.err}`.includes(PRIVATE), 'the environment was printed', ran)
}

export const files: Try[] = [
  ...Object.entries(FORMS).map(
    ([what, put]): Try => ({
      name: `${what} in the place of each file of settings`,
      holds: 'settings are regular files inside the repository, of bounded size, opened without waiting',
      attack: async ground => {
        for (const path of SETTINGS) {
          mkdirSync(dirname(ground.at(path)), { recursive: true })
          put(ground, path)
          demandAnswer(ground)
          rmSync(ground.at(path), { force: true })
        }
      },
    }),
  ),
  {
    name: 'new code in an out/ of the project, after `svc init`',
    holds: 'svc init leaves a directory with files of the project visible to git and to the scan',
    attack: async ground => {
      ground.write({ 'out/page.py': 'print("page")\n' })
      ground.commit('a directory named out')
      await ground.svc(['init'])
      ground.write({ 'out/new.py': WEAK })
      demandFailed(await ground.svc(['gate']), 'new.py')
    },
  },
  {
    name: 'a comment and a class that look like code of a web framework, beside a command injection',
    holds: 'no file is left out of taint analysis for what it looks like',
    attack: async ground => {
      const code = "app.get('/', (req, res) => { require('node:child_process').exec(req.query.command) })\n"
      ground.write({ 'a.js': `// ServerResponse.prototype\n${code}`, 'b.js': `class Request {}\n${code}` })
      const ran = await ground.svc(['gate'])
      demandFailed(ran, 'a.js')
      demandFailed(ran, 'b.js')
    },
  },
  {
    name: 'a configuration that is a link to a file outside, whose lines an error would quote',
    holds: 'settings are not followed out of the repository, and an error quotes no line',
    attack: async ground => {
      writeFileSync(ground.beside('private.txt'), `root:${PRIVATE}:0\n  - [${PRIVATE}\n`)
      mkdirSync(ground.at('.svc'))
      symlinkSync(ground.beside('private.txt'), ground.at('.svc/config.yaml'))
      demandAnswer(ground)
    },
  },
  {
    name: 'a configuration in broken YAML that holds a token',
    holds: 'an error quotes at most the key that it did not know',
    attack: async ground => {
      ground.write({ '.svc/config.yaml': `gate: [${PRIVATE}\n  "x: ${TOKEN}\n` })
      const ran = await ground.svc(['gate'])
      demand(ran.code === 64, 'the configuration was not refused', ran)
      demand(!`${ran.out}${ran.err}`.includes(TOKEN), 'the token was printed', ran)
    },
  },
  {
    name: 'a link to a secret outside the repository',
    holds: 'links that lead outside are not followed, and are counted',
    attack: async ground => {
      writeFileSync(ground.beside('private.txt'), `token = "${TOKEN}"\n`)
      symlinkSync(ground.beside('private.txt'), ground.at('leak.txt'))
      ground.commit('link')
      const ran = await ground.svc(['scan', '--json'])
      demand(!ran.out.includes(TOKEN.slice(8)), 'what lies outside was printed', ran)
      const { run } = JSON.parse(ran.out) as { run: { skipped: { path: string }[] } }
      demand(
        run.skipped.some(({ path }) => path === 'leak.txt'),
        'the link is not listed',
        ran,
      )
    },
  },
  {
    name: 'a link that leads outside, staged',
    holds: 'what the commit brings and is not scanned is counted and shown',
    attack: async ground => {
      symlinkSync('/etc/passwd', ground.at('leak.txt'))
      ground.git('add', '-A')
      const ran = await ground.svc(['scan', '--staged'])
      demand(/1 (?:file|link|skipped)|leak\.txt/.test(`${ran.out}${ran.err}`), 'the link is not mentioned', ran)
    },
  },
  {
    name: 'a directory of the repository replaced by a link to another place',
    holds: 'no directory above a file may be a link',
    attack: async ground => {
      ground.write({ 'conf/app.py': 'print(1)\n' })
      ground.commit('directory')
      mkdirSync(ground.beside('other'))
      writeFileSync(ground.beside('other/app.py'), `token = "${TOKEN}"\n`)
      rmSync(ground.at('conf'), { recursive: true })
      symlinkSync(ground.beside('other'), ground.at('conf'))
      const ran = await ground.svc(['scan', '--json'])
      demand(!ran.out.includes(TOKEN.slice(8)), 'what lies outside was printed', ran)
    },
  },
  {
    name: "a directory named out of the project's own",
    holds: 'svc writes only into a directory that is absent or its own',
    attack: async ground => {
      ground.write({ 'out/report.html': 'the report of the project\n' })
      ground.commit('own out')
      await ground.svc(['scan'])
      demand(ground.read('out/report.html') === 'the report of the project\n', 'the file was overwritten')
    },
  },
  {
    name: 'a link named out that leads outside',
    holds: 'results are written inside the repository, or where the user says',
    attack: async ground => {
      mkdirSync(ground.beside('elsewhere'))
      writeFileSync(ground.beside('elsewhere/report.html'), 'of somebody else\n')
      symlinkSync(ground.beside('elsewhere'), ground.at('out'))
      await ground.svc(['scan'])
      const { stdout } = spawnSync('cat', [ground.beside('elsewhere/report.html')], { encoding: 'utf8' })
      demand(stdout === 'of somebody else\n', 'a file outside was overwritten')
    },
  },
  {
    name: 'a file name with line feeds and the words of a passing gate',
    holds: 'names are shown on one line, with controls made visible',
    attack: async ground => {
      ground.write({ 'x\n\x1b[32mGate passed\x1b[0m\n.py': WEAK })
      ground.commit('name')
      const ran = await ground.svc(['gate'])
      demandFailed(ran)
      demand(!ran.out.split('\n').some(line => /^\S*Gate passed/.test(line)), 'the name forges a line', ran)
    },
  },
  {
    name: 'a file name that looks like an option',
    holds: 'names are handed over as names',
    attack: async ground => {
      ground.write({ '--output=x.py': WEAK, '-rf.py': WEAK })
      ground.commit('names')
      demandFailed(await ground.svc(['gate', '--git-range', 'HEAD~1..HEAD']))
    },
  },
  {
    name: 'a file name that is no UTF-8',
    holds: 'names are bytes, and each has one way of being written',
    attack: async ground => {
      const made = spawnSync(
        'sh',
        ['-c', `printf 'import requests\\nrequests.get("x", verify=False)\\n' > "$(printf 'caf\\351.py')"`],
        {
          cwd: ground.root,
        },
      )
      demand(made.status === 0, 'the file could not be made')
      ground.commit('name')
      demandFailed(await ground.svc(['gate', '--git-range', 'HEAD~1..HEAD']))
    },
  },
  {
    name: 'a configuration in a directory .SVC beside the real one',
    holds: 'another case is another directory where the file system tells them apart',
    attack: async ground => {
      ground.write({ '.SVC/config.yaml': 'gate:\n  fail_on: []\n', 'app.py': WEAK })
      ground.commit('case')
      demandFailed(await ground.svc(['gate']), 'app.py')
    },
  },
  {
    name: 'a results cache that the repository brings',
    holds: 'a tracked cache is not trusted',
    attack: async ground => {
      await ground.svc(['scan'])
      ground.git('add', '-f', '.svc')
      ground.write({ 'app.py': WEAK })
      ground.commit('cache')
      demandFailed(await ground.svc(['gate']), 'app.py')
    },
  },
]
