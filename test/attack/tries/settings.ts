import { rmSync, symlinkSync } from 'node:fs'
import { demand, demandFailed, type Ground, TOKEN, type Try, WEAK, WEAK_RULE } from '../ground.ts'

/** A repository that has adopted svc, and a change of bad code with what is to hide it. */
function adopted(ground: Ground, files: Record<string, string>): void {
  ground.write({ '.svc/config.yaml': 'gate:\n  fail_on: [critical, high]\n' })
  ground.commit('adopt')
  ground.write({ 'app.py': WEAK, ...files })
}

/** Judges the change staged and as a commit. The hook tells of it, for a person may mean it; the gate holds it. */
async function demandHeld(ground: Ground): Promise<void> {
  ground.git('add', '-A', '-f')
  const hook = await ground.svc(['pre-commit-scan'])
  const isTold = /This commit weakens the gate/.test(`${hook.out}${hook.err}`)
  demand(hook.code === 1 || isTold, 'the commit hook says nothing of it', hook)
  ground.git('commit', '-q', '-m', 'change')
  demandFailed(await ground.svc(['gate', '--git-range', 'HEAD~1..HEAD']))
}

/** Settings that come with the bad code. */
const SETTINGS: Record<string, Record<string, string>> = {
  'a configuration in which no severity fails': { '.svc/config.yaml': 'gate:\n  fail_on: []\n' },
  'a configuration that excludes the file': { '.svc/config.yaml': 'scan_exclude: [app.py]\n' },
  'a configuration that disables the packs': {
    '.svc/config.yaml': 'packs:\n  detect: false\n  enable: []\n  disable: [python, secrets, web-generic]\n',
  },
  'a suppression that somebody "approved"': {
    '.svc/suppressions.yaml': `- rule: ${WEAK_RULE}\n  reason: fine\n  approved_by: Security Team\n`,
  },
  'an inline suppression': {
    'app.py': WEAK.replace('verify=False)', `verify=False)  # svc-ignore: ${WEAK_RULE} -- fine`),
  },
  'a legacy guard file': { '.guard.yaml': 'scan_exclude: ["**"]\n' },
}

/** A link of the project in the place of whatever stands there. */
function link(ground: Ground, path: string, target: string): void {
  rmSync(ground.at(path), { recursive: true, force: true })
  symlinkSync(target, ground.at(path))
}

/** Settings that the base keeps behind a link, and what the change makes of the target. */
const BEHIND: Record<
  string,
  { files: Record<string, string>; links: [string, string][]; change: Record<string, string> }
> = {
  'the configuration': {
    files: { 'conf/svc.yaml': 'gate:\n  fail_on: [critical, high]\n', '.svc/org.txt': 'ours\n' },
    links: [['.svc/config.yaml', '../conf/svc.yaml']],
    change: { 'conf/svc.yaml': 'gate:\n  fail_on: []\n' },
  },
  'the suppressions': {
    files: { 'conf/supp.yaml': '[]\n', '.svc/config.yaml': 'gate:\n  fail_on: [critical, high]\n' },
    links: [['.svc/suppressions.yaml', '../conf/supp.yaml']],
    change: { 'conf/supp.yaml': `- rule: ${WEAK_RULE}\n  reason: fine\n  approved_by: Kim\n` },
  },
  'all of .svc': {
    files: { 'conf/config.yaml': 'gate:\n  fail_on: [critical, high]\n' },
    links: [['.svc', 'conf']],
    change: { 'conf/config.yaml': 'scan_exclude: [app.py]\n' },
  },
}

