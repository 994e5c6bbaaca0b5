import type { Quirk } from '../../base/languages/language.ts'
import { phpBegins, phpTags, scripts, yamlBlock, yamlQuote } from './documents.ts'
import { hereDocument, phpHeredoc, rubyHeredoc } from './heredocs.ts'
import { cmakeBrackets, cppRaw, csharpRaw, elixirSigil, luaBrackets, rustRaw, swiftRaw } from './raw.ts'
import { javascriptRegex, rubyRegex } from './regex.ts'
import type { Opener, Scanner } from './scanner.ts'
import {
  characterQuoted,
  endMarker,
  perlOperator,
  perlRegex,
  perlVariable,
  pod,
  rubyCharacter,
  rubyPercent,
} from './scripting.ts'

/** What a quirk tries, at which characters. */
export const QUIRK_OPENERS: Record<Quirk, readonly (readonly [triggers: string, opener: Opener])[]> = {
  cmake_brackets: [['#[', cmakeBrackets]],
  cpp_raw: [['"', cppRaw]],
  csharp_raw: [['$"', csharpRaw]],
  elixir_sigils: [['~', elixirSigil]],
  end_marker: [['_', endMarker]],
  erlang_chars: [['$', characterQuoted]],
  html_embedded: [['<', scripts]],
  js_regex: [['/', javascriptRegex]],
  lua_brackets: [['-[', luaBrackets]],
  perl_quotes: [
    ['qmsty', perlOperator],
    ['/', perlRegex],
    ['$', perlVariable],
  ],
  php_heredocs: [['<', phpHeredoc]],
  php_tags: [['?', phpTags]],
  pod: [['=', pod]],
  ruby_chars: [['?', rubyCharacter]],
  ruby_heredocs: [['<', rubyHeredoc]],
  ruby_percent: [['%', rubyPercent]],
  ruby_regex: [['/', rubyRegex]],
  rust_raw: [['"', rustRaw]],
  shell_heredocs: [['<', hereDocument]],
  swift_raw: [['#', swiftRaw]],
  yaml_scalars: [
    ['"\'', yamlQuote],
    ['|>', yamlBlock],
  ],
}

/** Quirks that say where a text's code begins. */
export const BEGINNINGS: Partial<Record<Quirk, (scanner: Scanner) => number>> = { php_tags: phpBegins }
