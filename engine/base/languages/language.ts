/** A language as the table knows it: how its files are recognised, and what its comments and strings look like. */
export interface Language {
  /** Lower-case identifier, used in rules, findings and configuration. */
  name: string
  display: string
  /** Without the leading dot, lower-case; a compound one (`blade.php`) beats its last part. */
  extensions?: readonly string[]
  /** Whole base names, case as written. */
  files?: readonly string[]
  /** First or last words of a base name, in any case, that keep their meaning beside others: `Dockerfile` in `Dockerfile.dev`, `Dockerfile-prod`. */
  stems?: readonly string[]
  /** Programs of a `#!` line, without version digits. */
  interpreters?: readonly string[]
  /** Other names by which editors' mode lines call it. */
  aliases?: readonly string[]
  /** Absent: the text has neither comments nor strings, all of it is code. */
  lexis?: Lexis
}

/** Comments and strings of a language, as far as a lexer without a grammar needs them. */
export interface Lexis {
  line?: readonly LineComment[]
  block?: readonly BlockComment[]
  strings?: readonly StringForm[]
  /** Characters that take away the meaning of the next one in code: the backslash of a shell. */
  escape?: string
  /** Forms that delimiters alone cannot describe. */
  quirks?: readonly Quirk[]
  /** The same for counting lines alone: rules read such text otherwise (a script in a YAML scalar has comments for them). Tried before `quirks`. */
  counted?: readonly Quirk[]
}

/** A comment from a marker to the end of the line. */
export interface LineComment {
  open: string
  /** One of these characters must stand before it, or the line begin there. */
  after?: string
  /** None of these characters may stand before it. */
  not_after?: string
  /** None of these characters may follow it. */
  not_before?: string
  /** Only blanks may stand before it on its line. */
  first?: true
  /** It must stand in this column, counted from 1. */
  column?: number
  /** A word, in upper or lower case, that no word character may touch: `REM`. */
  word?: true
  /** A backslash at the end of the line continues the comment. */
  continued?: true
  /** This text ends the comment before the line does. */
  until?: string
}

/** A comment between two markers; it may span lines and runs to the end of the text where it is not closed. */
export interface BlockComment {
  open: string
  close: string
  /** Comments of the form may stand inside each other. */
  nested?: true
  first?: true
  column?: number
  not_before?: string
}

/** A literal between two delimiters. Without `multiline` it ends with its line at the latest. */
export interface StringForm {
  open: string
  /** The opening delimiter where absent. */
  close?: string
  /** The closing delimiter counts only at the beginning of a line (blanks aside). */
  close_first?: true
  /** The character that takes away the next one's meaning. */
  escape?: string
  /** The closing delimiter twice stands for itself. */
  doubled?: true
  multiline?: true
  /** Words, lower-case, one of which must touch the opening delimiter: the `f` of an f-string. */
  prefix?: readonly string[]
  /** Any identifier may be the prefix, and one must. */
  tagged?: true
  /** Code inside the string. */
  interpolations?: readonly Interpolation[]
  /** It counts only where it holds one character, escaped or not: a tick is something else otherwise (a lifetime, a type). */
  char?: true
  /** Not a delimiter right behind a word or a closing bracket: a transposed matrix, a prime. */
  not_after_word?: true
  /** Not a delimiter right behind a name or number, unless that is one of these words: an apostrophe in a text of JSX. */
  not_after_name?: ReadonlySet<string>
  /** Not a delimiter inside a number: C++'s digit separator. */
  not_in_number?: true
}

/** Code inside a string; brackets of the closing kind are counted. */
export interface Interpolation {
  open: string
  close: string
  /** The opening delimiter twice stands for itself; the code may end in a format in which nothing begins a comment. */
  doubled?: true
  /** The code may span lines even where the string may not. */
  lines?: true
}

/** What needs code of its own in the lexer. */
export const QUIRKS = [
  'cmake_brackets',
  'cpp_raw',
  'csharp_raw',
  'elixir_sigils',
  'end_marker',
  'erlang_chars',
  'front_matter',
  'html_embedded',
  'html_tags',
  'js_regex',
  'lua_brackets',
  'markdown_fences',
  'perl_quotes',
  'php_heredocs',
  'php_tags',
  'pod',
  'ruby_chars',
  'ruby_heredocs',
  'ruby_percent',
  'ruby_regex',
  'rust_raw',
  'shell_heredocs',
  'swift_raw',
  'yaml_block_text',
  'yaml_scalars',
] as const
export type Quirk = (typeof QUIRKS)[number]
