import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HOOKS, type Plant } from './plants.ts'

/** A repository in which everything that can name a program names one; each program leaves a marker. */
export interface HostileRepository {
  /** Directory of all of it: the repository, its programs, the markers. */
  base: string
  root: string
  /** Environment in which git and svc are started: the repository's directory is on the PATH, as an empty entry and by name. */
  env: Record<string, string>
  /** Names of the programs that have run since the last call. */
  takeMarkers(): string[]
}

const IDENTITY = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'protocol.file.allow=always']

/** Makes the hostile repository in a new directory. */
export function plantRepository(base: string): HostileRepository {
  const [root, plants, marks] = [join(base, 'repo'), join(base, 'plants'), join(base, 'marks')]
  for (const directory of [root, plants, marks]) mkdirSync(directory, { recursive: true })
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', [...IDENTITY, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
      .toString()
      .trim()
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  /** A program that leaves its marker; `then` is what it does beyond. */
  const plant = (name: string, then = 'exit 1', path = join(plants, name)) => {
    writeFileSync(path, `#!/bin/sh\n: > '${join(marks, name)}'\n${then}\n`)
    chmodSync(path, 0o755)
    return path
  }
  const repository = (folder: string, name: string) => {
    mkdirSync(folder, { recursive: true })
    git(folder, 'init', '-q', '-b', 'main')
    writeFileSync(join(folder, '.gitattributes'), `*.py filter=${name} diff=${name}\n`)
    writeFileSync(join(folder, 'n.py'), 'x = 1\n')
    git(folder, 'add', '.')
    git(folder, 'commit', '-qm', 'nested')
  }
  /** Turns a nested repository hostile, with a file that has changed, so that git has to look at it. */
  const arm = (folder: string, name: string) => {
    git(folder, 'config', `filter.${name}.clean`, plant(`${name}.filter`, 'cat'))
    git(folder, 'config', 'core.fsmonitor', plant(`${name}.fsmonitor`))
    git(folder, 'config', `diff.${name}.textconv`, plant(`${name}.textconv`, 'cat "$1"'))
    writeFileSync(join(folder, 'n.py'), 'x = 2\n')
  }

  // The files, in two commits, with a branch to merge.
  git(root, 'init', '-q', '-b', 'main')
  put(
    '.gitattributes',
    'a.py filter=planted merge=planted\n*.proc filter=proc\n*.inc filter=inc\n*.wt filter=wt\n*.lfs filter=lfs\n*.tc diff=planted\n*.cmd diff=cmd\n',
  )
  const names = ['a.py', 'b.py', 'c.proc', 'd.inc', 'e.wt', 'f.lfs', 'g.tc', 'h.cmd', 'i.txt', 'j.txt']
  for (const name of names) put(name, `one ${name}\nend\n`)
  for (const name of ['git', 'ps', 'git-lfs', 'less', 'ssh', 'git-remote-planted', 'sh']) {
    plant(`path.${name}`, 'exit 1', join(root, name))
  }
  plant('remote.vcs', 'exit 1', join(root, 'git-remote-planted'))
  repository(join(base, 'origin-of-module'), 'module')
  git(root, 'submodule', 'add', '-q', join(base, 'origin-of-module'), 'module')
  repository(join(root, 'nest'), 'nest')
  git(root, 'add', '.')
  git(root, 'commit', '-qm', 'one')
  const missing = git(root, 'rev-parse', 'HEAD:b.py')
  git(root, 'checkout', '-q', '-b', 'other')
  put('a.py', 'other a.py\nend\n')
  git(root, 'commit', '-qam', 'other')
  git(root, 'checkout', '-q', 'main')
  for (const name of names) put(name, `two ${name}\nend\n`)
  git(root, 'add', '.')
  git(root, 'commit', '-qm', 'two')
  git(root, 'worktree', 'add', '-q', join(base, 'tree'), 'other')
  repository(join(root, 'loose'), 'loose')
  // A repository whose `.git` is a file that points elsewhere.
  repository(join(base, 'far-work'), 'far')
  mkdirSync(join(root, 'far'))
  cpSync(join(base, 'far-work', '.git'), join(base, 'far-git'), { recursive: true })
  for (const file of ['.gitattributes', 'n.py']) cpSync(join(base, 'far-work', file), join(root, 'far', file))
  writeFileSync(join(root, 'far', '.git'), `gitdir: ${join(base, 'far-git')}\n`)
  cpSync(join(base, 'origin-of-module', '.git'), join(base, 'alternate'), { recursive: true })

  // From here on no git command of this function may start a plant: settings are written as text.
  for (const name of ['nest', 'module', 'loose', 'far']) arm(join(root, name), name === 'nest' ? 'nested' : name)
  for (const [name, driver] of [['nest', 'nested']] as const)
    writeFileSync(join(root, name, '.gitattributes'), `*.py filter=${driver} diff=${driver}\n`)
  const own = join(root, '.git')
  mkdirSync(join(own, 'objects/info'), { recursive: true })
  writeFileSync(join(own, 'objects/info/alternates'), `${join(base, 'alternate', 'objects')}\n`)
  mkdirSync(join(root, 'hooks-planted'))
  for (const hook of HOOKS) {
    plant(`hook.${hook}`, 'cat > /dev/null; exit 0', join(own, 'hooks', hook))
    plant(`hook.${hook}`, 'cat > /dev/null; exit 0', join(root, 'hooks-planted', hook))
  }
  writeFileSync(join(own, 'included'), `[filter "inc"]\n\tclean = ${plant('filter.included', 'cat')}\n`)
  writeFileSync(join(own, 'config.worktree'), `[filter "wt"]\n\tclean = ${plant('filter.worktree', 'cat')}\n`)
  const sign =
    'cat > /dev/null; echo "[GNUPG:] SIG_CREATED " >&2; echo "[GNUPG:] GOODSIG x x"; printf -- "-----BEGIN PGP SIGNATURE-----\\n\\n=x\\n-----END PGP SIGNATURE-----\\n"'
  writeFileSync(
    join(own, 'config'),
    `${execFileSync('cat', [join(own, 'config')]).toString()}
[core]
	repositoryformatversion = 1
	fsmonitor = ${plant('core.fsmonitor')}
	hooksPath = hooks-planted
	editor = ${plant('core.editor')}
	pager = ${plant('pager', 'cat')}
	sshCommand = ${plant('core.sshCommand')}
	gitProxy = ${plant('core.gitProxy')}
	askPass = ${plant('core.askPass', 'echo x')}
	alternateRefsCommand = ${plant('core.alternateRefsCommand', 'exit 0')}
[extensions]
	worktreeConfig = true
	partialClone = origin
[sequence]
	editor = ${plant('sequence.editor')}
[include]
	path = included
[filter "planted"]
	clean = ${plant('filter.clean', 'cat')}
	smudge = ${plant('filter.smudge', 'cat')}
	required = true
[filter "proc"]
	process = ${plant('filter.process')}
[lfs "extension.planted"]
	clean = ${plant('lfs.extension', 'cat')}
[diff]
	external = ${plant('diff.external', 'exit 0')}
	tool = planted
	submodule = diff
[diff "planted"]
	textconv = ${plant('diff.textconv', 'cat "$1"')}
[diff "cmd"]
	command = ${plant('diff.command', 'exit 0')}
[merge "planted"]
	driver = ${plant('merge.driver')}
[alias]
	planted = !${plant('alias')}
	status = !${plant('alias')}
[pager]
	log = ${plant('pager', 'cat')}
	diff = ${plant('pager', 'cat')}
[credential]
	helper = !${plant('credential.helper', 'exit 0')}
[credential "https://u.invalid"]
	helper = !${plant('credential.url.helper', 'exit 0')}
[commit]
	gpgSign = true
[log]
	showSignature = true
[gpg]
	program = ${plant('gpg.program', sign)}
[gpg "ssh"]
	defaultKeyCommand = ${plant('gpg.ssh.defaultKeyCommand')}
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[remote "origin"]
	url = ${join(base, 'origin-of-module')}
	fetch = +refs/heads/*:refs/remotes/origin/*
	promisor = true
	partialclonefilter = blob:none
	uploadpack = ${plant('remote.uploadpack', `: > '${join(marks, 'remote.promisor')}'; exit 1`)}
	receivepack = ${plant('remote.receivepack')}
[remote "helped"]
	url = x
	vcs = planted
[remote "extern"]
	url = ext::${plant('remote.ext')}
	promisor = true
[trailer "old"]
	command = ${plant('trailer.command', 'echo x')}
[trailer "new"]
	cmd = ${plant('trailer.cmd', 'echo x')}
[submodule "module"]
	update = !${plant('submodule.update')}
	active = true
[uploadpack]
	packObjectsHook = ${plant('uploadpack.packObjectsHook')}
[interactive]
	diffFilter = ${plant('interactive.diffFilter', 'cat')}
[color]
	ui = always
[difftool "planted"]
	cmd = ${plant('difftool')}
[mergetool "planted"]
	cmd = ${plant('mergetool')}
[browser "planted"]
	cmd = ${plant('browser')}
[man]
	viewer = planted
[man "planted"]
	cmd = ${plant('man')}
[status]
	submoduleSummary = true
[user]
	name = t
	email = t@localhost
`,
  )
  for (const name of [
    'GIT_EXTERNAL_DIFF',
    'GIT_SSH_COMMAND',
    'GIT_EDITOR',
    'GIT_ASKPASS',
    'GIT_PAGER',
    'SSH_ASKPASS',
    'GIT_PROXY_COMMAND',
  ])
    plant(`env.${name}`)
  rmSync(join(own, 'objects', missing.slice(0, 2), missing.slice(2)))
  // Something to judge, changed since the last commit, so that git has to compare.
  for (const name of names) put(name, `six ${name}\nend\n`)
  put('new.py', 'import os\nos.system(input())\n')

  // The user's own Git LFS, as git-lfs(1) reads `lfs.extension` of the repository.
  const user = join(base, 'user')
  mkdirSync(user)
  const lfs = join(user, 'lfs')
  writeFileSync(
    lfs,
    '#!/bin/sh\nextension=$(git config lfs.extension.planted.clean)\n[ -n "$extension" ] && exec "$extension"\nexec cat\n',
  )
  chmodSync(lfs, 0o755)
  writeFileSync(join(user, '.gitconfig'), `[filter "lfs"]\n\tclean = ${lfs}\n`)
  return {
    base,
    root,
    env: {
      PATH: `:.:${root}:${process.env.PATH}`,
      HOME: user,
      TMPDIR: process.env.TMPDIR ?? '/tmp',
      PLANTS: plants,
      MISSING: missing,
    },
    takeMarkers() {
      const names = readdirSync(marks)
      for (const name of names) rmSync(join(marks, name))
      return names.sort()
    },
  }
}

