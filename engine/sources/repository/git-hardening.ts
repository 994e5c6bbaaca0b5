import { devNull } from 'node:os'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Variables that point git at a repository. A hook runs with them set for the repository that is being committed to;
 * svc finds the repository from the directory it is given, so it must not inherit them.
 * The configuration variables (GIT_CONFIG_COUNT, GIT_CONFIG_GLOBAL and their like) stay: they are the user's, and carry safe.directory in containers.
 */
const POINTING = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_PREFIX',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_QUARANTINE_PATH',
  'GIT_NAMESPACE',
  'GIT_GRAFT_FILE',
  'GIT_SHALLOW_FILE',
  'GIT_REPLACE_REF_BASE',
  'GIT_LITERAL_PATHSPECS',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
  'GIT_ATTR_SOURCE',
  'GIT_CONFIG',
] as const

/** Variables that name a program for git to start (git(1), "Environment Variables"). No git process of svc has a use for one. */
const NAMING_PROGRAMS = [
  'GIT_EXTERNAL_DIFF',
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_SSH_VARIANT',
  'GIT_ASKPASS',
  'SSH_ASKPASS',
  'GIT_PROXY_COMMAND',
  'GIT_PAGER',
  'PAGER',
  'GIT_EDITOR',
  'GIT_SEQUENCE_EDITOR',
  'EDITOR',
  'VISUAL',
  'GIT_TEMPLATE_DIR',
] as const

const LEFT_OUT: ReadonlySet<string> = new Set([...POINTING, ...NAMING_PROGRAMS])

/**
 * Settings for every call that reads. A scanned repository is not trusted: its own configuration must not name a program to run, and must not
 * decide what is seen. Settings with a name in their middle (`filter.<driver>.clean`, `diff.<driver>.textconv`) cannot be overridden
 * from here: see `DIFF_OPTIONS` and own-filters.ts. git-config(1) has all names.
 */
export const READ_SETTINGS: readonly string[] = [
  // Programs.
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'core.sshCommand=',
  'core.gitProxy=',
  'core.askPass=',
  'core.alternateRefsCommand=',
  'core.editor=:',
  'sequence.editor=:',
  'core.pager=cat',
  'interactive.diffFilter=',
  'credential.helper=',
  'gpg.program=',
  'gpg.ssh.defaultKeyCommand=',
  'uploadpack.packObjectsHook=',
  'log.showSignature=false',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  // Other repositories, which have settings of their own.
  'submodule.recurse=false',
  'status.submoduleSummary=false',
  'protocol.allow=never',
  // Attributes come from the repository alone, so that every machine sees the same files.
  'core.attributesFile=',
  'diff.orderFile=/dev/null',
  'log.mailmap=false',
  // Whether a file is unchanged must not be a matter of the repository's own settings.
  'core.trustctime=true',
  'core.checkStat=default',
]

/** What no comparison may do, whatever the attributes and settings of the repository say: start a program, or enter another repository. */
const DIFF_OPTIONS = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty', '--submodule=short']
const DIFFS = new Set(['diff', 'diff-files', 'diff-index', 'diff-tree', 'log', 'show'])

/** The arguments of a git call that reads: svc's settings first, and behind the command what a comparison must not do. */
export function hardenArguments(args: readonly string[]): string[] {
  const at = commandIndex(args)
  const options = DIFFS.has(args[at] ?? '') ? DIFF_OPTIONS : []
  return [
    ...READ_SETTINGS.flatMap(setting => ['-c', setting]),
    '--no-pager',
    ...args.slice(0, at + 1),
    ...options,
    ...args.slice(at + 1),
  ]
}

/** The environment of a git call that reads: the caller's without what points elsewhere or names a program; messages in English, no prompts, no locks, no transfer. */
export function hardenEnvironment(path: string, caller: Environment, more: Environment = {}): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {}
  for (const [name, value] of Object.entries(caller)) if (!LEFT_OUT.has(name)) env[name] = value
  return Object.assign(env, {
    PATH: path,
    LC_ALL: 'C',
    LANGUAGE: '',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ATTR_NOSYSTEM: '1',
    // An object that is missing stays missing. A git without the first variable (before 2.39.4) tries to fetch it, and the second refuses
    // every transport, whatever `protocol.<name>.allow` the repository sets.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '',
    GIT_PROTOCOL_FROM_USER: '0',
    // A commit is what its id says, whatever the repository would have it stand for (replace refs, grafts).
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: devNull,
    ...more,
  })
}

/** Commands that compare no file of the work tree with an object, so that no filter can be started. */
const WITHOUT_FILTERS = new Set([
  ...['cat-file', 'check-attr', 'check-ignore', 'commit-tree', 'config', 'diff-tree', 'for-each-ref', 'init', 'log'],
  ...[
    'ls-files',
    'ls-tree',
    'merge-base',
    'merge-file',
    'read-tree',
    'remote',
    'rev-list',
    'rev-parse',
    'symbolic-ref',
  ],
  ...['update-ref', 'write-tree'],
])
/** Options by which a command does after all. */
const BRINGS_FILTERS: Record<string, RegExp> = {
  'cat-file': /^--(?:filters|textconv)$/,
  'ls-files': /^(?:-[a-z]*m|--modified|--eol)$/,
  'read-tree': /^-[a-z]*u$/,
}
/** Options by which a command that compares files does not. */
const SPARES_FILTERS: Record<string, RegExp> = {
  apply: /^--cached$/,
  diff: /^--cached$/,
  'hash-object': /^(?:--no-filters|--stdin|--literally)$/,
  'update-index': /^--index-info$/,
}

/** Whether git may start a filter (`filter.<driver>.clean`, `smudge`, `process`) for a call. Of a command that is not known here it may. */
export function mayFilter(args: readonly string[]): boolean {
  const at = commandIndex(args)
  const command = args[at]
  if (command === undefined) return false
  const options = args.slice(at + 1)
  if (WITHOUT_FILTERS.has(command)) return options.some(option => BRINGS_FILTERS[command]?.test(option))
  return (
    !options.some(option => SPARES_FILTERS[command]?.test(option)) || options.some(option => /^--path\b/.test(option))
  )
}

/** Where the command stands among the arguments, behind git's own options. */
function commandIndex(args: readonly string[]): number {
  let at = 0
  while (args[at]?.startsWith('-')) at += args[at] === '-c' || args[at] === '-C' ? 2 : 1
  return at
}
