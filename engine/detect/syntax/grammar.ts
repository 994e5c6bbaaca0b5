import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DynamicLangRegistrations, Lang, registerDynamicLanguage } from '@ast-grep/napi'

/** Languages whose grammar is compiled into @ast-grep/napi. */
const BUILT_IN: Record<string, string> = {
  javascript: Lang.JavaScript,
  typescript: Lang.TypeScript,
  tsx: Lang.Tsx,
  html: Lang.Html,
  css: Lang.Css,
}

/** What an @ast-grep/lang-* package exports; kept here because loading 20 packages costs more than loading 20 parsers. A test holds it to the packages. */
interface PackagedGrammar {
  symbol: string
  expando: string
}

export const PACKAGED: Record<string, PackagedGrammar> = {
  bash: { symbol: 'tree_sitter_bash', expando: '$' },
  c: { symbol: 'tree_sitter_c', expando: '_' },
  cpp: { symbol: 'tree_sitter_cpp', expando: '_' },
  csharp: { symbol: 'tree_sitter_c_sharp', expando: 'µ' },
  dart: { symbol: 'tree_sitter_dart', expando: '$' },
  elixir: { symbol: 'tree_sitter_elixir', expando: 'µ' },
  go: { symbol: 'tree_sitter_go', expando: 'µ' },
  java: { symbol: 'tree_sitter_java', expando: '$' },
  json: { symbol: 'tree_sitter_json', expando: '$' },
  kotlin: { symbol: 'tree_sitter_kotlin', expando: 'µ' },
  lua: { symbol: 'tree_sitter_lua', expando: '$' },
  php: { symbol: 'tree_sitter_php', expando: '$' },
  python: { symbol: 'tree_sitter_python', expando: 'µ' },
  ruby: { symbol: 'tree_sitter_ruby', expando: 'µ' },
  rust: { symbol: 'tree_sitter_rust', expando: 'µ' },
  scala: { symbol: 'tree_sitter_scala', expando: '$' },
  sql: { symbol: 'tree_sitter_sql', expando: '_' },
  swift: { symbol: 'tree_sitter_swift', expando: 'µ' },
  toml: { symbol: 'tree_sitter_toml', expando: '_' },
  yaml: { symbol: 'tree_sitter_yaml', expando: '$' },
}

/**
 * Grammars of tree-sitter packages that ast-grep has no package of. Such a package installs more than its parsers (a build of tree-sitter, a
 * package manager), so it is needed for building alone: the build copies the parsers beside the program, from where they are loaded.
 */
export const COPIED: Record<string, PackagedGrammar & { package: string }> = {
  solidity: { symbol: 'tree_sitter_solidity', expando: '$', package: 'tree-sitter-solidity' },
}

/** Every grammar that is loaded from a file of its own. */
export const LOADED: Readonly<Record<string, PackagedGrammar>> = { ...PACKAGED, ...COPIED }

/** Every language that `ast` rules can be written for. */
export const AST_LANGUAGES: readonly string[] = [...Object.keys(BUILT_IN), ...Object.keys(LOADED)].sort()

let registered: Set<string> | undefined

/**
 * Makes the packaged grammars known to ast-grep, and returns the languages that can be parsed. ast-grep takes one registration a process, of
 * whichever thread is the first, and ignores any later one: so it is always all of them, which takes two milliseconds more than one.
 */
export function registerGrammars(): ReadonlySet<string> {
  if (registered) return registered
  const registrations: DynamicLangRegistrations = {}
  const ready = new Set(Object.keys(BUILT_IN))
  for (const [language, grammar] of Object.entries(LOADED)) {
    const libraryPath = findParserPath(language)
    if (!libraryPath) continue
    registrations[language] = {
      libraryPath,
      extensions: [],
      languageSymbol: grammar.symbol,
      expandoChar: grammar.expando,
    }
    ready.add(language)
  }
  if (Object.keys(registrations).length > 0) registerDynamicLanguage(registrations)
  registered = ready
  return ready
}

/** ast-grep's name of a language. */
export function getGrammarName(language: string): string {
  return BUILT_IN[language] ?? language
}

/** The character by which ast-grep replaces the `$` of metavariables, so that a pattern parses in the language. */
export function getExpando(language: string): string {
  return LOADED[language]?.expando ?? '$'
}

const PLATFORM: Record<string, string> = { darwin: 'macOS', linux: 'Linux', win32: 'Windows' }
const ARCH: Record<string, string> = { x64: 'X64', arm64: 'ARM64' }

/** The prebuilt parser of a packaged or copied grammar on this platform; undefined where the package has none. */
export function findParserPath(language: string): string | undefined {
  const copied = COPIED[language]
  if (copied) return findCopied(language, copied.package)
  const prebuild = `prebuild-${PLATFORM[process.platform]}-${ARCH[process.arch]}`
  const path = join(packagesFolder(), `lang-${language}`, 'prebuilds', prebuild, 'parser.so')
  return existsSync(path) ? path : undefined
}

/** The parser that the build copied beside the program; the package's own where the sources run that were not built. */
function findCopied(language: string, name: string): string | undefined {
  const platform = `${process.platform}-${process.arch}`
  const beside = fileURLToPath(new URL(`./grammars/${language}/${platform}.node`, import.meta.url))
  if (existsSync(beside)) return beside
  const path = join(dirname(packagesFolder()), name, 'prebuilds', platform, `${name}.node`)
  return existsSync(path) ? path : undefined
}

let folder: string | undefined

function packagesFolder(): string {
  folder ??= dirname(dirname(createRequire(import.meta.url).resolve('@ast-grep/napi/package.json')))
  return folder
}
