import { existsSync, mkdirSync } from 'node:fs'
import { demand, demandFailed, type Ground, TOKEN, type Try, WEAK } from '../ground.ts'

/** A program that leaves a mark where it is run. */
function plant(ground: Ground): { command: string; mark: string } {
  const mark = ground.beside('ran')
  ground.write({ '.git/planted.sh': `#!/bin/sh\ntouch ${mark}\nexit 1\n` })
  ground.git('update-index', '-q', '--refresh')
  return { command: `sh ${ground.at('.git/planted.sh')}`, mark }
}

export const history: Try[] = [
  {
    name: 'a partial clone whose remote names a program that fetches the missing objects',
    holds: 'git never fetches lazily, and starts no program that the repository names',
    attack: async ground => {
      ground.write({ 'gone.txt': 'first\n' })
      ground.commit('one')
      ground.write({ 'gone.txt': 'second\n' })
      ground.commit('two')
      const { command, mark } = plant(ground)
      const blob = ground.git('rev-parse', 'HEAD~1:gone.txt').trim()
      ground.git('config', 'core.repositoryformatversion', '1')
      ground.git('config', 'extensions.partialClone', 'origin')
      ground.git('config', 'remote.origin.url', ground.beside('nowhere'))
      ground.git('config', 'remote.origin.promisor', 'true')
      ground.git('config', 'remote.origin.uploadpack', command)
      removeObject(ground, blob)
      for (const args of [['gate', '--git-range', 'HEAD~1..HEAD'], ['secrets', '--history'], ['scan']])
        await ground.svc(args)
      demand(!existsSync(mark), 'the program of the repository was run')
    },
  },
  {
    name: 'a nested repository with a filter in its own configuration',
    holds: 'nested repositories are compared by their recorded commit, with the same hardened options',
    attack: async ground => {
      const { command, mark } = plant(ground)
      mkdirSync(ground.at('inner'))
      ground.write({ 'inner/a.txt': 'a\n', 'inner/.gitattributes': '* filter=planted\n' })
      inner(ground, 'init', '-q')
      inner(ground, 'add', '-A')
      inner(ground, 'commit', '-q', '-m', 'inner')
      ground.commit('nested')
      inner(ground, 'config', 'filter.planted.clean', command)
      inner(ground, 'config', 'filter.planted.process', command)
      ground.write({ 'inner/a.txt': 'b\n' })
      await ground.svc(['task-bind', 'work', '--path', '**'])
      for (const args of [['scan'], ['gate'], ['blast-check'], ['anomaly-scan'], ['harness-report']])
        await ground.svc(args)
      demand(!existsSync(mark), 'the program of the nested repository was run')
    },
  },
  {
    name: 'a command in the configuration of the repository under external_scanners',
    holds: 'a command from the repository runs only after a person has trusted it',
    attack: async ground => {
      const { mark } = plant(ground)
      ground.write({
        '.svc/config.yaml': `external_scanners:\n  mine:\n    command: [sh, ${ground.at('.git/planted.sh')}]\n    report: r.sarif\n`,
      })
      ground.commit('scanner')
      for (const args of [['scan', '--dry-run'], ['scan'], ['gate']]) await ground.svc(args, { CI: 'true' })
      demand(!existsSync(mark), 'the command was run')
    },
  },
  {
    name: 'a commit that moves a submodule',
    holds: 'what the change brings and is not scanned is counted and shown',
    attack: async ground => {
      const head = ground.git('rev-parse', 'HEAD').trim()
      ground.git('update-index', '--add', '--cacheinfo', `160000,${head},sub`)
      const ran = await ground.svc(['scan', '--staged'])
      demand(/submodule|nested repository/i.test(`${ran.out}${ran.err}`), 'the submodule is not mentioned', ran)
    },
  },
  {
    name: 'core.bare in the configuration, so that there is no work tree to scan',
    holds: 'core.bare does not change what is scanned',
    attack: async ground => {
      ground.write({ 'app.py': WEAK })
      ground.commit('weak')
      ground.write({ 'other.py': WEAK })
      ground.git('config', 'core.bare', 'true')
      demandFailed(await ground.svc(['gate']), 'other.py')
    },
  },
  {
    name: 'core.worktree that points at an empty directory',
    holds: 'the work tree is the directory that was named, or the scan says that it is not',
    attack: async ground => {
      ground.write({ 'app.py': WEAK })
      ground.commit('weak')
      mkdirSync(ground.beside('empty'))
      ground.git('config', 'core.worktree', ground.beside('empty'))
      const ran = await ground.svc(['gate'])
      demand(ran.code !== 0, 'the gate passed', ran)
    },
  },
  ...(['--assume-unchanged', '--skip-worktree'] as const).map(
    (flag): Try => ({
      name: `a changed file that git is told to take for unchanged (${flag})`,
      holds: 'the bits of the index do not say what is in the file',
      attack: async ground => {
        ground.git('update-index', flag, 'app.py')
        ground.write({ 'app.py': WEAK })
        demandFailed(await ground.svc(['gate']), 'app.py')
      },
    }),
  ),
  {
    name: 'a replacement ref that gives a commit another content',
    holds: 'a commit is what its id says',
    attack: async ground => {
      ground.write({ 'app.py': WEAK })
      ground.commit('weak')
      const weak = ground.git('rev-parse', 'HEAD:app.py').trim()
      const sound = ground.git('rev-parse', 'HEAD~1:app.py').trim()
      ground.git('replace', weak, sound)
      demandFailed(await ground.svc(['gate', '--git-range', 'HEAD~1..HEAD']), 'app.py')
    },
  },
  {
    name: 'a tracked file that .gitignore names as well',
    holds: 'what is tracked is scanned',
    attack: async ground => {
      ground.write({ 'app.py': WEAK, '.gitignore': 'app.py\n' })
      ground.git('add', '-f', '-A')
      ground.git('commit', '-q', '-m', 'ignored')
      demandFailed(await ground.svc(['gate']), 'app.py')
    },
  },
  {
    name: 'an ignore file that excludes everything, in the same change',
    holds: 'ignore files leave out only what git does not track',
    attack: async ground => {
      ground.write({ 'app.py': WEAK, '.gitignore': '*\n' })
      ground.git('add', '-f', '-A')
      ground.git('commit', '-q', '-m', 'ignored')
      demandFailed(await ground.svc(['gate', '--git-range', 'HEAD~1..HEAD']), 'app.py')
    },
  },
  {
    name: 'a sparse checkout that leaves the weak file out of the work tree',
    holds: 'a range is judged from the commits, and a whole scan lists what is not checked out',
    attack: async ground => {
      ground.write({ 'hidden/app.py': WEAK, 'shown/a.txt': 'a\n' })
      ground.commit('weak')
      ground.git('sparse-checkout', 'set', 'shown')
      demandFailed(await ground.svc(['gate', '--git-range', 'HEAD~1..HEAD']), 'hidden/app.py')
      const ran = await ground.svc(['scan', '--json'])
      const { run } = JSON.parse(ran.out) as { run: { skipped: { path: string; reason: string }[] } }
      demand(
        run.skipped.some(({ path }) => path === 'hidden/app.py'),
        'the file that is not checked out is not listed',
        ran,
      )
    },
  },
  {
    name: 'a secret in a linked work tree',
    holds: 'linked work trees are scanned like others',
    attack: async ground => {
      ground.git('worktree', 'add', '-q', ground.beside('linked'))
      ground.write({ '../linked/config.py': `token = "${TOKEN}"\n` })
      demandFailed(await ground.svc(['gate', ground.beside('linked')]), 'config.py')
    },
  },
  {
    name: 'a secret that one commit of the branch adds and the next one takes away',
    holds: 'the history is searched by svc secrets --history',
    attack: async ground => {
      ground.write({ 'config.py': `token = "${TOKEN}"\n` })
      ground.commit('add')
      ground.git('rm', '-q', 'config.py')
      ground.git('commit', '-q', '-m', 'remove')
      const ran = await ground.svc(['secrets', '--history'])
      demand(ran.code === 1 && ran.out.includes('config.py'), 'the secret of the history is not found', ran)
    },
  },
  {
    name: 'a weak file under a directory that has a repository of its own',
    holds: 'repositories nested in the work tree are scanned with it',
    attack: async ground => {
      mkdirSync(ground.at('nested'))
      ground.write({ 'nested/app.py': WEAK })
      ground.git('-C', ground.at('nested'), 'init', '-q')
      demandFailed(await ground.svc(['gate']), 'nested/app.py')
    },
  },
]

function inner(ground: Ground, ...args: string[]): void {
  ground.git('-C', ground.at('inner'), ...args)
}

/** Packs all objects but one: what a partial clone that never had it looks like. */
function removeObject(ground: Ground, oid: string): void {
  const script = `
    mkdir .git/new
    git rev-list --objects --all | cut -d ' ' -f 1 | grep -v ${oid} | git pack-objects -q .git/new/pack > .git/name
    rm -rf .git/objects/pack/* .git/objects/??
    mv .git/new/* .git/objects/pack/
    touch .git/objects/pack/pack-$(cat .git/name).promisor`
  ground.run('sh', '-e', '-c', script)
}
