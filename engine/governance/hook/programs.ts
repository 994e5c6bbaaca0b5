/**
 * What is known of programs that an agent's shell starts. A program that stands nowhere here, nor among those whose
 * targets are read from their arguments, is unknown: what it changes is not.
 */

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Programs that only look, or change nothing on the disk. */
const READERS = new Set(
  words(`
    : [ [[ b2sum base32 basename bc break cal cat cksum clear cmp colordiff column comm continue cut df
    diff diff3 dig dir dirname disown du echo egrep eza exa exit expand expr export false fg bg fgrep fmt fold free
    getconf grep groups head help hexdump host hostname id info jobs join jq kill ls lsblk lscpu lsof local locale md5sum
    more netstat nl nproc nslookup od paste pgrep pidof ping pkill printenv printf ps pwd read readlink realpath return
    rev seq sha1sum sha224sum sha256sum sha384sum sha512sum shasum shellcheck shift shopt sleep ss stat strings stty sum
    tac tail test times tokei top tput tr true tty type typeset ulimit umask uname unexpand unset uptime users vdir w
    wait wc whereis which who whoami yes zgrep getopts let declare readonly set
  `),
)

/** Programs that only look, unless one of these options is among their arguments. */
const READERS_UNLESS: Readonly<Record<string, RegExp>> = {
  ack: /^--pa/,
  ag: /^--pa/,
  base64: /^(-o|--output)/,
  bat: /^--pager/,
  cloc: /^--(?!(by-file|csv|exclude-\S+|fullpath|include-\S+|json|md|quiet|skip-uniqueness|vcs=git|xml|yaml)(=|$))/,
  date: /^(-[a-zA-Z]*s|--set)/,
  fd: /^(-[a-zA-Z]*[xX]|--exec)/,
  fdfind: /^(-[a-zA-Z]*[xX]|--exec)/,
  file: /^-[a-zA-Z]*C/,
  hash: /^-p/,
  iconv: /^(-o|--output)/,
  less: /^(-[a-zA-Z]*[oO]|--log-file|--LOG-FILE|\+)/,
  man: /^(-[a-zA-Z]*[PH]|--pager|--html)/,
  mapfile: /^-[a-zA-Z]*C/,
  readarray: /^-[a-zA-Z]*C/,
  rg: /^--(pre|hostname-bin)(=|$)/,
  sdiff: /^(-o|--output)/,
  tree: /^(-[a-zA-Z]*[oR])/,
  xmllint: /^--(output|shell)/,
  xxd: /^-[a-zA-Z]*r/,
}

/** Programs whose input only some words make more than a look: the second name is a file that they write. */
const WRITES_SECOND_NAME = new Set(['uniq', 'xxd'])

/** Whether a program with these arguments changes nothing on the disk. */
export function onlyReads(name: string, args: readonly (string | undefined)[]): boolean {
  if (WRITES_SECOND_NAME.has(name) && args.filter(arg => !arg?.startsWith('-')).length > 1) return false
  if (name === 'uniq') return true
  if (READERS.has(name)) return true
  const unless = Object.hasOwn(READERS_UNLESS, name) ? READERS_UNLESS[name] : undefined
  // A word that is known only when it runs may be such an option.
  return unless !== undefined && !args.some(arg => arg === undefined || unless.test(arg))
}

/** Tools that do what the project says: they build it, test it, run its scripts. With the verbs, where not all are meant. */
const RUNNERS: Readonly<Record<string, RegExp | null>> = {
  ...Object.fromEntries(
    words(`
      make gmake ninja cmake ctest meson bazel bazelisk buck2 gradle gradlew mvn mvnw ant sbt lein mix rake tox nox
      pytest py.test unittest jest vitest mocha ava tap c8 nyc cypress playwright karma tsc tsgo vue-tsc esbuild rollup
      webpack vite next nuxt astro turbo nx lerna mypy pyright pylint flake8 bandit phpunit phpstan psalm rspec cucumber
      golangci-lint staticcheck swift xcodebuild dotnet stack cabal zig just task gh glab svc knip tsd size-limit
      markdownlint oxlint pre-commit ctags javac java gcc g++ cc c++ clang clang++ rustc ld ar strip
    `).map(name => [name, null]),
  ),
  npm: /^(test|t|run|run-script|ci|install|i|add|ls|list|outdated|audit|view|info|why|explain|root|prefix|help|start|stop|--version|-v)$/,
  pnpm: /^(test|t|run|ci|install|i|add|ls|list|outdated|audit|view|info|why|root|start|build|lint|typecheck|--version|-v)$/,
  yarn: null,
  bun: /^(test|run|install|i|add|pm|--version|-v)$/,
  cargo:
    /^(build|b|check|c|test|t|run|r|bench|clippy|doc|fmt|tree|metadata|search|add|fetch|nextest|audit|deny|--version|-V)$/,
  go: /^(build|test|vet|run|list|version|env|doc|mod|fmt|tool|get|install|generate)$/,
  bundle: /^(exec|check|list|install)$/,
  composer: /^(install|run|run-script|test|show|validate|audit)$/,
  poetry: /^(run|install|check|show|add)$/,
  uv: /^(run|sync|pip|tree|lock|add)$/,
  pipenv: /^(run|install|check|graph)$/,
  pip: /^(list|show|freeze|check|install|download|--version)$/,
  pip3: /^(list|show|freeze|check|install|download|--version)$/,
}