export const settings: Try[] = [
  ...Object.entries(BEHIND).map(
    ([what, { files, links, change }]): Try => ({
      name: `bad code that edits the target of a link behind which the base keeps ${what}`,
      holds: 'links are resolved in the tree of each side, and what they lead to is a setting',
      attack: async ground => {
        ground.write(files)
        for (const [path, target] of links) link(ground, path, target)
        ground.commit('adopt')
        ground.write({ 'app.py': WEAK, ...change })
        await demandHeld(ground)
      },
    }),
  ),
  {
    name: 'bad code that links a directory of documents as the settings of its directory',
    holds: 'a link among the settings is a finding, and its target is judged as settings',
    attack: async ground => {
      adopted(ground, { 'sub/app.py': WEAK, 'docs/cfg/config.yaml': 'scan_exclude: ["*.py"]\n' })
      link(ground, 'sub/.svc', '../docs/cfg')
      await demandHeld(ground)
    },
  },
  {
    name: 'bad code that puts a submodule in the place of .svc',
    holds: 'a submodule holds no settings: it is a finding, and the base decides',
    attack: async ground => {
      adopted(ground, {})
      ground.git('rm', '-q', '-r', '--cached', '.svc')
      rmSync(ground.at('.svc'), { recursive: true })
      ground.write({ '.svc/config.yaml': 'gate:\n  fail_on: []\n' })
      ground.git('-C', '.svc', 'init', '-q')
      ground.git('-C', '.svc', 'add', '-A')
      ground.git('-C', '.svc', 'commit', '-q', '-m', 'settings')
      await demandHeld(ground)
    },
  },
  {
    name: 'bad code in a repository whose .svc has been a submodule all along',
    holds: 'a submodule holds no settings: it is a finding, and the base decides',
    attack: async ground => {
      ground.write({ '.svc/config.yaml': 'gate:\n  fail_on: []\n' })
      ground.git('-C', '.svc', 'init', '-q')
      ground.git('-C', '.svc', 'add', '-A')
      ground.git('-C', '.svc', 'commit', '-q', '-m', 'settings')
      ground.commit('adopt')
      ground.write({ 'app.py': WEAK })
      await demandHeld(ground)
    },
  },
  ...Object.entries(SETTINGS).map(
    ([what, files]): Try => ({
      name: `bad code that brings ${what}`,
      holds: 'a change is judged by the settings of its base, and what weakens them is a finding',
      attack: async ground => {
        adopted(ground, files)
        await demandHeld(ground)
      },
    }),
  ),
  {
    name: 'bad code in a directory that brings a configuration of its own',
    holds: 'configurations of directories are read from the base too',
    attack: async ground => {
      adopted(ground, { 'sub/app.py': WEAK, 'sub/.svc/config.yaml': 'gate:\n  fail_on: []\n', 'app.py': 'print(1)\n' })
      await demandHeld(ground)
    },
  },
  {
    name: 'bad code that brings a baseline with its own finding',
    holds: 'the baseline is that of the base commit',
    attack: async ground => {
      adopted(ground, {})
      const made = await ground.svc(['scan', '--update-baseline'])
      demand(made.code === 0, 'the baseline could not be made', made)
      await demandHeld(ground)
    },
  },
  {
    name: 'bad code in a commit, and the weaker configuration in the commit before it',
    holds: 'the range is judged from its base, not from its last commit',
    attack: async ground => {
      ground.write({ '.svc/config.yaml': 'gate:\n  fail_on: [critical, high]\n' })
      ground.commit('adopt')
      ground.write({ '.svc/config.yaml': 'gate:\n  fail_on: []\n' })
      ground.commit('weaken')
      ground.write({ 'app.py': WEAK })
      ground.commit('change')
      demandFailed(await ground.svc(['gate', '--git-range', 'HEAD~2..HEAD']))
    },
  },
  {
    name: 'an agent that suppresses a rule on the command line',
    holds: 'whatever weakens the judgement needs a person, on every surface',
    attack: async ground => {
      adopted(ground, {})
      const env = { CLAUDECODE: '1' }
      const ran = await ground.svc(['suppress', '--rule', WEAK_RULE, '--reason', 'fine'], env)
      demand(ran.code !== 0, 'the suppression was written', ran)
    },
  },
  {
    name: 'an agent that disables a pack on the command line',
    holds: 'whatever weakens the judgement needs a person, on every surface',
    attack: async ground => {
      adopted(ground, {})
      const ran = await ground.svc(['remove-pack', 'python'], { CLAUDECODE: '1' })
      demand(ran.code !== 0, 'the pack was disabled', ran)
    },
  },
  {
    name: 'an agent that excludes a path on the command line',
    holds: 'whatever weakens the judgement needs a person, on every surface',
    attack: async ground => {
      adopted(ground, {})
      const ran = await ground.svc(['exclude', 'app.py'], { CLAUDECODE: '1' })
      demand(ran.code !== 0, 'the path was excluded', ran)
    },
  },
  {
    name: 'an agent that renews the baseline',
    holds: 'whatever weakens the judgement needs a person, on every surface',
    attack: async ground => {
      adopted(ground, {})
      const ran = await ground.svc(['scan', '--update-baseline'], { CLAUDECODE: '1' })
      demand(ran.code !== 0, 'the baseline was written', ran)
    },
  },
  {
    name: 'a secret in the baseline of the repository itself',
    holds: 'a baseline that holds anything but fingerprints is refused',
    attack: async ground => {
      ground.write({ '.svc/baseline.json': `{"version":1,"findings":[{"token":"${TOKEN}"}]}\n` })
      const ran = await ground.svc(['gate'])
      demand(ran.code !== 0, 'the gate passed', ran)
    },
  },
]