/** A filter process that ends at once ends git too, before it comes to another plant. */
const NO_PROCESS = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'filter.proc.process', GIT_CONFIG_VALUE_0: '' }

/** Controls that change the repository, which is put back after them. */
const CHANGES = /\b(?:commit|rebase|merge|mergetool|checkout|submodule|push|fetch|update-ref|update-index|add)\b/

/** Runs a plant's control, plain git; answers whether the plant left its marker. */
export function runControl(hostile: HostileRepository, { marker, control = '' }: Plant): boolean {
  const { base, root } = hostile
  if (!CHANGES.test(control)) return leavesMarker(hostile, marker, control)
  const kept = join(base, 'kept')
  execFileSync('cp', ['-a', root, kept])
  try {
    return leavesMarker(hostile, marker, control)
  } finally {
    rmSync(root, { recursive: true, force: true })
    renameSync(kept, root)
  }
}

function leavesMarker({ root, env, takeMarkers }: HostileRepository, marker: string, control: string): boolean {
  takeMarkers()
  spawnSync('/bin/sh', ['-c', control], {
    cwd: root,
    env: {
      ...env,
      PATH: process.env.PATH ?? '',
      GIT_CONFIG_NOSYSTEM: '1',
      ...(marker !== 'filter.process' && NO_PROCESS),
    },
    timeout: 60_000,
  })
  return takeMarkers().includes(marker)
}

/** Whether the program was planted at all, so that no name in the list is a slip. */
export function isPlanted({ base, root }: HostileRepository, marker: string): boolean {
  const [kind = '', name = ''] = [marker.slice(0, marker.indexOf('.')), marker.slice(marker.indexOf('.') + 1)]
  if (kind === 'path') return existsSync(join(root, name))
  if (kind === 'hook') return existsSync(join(root, '.git/hooks', name))
  return existsSync(join(base, 'plants', marker)) || ['remote.promisor', 'remote.vcs'].includes(marker)
}
