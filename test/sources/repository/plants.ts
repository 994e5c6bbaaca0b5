/** A way to name a program, and the plain git command that shows it does run; undefined where none could be found by hand. */
export interface Plant {
  marker: string
  control: string | undefined
}

/** All hooks of githooks(5). */
export const HOOKS = [
  ...[
    'applypatch-msg',
    'pre-applypatch',
    'post-applypatch',
    'pre-commit',
    'pre-merge-commit',
    'prepare-commit-msg',
    'commit-msg',
  ],
  ...[
    'post-commit',
    'pre-rebase',
    'post-checkout',
    'post-merge',
    'pre-push',
    'pre-receive',
    'update',
    'proc-receive',
    'post-receive',
  ],
  ...['post-update', 'reference-transaction', 'push-to-checkout', 'pre-auto-gc', 'post-rewrite', 'sendemail-validate'],
  ...['fsmonitor-watchman', 'post-index-change'],
]

/** The plants, each with a command (for `sh`, in a copy of the repository) that runs it. */
export const PLANTS: readonly Plant[] = [
  { marker: 'filter.clean', control: 'git hash-object a.py' },
  { marker: 'filter.smudge', control: 'git cat-file --filters HEAD:a.py' },
  { marker: 'filter.process', control: 'git hash-object c.proc' },
  { marker: 'filter.included', control: 'git hash-object d.inc' },
  { marker: 'filter.worktree', control: 'git hash-object e.wt' },
  { marker: 'lfs.extension', control: 'git hash-object f.lfs' },
  { marker: 'nested.filter', control: 'git diff --ignore-submodules=none' },
  { marker: 'nested.fsmonitor', control: 'git -C nest status' },
  { marker: 'module.filter', control: 'git diff --ignore-submodules=none' },
  { marker: 'far.filter', control: 'git -C far status' },
  { marker: 'loose.filter', control: 'git -C loose status' },
  { marker: 'diff.textconv', control: 'git diff --no-ext-diff HEAD~1 HEAD -- g.tc' },
  { marker: 'diff.command', control: 'git diff HEAD~1 HEAD -- h.cmd' },
  { marker: 'diff.external', control: 'git diff HEAD~1 HEAD -- i.txt' },
  { marker: 'core.fsmonitor', control: 'git status' },
  { marker: 'core.editor', control: 'git commit -q --allow-empty --no-gpg-sign' },
  { marker: 'sequence.editor', control: 'git reset -q --hard; git rebase -f -i HEAD~1' },
  { marker: 'core.sshCommand', control: 'git ls-remote ssh://host.invalid/x' },
  { marker: 'core.gitProxy', control: 'git ls-remote git://localhost/x' },
  { marker: 'core.askPass', control: 'printf "protocol=https\\nhost=h.invalid\\n\\n" | git credential fill' },
  { marker: 'credential.helper', control: 'printf "protocol=https\\nhost=h.invalid\\n\\n" | git credential fill' },
  { marker: 'credential.url.helper', control: 'printf "protocol=https\\nhost=u.invalid\\n\\n" | git credential fill' },
  { marker: 'gpg.program', control: 'git commit -q --allow-empty -m x' },
  { marker: 'gpg.ssh.defaultKeyCommand', control: 'git -c gpg.format=ssh commit -q --allow-empty -S -m x' },
  { marker: 'merge.driver', control: 'git merge -q --no-edit other' },
  { marker: 'alias', control: 'git planted' },
  { marker: 'remote.uploadpack', control: 'git fetch origin' },
  { marker: 'remote.promisor', control: 'git cat-file -p "$MISSING"' },
  { marker: 'remote.receivepack', control: 'git push origin HEAD:refs/heads/new' },
  { marker: 'remote.vcs', control: 'PATH="$PATH:$PWD" git ls-remote helped' },
  { marker: 'remote.ext', control: 'git ls-remote extern' },
  { marker: 'trailer.command', control: 'git interpret-trailers --trailer old < i.txt' },
  { marker: 'trailer.cmd', control: 'git interpret-trailers --trailer new < i.txt' },
  { marker: 'submodule.update', control: 'git submodule update --force module' },
  { marker: 'core.alternateRefsCommand', control: 'git rev-list --alternate-refs' },
  { marker: 'difftool', control: 'git difftool -y -t planted HEAD~1 HEAD -- j.txt' },
  {
    marker: 'mergetool',
    control: 'git -c merge.planted.driver=false merge -q --no-edit other; git mergetool -y -t planted',
  },
  { marker: 'browser', control: 'git web--browse --tool=planted http://localhost/' },
  { marker: 'man', control: 'git help -m status' },
  { marker: 'pager', control: undefined },
  // Needs a terminal, as a pager does.
  { marker: 'interactive.diffFilter', control: undefined },
  { marker: 'uploadpack.packObjectsHook', control: undefined },
  { marker: 'path.git', control: 'PATH=":$PATH" /bin/sh -c git' },
  { marker: 'path.ps', control: 'PATH=".:$PATH" /bin/sh -c ps' },
  {
    marker: 'env.GIT_EXTERNAL_DIFF',
    control: 'GIT_EXTERNAL_DIFF=$PLANTS/env.GIT_EXTERNAL_DIFF git diff HEAD~1 HEAD -- i.txt',
  },
  {
    marker: 'env.GIT_SSH_COMMAND',
    control: 'GIT_SSH_COMMAND=$PLANTS/env.GIT_SSH_COMMAND git ls-remote ssh://host.invalid/x',
  },
  { marker: 'env.GIT_EDITOR', control: 'GIT_EDITOR=$PLANTS/env.GIT_EDITOR git commit -q --allow-empty --no-gpg-sign' },
  {
    marker: 'env.GIT_ASKPASS',
    control: 'printf "protocol=https\\nhost=h.invalid\\n\\n" | GIT_ASKPASS=$PLANTS/env.GIT_ASKPASS git credential fill',
  },
  { marker: 'hook.pre-commit', control: 'git commit -q --allow-empty -m x --no-gpg-sign' },
  { marker: 'hook.commit-msg', control: 'git commit -q --allow-empty -m x --no-gpg-sign' },
  { marker: 'hook.post-commit', control: 'git commit -q --allow-empty -m x --no-gpg-sign' },
  { marker: 'hook.reference-transaction', control: 'git update-ref refs/heads/x HEAD' },
  { marker: 'hook.post-index-change', control: 'git update-index --force-remove j.txt' },
  { marker: 'hook.post-checkout', control: 'git checkout -q -f HEAD' },
  {
    marker: 'hook.pre-push',
    control: 'git -c remote.up.receivepack=git-receive-pack push "$PWD/../far-git" HEAD:refs/heads/x',
  },
]
