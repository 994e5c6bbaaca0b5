import { readArguments } from './arguments.ts'
import type { Word } from './shell.ts'

const INSTALLERS: readonly [program: RegExp, verbs: RegExp][] = [
  [/^(npm|pnpm|bun|cnpm)$/, /^(install|i|add|in|ins|dlx|x|exec|create|init)$/],
  [/^yarn$/, /^(add|global|dlx|create)$/],
  [/^(pip[0-9.]*|pipx|conda|mamba|gem|brew|apt|apt-get|dnf|yum|snap|choco|luarocks|opam|cpan|cpanm)$/, /^install$/],
  [/^(uv|poetry|pdm|pipenv|rye|cargo|bundle|hex|nuget|apk)$/, /^(add|install)$/],
  [/^(composer|luarocks)$/, /^(require|install)$/],
  [/^go$/, /^(get|install)$/],
  [/^(cabal|stack)$/, /^install$/],
  [/^pipx$/, /^run$/],
]

/** A package that is installed by its name, as a sentence; undefined for what installs only what the project names already. */
export function findInstall(name: string, args: readonly Word[]): string | undefined {
  let rest = readArguments(args, 'rcCi', ['requirement', 'prefix', 'registry', 'index-url']).names
  if (/^(python[0-9.]*|py)$/.test(name) && args[0] === '-m') return findInstall('pip', args.slice(2))
  if (name === 'uv' && rest[0] === 'pip') rest = rest.slice(1)
  if (name === 'dotnet' && rest[0] === 'add' && rest.includes('package')) return 'dotnet add package'
  const row = INSTALLERS.find(([program]) => program.test(name))
  if (!row || rest[0] === undefined || !row[1].test(rest[0])) return undefined
  const named = rest.slice(1).filter(word => word === undefined || !/^\.{0,2}(\/|$)/.test(word))
  return named.length > 0 ? `${name} ${rest[0]} ${named.map(word => word ?? '…').join(' ')}` : undefined
}
