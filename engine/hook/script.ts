/** The line by which a hook of svc's is known. */
const MARK = '# svc pre-commit hook: `svc hook uninstall` removes it and puts back what was here.'

/** What a hook that was here before is called while svc's is installed. */
export const FORMER = 'pre-commit.before-svc'

/** What starts svc: the program's file, and the Node.js that runs it. Absolute. */
export interface Program {
  node: string
  svc: string
}

/**
 * The pre-commit hook, for a POSIX shell. The hook that was here before runs first, with the same arguments, where it is
 * executable; where it refuses, the commit is refused. svc is then started by the paths that it was installed from, else
 * by the PATH; a hook without a program is one that others get with the repository, and looks on the PATH and in the
 * repository's own node_modules. Where svc is in no such place the commit is refused, with what to do: a check that
 * silently does not run is none.
 */
export function writeHookScript(program: Program | undefined): string {
  const installed = program
    ? `node=${quoted(program.node)}
svc=${quoted(program.svc)}
if [ -x "$node" ] && [ -f "$svc" ]; then
  exec "$node" "$svc" pre-commit-scan
fi
`
    : ''
  const own = program
    ? ''
    : `if [ -x node_modules/.bin/svc ]; then
  exec node_modules/.bin/svc pre-commit-scan
fi
`
  return `#!/bin/sh
${MARK}
former="\${0%/*}/${FORMER}"
if [ -x "$former" ]; then
  "$former" "$@" || exit $?
fi
${installed}if command -v svc >/dev/null 2>&1; then
  exec svc pre-commit-scan
fi
${own}cat >&2 <<'END'
Commit blocked: svc was not found, so the commit was not scanned.
  Add svc to the PATH, or install it again and run \`svc hook install\`. To remove
  the hook, delete the file that \`git rev-parse --git-path hooks/pre-commit\` prints.
END
exit 1
`
}

/** Whether a hook's text is one that svc wrote. */
export function isOwnHook(text: string): boolean {
  return text.split('\n', 3).includes(MARK)
}

/** The program that a hook of svc's starts; undefined where it names none. */
export function findProgram(text: string): Program | undefined {
  const [node, svc] = ['node', 'svc'].map(name => new RegExp(`^${name}='([^\n]*)'$`, 'm').exec(text)?.[1])
  return node === undefined || svc === undefined ? undefined : { node: unquoted(node), svc: unquoted(svc) }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function unquoted(text: string): string {
  return text.replaceAll(`'\\''`, "'")
}