/** Whether a program does what the project's own files say; what that changes, git tells afterwards. */
export function runsProject(name: string, args: readonly (string | undefined)[]): boolean {
  if (!Object.hasOwn(RUNNERS, name)) return false
  const verbs = RUNNERS[name]
  if (verbs === null || verbs === undefined) return true
  const verb = args.find(arg => arg === undefined || !arg.startsWith('-')) ?? args[0]
  return verb !== undefined && verbs.test(verb)
}

/** Tools that rewrite the files they are given: with which option, or unless which; `null` is always. */
const FORMATTERS: Readonly<Record<string, { when?: RegExp; unless?: RegExp }>> = {
  autopep8: { when: /^(-i|--in-place)/ },
  biome: { when: /^--(write|fix|apply)/ },
  black: { unless: /^--(check|diff|version)/ },
  'clang-format': { when: /^(-i|--i)$/ },
  dos2unix: {},
  eslint: { when: /^(--fix|-o|--output)/ },
  gofmt: { when: /^-w/ },
  goimports: { when: /^-w/ },
  isort: { unless: /^(--check|--diff|-c)/ },
  prettier: { when: /^(-[a-z]*w|--write)/ },
  rubocop: { when: /^(-[aA]|--auto|--fix|-o|--out)/ },
  ruff: { when: /^(format|--fix)/, unless: /^--(check|diff)/ },
  rustfmt: { unless: /^--check/ },
  shfmt: { when: /^(-[a-z]*w|--write)/ },
  standard: { when: /^--fix/ },
  stylelint: { when: /^--fix/ },
  swiftformat: { unless: /^--(lint|dryrun)/ },
  unix2dos: {},
  yapf: { when: /^(-[a-z]*i|--in-place)/ },
}

/** The files that a formatter is given and rewrites; an empty list where it only looks, undefined for what is none. */
export function listFormatted(name: string, args: readonly (string | undefined)[]): (string | undefined)[] | undefined {
  const row = Object.hasOwn(FORMATTERS, name) ? FORMATTERS[name] : undefined
  if (!row) return undefined
  const given = (pattern: RegExp) => args.some(arg => arg === undefined || pattern.test(arg))
  if ((row.when && !given(row.when)) || (row.unless && given(row.unless))) return []
  const named = args.filter(arg => arg === undefined || !/^(-|format$|check$|lint$)/.test(arg))
  return named.length > 0 ? named : ['.']
}

/** Interpreters: by which arguments they are given a program on the spot, and after which the next is a value. */
export const INTERPRETERS: readonly { name: RegExp; inline: RegExp; valued?: RegExp; module?: string }[] = [
  { name: /^(python[0-9.]*|pypy[0-9.]*|py)$/, inline: /^-[A-Za-z]*c/, valued: /^-[WX]$/, module: '-m' },
  {
    name: /^(node|nodejs|tsx|ts-node)$/,
    inline: /^(-[a-z]*[epr]|--eval|--print|--require|--import|--loader|--experimental-loader|--env-file)/,
    valued: /^-C$/,
  },
  { name: /^deno$/, inline: /^(eval|repl|-)$/, module: 'test' },
  { name: /^(perl[0-9.]*|ruby[0-9.]*)$/, inline: /^-[a-zA-Z0-9.]*[eErMI]/ },
  { name: /^php[0-9.]*$/, inline: /^-([a-z]*[rBREFd])/ },
  { name: /^(lua[0-9.]*|luajit)$/, inline: /^-[el]/ },
  { name: /^Rscript$/, inline: /^-e/ },
]
