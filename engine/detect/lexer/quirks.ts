import type { Quirk } from '../../base/languages/language.ts'
import { scanPhpTags, scanScripts, scanToPhp, scanYamlBlock, scanYamlQuote, scanYamlScalar } from './documents.ts'
import { scanHereDocument, scanPhpHeredoc, scanRubyHeredoc } from './heredocs.ts'
import { scanFence, scanFrontMatter, scanTag } from './markup.ts'
import {
  scanCmakeBrackets,
  scanCppRaw,
  scanCsharpRaw,
  scanElixirSigil,
  scanLuaBrackets,
  scanRustRaw,
  scanSwiftRaw,
} from './raw.ts'
import { scanJavascriptRegex, scanRubyRegex } from './regex.ts'
import type { Opener, Scanner } from './scanner.ts'
import {
  endMarker,
  scanPerlOperator,
  scanPerlRegex,
  scanPerlVariable,
  scanPod,
  scanQuotedCharacter,
  scanRubyCharacter,
  scanRubyPercent,
} from './scripting.ts'

/** What a quirk tries, at which characters. */
export const QUIRK_OPENERS: Record<Quirk, readonly (readonly [triggers: string, opener: Opener])[]> = {
  cmake_brackets: [['#[', scanCmakeBrackets]],
  cpp_raw: [['"', scanCppRaw]],
  csharp_raw: [['$"', scanCsharpRaw]],
  elixir_sigils: [['~', scanElixirSigil]],
  end_marker: [['_', endMarker]],
  erlang_chars: [['$', scanQuotedCharacter]],
  front_matter: [['-', scanFrontMatter]],
  html_embedded: [['<', scanScripts]],
  html_tags: [['<', scanTag]],
  js_regex: [['/', scanJavascriptRegex]],
  lua_brackets: [['-[', scanLuaBrackets]],
  markdown_fences: [['`~', scanFence]],
  perl_quotes: [
    ['qmsty', scanPerlOperator],
    ['/', scanPerlRegex],
    ['$', scanPerlVariable],
  ],
  php_heredocs: [['<', scanPhpHeredoc]],
  php_tags: [['?', scanPhpTags]],
  pod: [['=', scanPod]],
  ruby_chars: [['?', scanRubyCharacter]],
  ruby_heredocs: [['<', scanRubyHeredoc]],
  ruby_percent: [['%', scanRubyPercent]],
  ruby_regex: [['/', scanRubyRegex]],
  rust_raw: [['"', scanRustRaw]],
  shell_heredocs: [['<', scanHereDocument]],
  swift_raw: [['#', scanSwiftRaw]],
  yaml_block_text: [['|>', scanYamlScalar]],
  yaml_scalars: [
    ['"\'', scanYamlQuote],
    ['|>', scanYamlBlock],
  ],
}

/** Quirks that say where a text's code begins. */
export const BEGINNINGS: Partial<Record<Quirk, (scanner: Scanner) => number>> = { php_tags: scanToPhp }
